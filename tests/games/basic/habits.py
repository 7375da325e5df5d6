"""Random matches of basic rummy."""

from games.basic.rules.ruleset import POINTS, PRESETS, adapt_to_event
from games.engine.state import replace
from tests.games.driving import Habits

RACE = PRESETS["race100"]

HABITS = Habits(
    rules=(
        replace(RACE, target=40, restock="turn"),
        replace(RACE, target=60, ace="both", must_discard_last=True),
        adapt_to_event(RACE, deals=2, qualifiers=2),
        replace(POINTS, max_turns=5, max_points=50),
        replace(POINTS, may_return_open_card=True, restock="block"),
    ),
    weights={"arrange": 10, "meld": 60, "lay_off": 60, "leave": 1},
    events=(
        "toss dealt turn drawn discarded melded laid_off missed_turn dropped left "
        "reshuffled turned_over deal_over deal_due match_over"
    ),
    hows="out rummy blocked limit last_player",
)
