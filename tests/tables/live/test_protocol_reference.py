"""docs/protocol.md, which must name every event, phase and status."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from games.engine.state import Stage
from games.indian.game import GAME as INDIAN
from games.indian.rules import state
from games.indian.rules.moves import MOVES
from games.indian.rules.ruleset import PRESETS
from games.indian.rules.state import Membership, QuestionSubject
from tables.models import SeatStatus, TableStatus
from tables.play.change import SEATED
from tests.effort import share_of
from tests.games.driving import CommittedChange, habits_of
from tests.games.playthroughs.match import Match
from tests.games.playthroughs.recorded import FOLDER, MATCHES, read_recorded
from tests.games.test_laws import match_of

ROOT = Path(__file__).resolve().parents[3]
REFERENCE = (ROOT / "docs/protocol.md").read_text()
EMITTED = re.compile(r'''(?:Event\(\s*|\{\s*"kind": )"([a-z_]+)"''')
NOT_EVENTS = {move.kind for move in MOVES}


def list_events_of_the_code() -> set[str]:
    """Return the kinds of events that the code of tables and of Indian rummy can send."""
    # The recorded matches lack a player's split offer (tests/games/indian/test_pool.py).
    found = {*collect_events("indian"), "split_offered", SEATED}
    for path in (ROOT / "tables").rglob("*.py"):
        found |= set(EMITTED.findall(path.read_text()))
    return found


def list_rows(heading: str) -> set[str]:
    part = REFERENCE.split(heading)[1].split("\n#")[0]
    return set(re.findall(r"^\| `([a-z_]+)` \|", part, re.MULTILINE))


def test_the_reference_names_exactly_the_kinds_of_events() -> None:
    events = list_events_of_the_code()
    assert len(events) > 25
    assert list_rows("### Kinds of events") == events - (NOT_EVENTS - {"left"})


@pytest.mark.parametrize(
    "word",
    [
        *(phase.value for phase in state.Phase),
        *(stage.value for stage in Stage if stage not in (Stage.DEAL, Stage.ASKING)),
        *(question.value for question in QuestionSubject),
        *(status.value for status in state.IndianStatus),
        *(how.value for how in state.PointsOrigin),
        *(ending.value for ending in state.Ending),
        *(membership.value for membership in Membership),
        *(status.lower() for status in TableStatus),
        *(status.lower() for status in SeatStatus if status is not SeatStatus.LEFT),
    ],
)
def test_the_reference_names_every_word_of_a_state(word: str) -> None:
    assert f"`{word}`" in REFERENCE


def test_the_reference_names_every_field_of_the_games_view() -> None:
    match = INDIAN.core.start(
        rules=PRESETS["pool101"], seats=(0, 1), toss=True, seed=bytes(32), now=0
    ).state
    view: Any = INDIAN.view.public(match)
    for part in (view, view["match"], view["players"]["0"], view["match"]["standings"]["0"]):
        for field in part:
            assert f"`{field}`" in REFERENCE, field


PART = REFERENCE.split("### Events of the other games")[1]
HEADING = next(line for line in PART.splitlines() if line.startswith("| kind |"))
GAMES = [name.strip() for name in HEADING.strip("|").split("|")][1:]
NONE = "\N{EN DASH}"
# The recorded matches lack a rule of no preset (tests/games/basic/test_turns.py), and a player who leaves after
# missed turns (tests/games/contract/test_buying.py).
RARE: Final = {
    "basic": {"turned_over": {"count"}},
    "contract": {"left": {"absent"}},
}
Events = dict[str, set[str]]
RECORDED = {path.name.partition(".")[0] for path in FOLDER.glob("*.xz")}


def read_documented(game: str) -> Events:
    """Return the kinds of events in the game's column of docs/protocol.md, with their fields."""
    table = PART.split("\n## ")[0].split(HEADING)[1].strip().splitlines()[1:]
    column = [name.strip() for name in HEADING.strip("|").split("|")].index(game)
    found: Events = {}
    for row in table:
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        if cells[column] != NONE:
            found[cells[0].strip("`")] = set(re.findall(r"`(\w+)`", cells[column]))
    return found


def play_random_matches(game: str) -> Iterator[CommittedChange]:
    """Yield the steps of random matches until every kind of event has occurred."""
    events = set(habits_of(game).events.split())
    for number in range(300):
        for step in match_of(game, number).steps:
            events -= {event.kind for event in step.events}
            yield step
        if not events:
            return


def collect_events(game: str, wanted: Events | None = None) -> Events:
    """Return the fields of all events by kind, from recorded matches and, if needed, from random ones.

    Once all wanted events are found, no further matches are read.
    """
    found: Events = {}
    if game not in RECORDED:
        for event in (one.json() for step in play_random_matches(game) for one in step.events):
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
