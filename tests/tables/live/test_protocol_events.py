"""docs/protocol.md says which events each game has besides Indian rummy, and each event's fields."""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.games.playthroughs.match import Match
from tests.games.playthroughs.recorded import recorded

ROOT = Path(__file__).resolve().parents[3]
PART = (ROOT / "docs/protocol.md").read_text().split("### Events of the other games")[1]
HEADING = "| kind | gin | basic | contract | rummikub |"
NONE = "\N{EN DASH}"
# Not in the recorded matches: a rule of no preset (tests/games/basic/test_turns.py), and a player who
# leaves after missing turns (tests/games/contract/test_buying.py).
RARE: Final = {
    "basic": {"turned_over": {"count"}},
    "contract": {"left": {"absent"}},
}
Events = dict[str, set[str]]


def documented(game: str) -> Events:
    """Kinds and fields in the game's column."""
    table = PART.split("\n## ")[0].split(HEADING)[1].strip().splitlines()[1:]
    column = [name.strip() for name in HEADING.strip("|").split("|")].index(game)
    found: Events = {}
    for row in table:
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        if cells[column] != NONE:
            found[cells[0].strip("`")] = set(re.findall(r"`(\w+)`", cells[column]))
    return found


def of_the_records(game: str) -> Events:
    """Kinds and fields of all events in the recorded matches of the game."""
    found: Events = {}
    for known in recorded(game):
        match = Match(game, known["number"], known["rules"], known["seats"])
        for step in [None, *known["steps"]]:
            if step is not None:
                match.take(step)
            for event in match.came.get("events", ()):
                found.setdefault(event["kind"], set()).update(event.keys() - {"kind"})
    return found


@pytest.mark.parametrize("game", ["gin", "basic", "contract", "rummikub"])
def test_the_reference_has_the_events_of_the_game(game: str) -> None:
    found = of_the_records(game)
    for kind, fields in RARE.get(game, {}).items():
        found[kind] = found.get(kind, set()) | fields
    assert documented(game) == found
