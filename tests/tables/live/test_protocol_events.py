"""docs/protocol.md says which events each game has besides Indian rummy, and each event's fields."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.effort import share_of
from tests.games.driving import CommittedChange, habits_of
from tests.games.playthroughs.match import Match
from tests.games.playthroughs.recorded import FOLDER, MATCHES, read_recorded
from tests.games.test_laws import match_of

ROOT = Path(__file__).resolve().parents[3]
PART = (ROOT / "docs/protocol.md").read_text().split("### Events of the other games")[1]
HEADING = next(line for line in PART.splitlines() if line.startswith("| kind |"))
GAMES = [name.strip() for name in HEADING.strip("|").split("|")][1:]
NONE = "\N{EN DASH}"
# Not in the recorded matches: a rule of no preset (tests/games/basic/test_turns.py), and a player who
# leaves after missing turns (tests/games/contract/test_buying.py).
RARE: Final = {
    "basic": {"turned_over": {"count"}},
    "contract": {"left": {"absent"}},
}
Events = dict[str, set[str]]
RECORDED = {path.name.partition(".")[0] for path in FOLDER.glob("*.xz")}


def read_documented(game: str) -> Events:
    """Return the kinds and fields in the game's column."""
    table = PART.split("\n## ")[0].split(HEADING)[1].strip().splitlines()[1:]
    column = [name.strip() for name in HEADING.strip("|").split("|")].index(game)
    found: Events = {}
    for row in table:
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        if cells[column] != NONE:
            found[cells[0].strip("`")] = set(re.findall(r"`(\w+)`", cells[column]))
    return found


def chance_matches(game: str) -> Iterator[CommittedChange]:
    """Yield the steps of random matches until they have come to all that can happen."""
    events = set(habits_of(game).events.split())
    for number in range(300):
        for step in match_of(game, number).steps:
            events -= {event.kind for event in step.events}
            yield step
        if not events:
            return


def collect_events(game: str, wanted: Events | None = None) -> Events:
    """Kinds and fields of all events in the recorded matches of the game, or in random ones.

    A part of the recorded matches is enough if all that is wanted is in it.
    """
    found: Events = {}
    if game not in RECORDED:
        for event in (one.json() for step in chance_matches(game) for one in step.events):
            found.setdefault(str(event["kind"]), set()).update(event.keys() - {"kind"})
        return found
    for number, known in enumerate(read_recorded(game)):
        if wanted and number >= share_of(MATCHES) and has_all(found, wanted):
            break
        match = Match(game, known["number"], known["rules"], known["seats"])
        for step in [None, *known["steps"]]:
            if step is not None:
                match.take(step)
            for event in match.came.get("events", ()):
                found.setdefault(event["kind"], set()).update(event.keys() - {"kind"})
    return found


def has_all(found: Events, wanted: Events) -> bool:
    return all(kind in found and fields <= found[kind] for kind, fields in wanted.items())


@pytest.mark.parametrize("game", GAMES)
def test_the_reference_has_the_events_of_the_game(game: str) -> None:
    documented, rare = read_documented(game), RARE.get(game, {})
    wanted = {kind: fields - rare.get(kind, set()) for kind, fields in documented.items()}
    found = collect_events(game, wanted)
    for kind, fields in rare.items():
        found[kind] = found.get(kind, set()) | fields
    assert documented == found
