"""docs/protocol.md names every kind of event, phase and status that a client may meet."""

import re
from pathlib import Path
from typing import Any

import pytest

from games.engine.state import Stage
from games.indian.game import GAME as INDIAN
from games.indian.rules import state
from games.indian.rules.moves import MOVES
from games.indian.rules.ruleset import PRESETS
from games.indian.rules.state import Asked, Membership
from tables.models import SeatStatus, TableStatus
from tests.tables.live.test_protocol_events import collect_events

ROOT = Path(__file__).resolve().parents[3]
REFERENCE = (ROOT / "docs/protocol.md").read_text()
EMITTED = re.compile(r'''(?:Event\(\s*|\{\s*"kind": )"([a-z_]+)"''')
NOT_EVENTS = {move.kind for move in MOVES}


def events_of_the_code() -> set[str]:
    """Those of the tables and of Indian rummy, whose part of the reference this is."""
    # Not in the recorded matches: a player's offer (tests/games/indian/test_pool.py).
    found = {*collect_events("indian"), "split_offered"}
    for path in (ROOT / "tables").rglob("*.py"):
        found |= set(EMITTED.findall(path.read_text()))
    return found


def rows_of(heading: str) -> set[str]:
    part = REFERENCE.split(heading)[1].split("\n#")[0]
    return set(re.findall(r"^\| `([a-z_]+)` \|", part, re.MULTILINE))


def test_the_reference_names_exactly_the_kinds_of_events() -> None:
    events = events_of_the_code()
    assert len(events) > 25
    assert rows_of("### Kinds of events") == events - (NOT_EVENTS - {"left"})


@pytest.mark.parametrize(
    "word",
    [
        *(phase.value for phase in state.Phase),
        *(stage.value for stage in Stage if stage not in (Stage.DEAL, Stage.ASKING)),
        *(question.value for question in Asked),
        *(status.value for status in state.Status),
        *(how.value for how in state.How),
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
