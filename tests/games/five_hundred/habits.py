"""Random matches of 500 Rum."""

from games.engine.state import replace
from games.five_hundred.rules.ruleset import POINTS, RULES, adapt_to_event
from tests.games.driving import Habits

RACE = RULES.preset("race500")

HABITS = Habits(
    rules=(
        replace(RACE, target=60),
        adapt_to_event(RACE, deals=2, qualifiers=2),
        replace(POINTS, max_turns=3, max_points=None),
        replace(POINTS, free_top_card=True, repeated_suits=True, packs=(2,) * 7),
    ),
    weights={"arrange": 10, "take": 60, "meld": 60, "lay_off": 60, "leave": 1},
    events=(
        "toss dealt turn drawn discarded melded laid_off missed_turn dropped left "
        "deal_over deal_due match_over"
    ),
    hows="out blocked limit last_player",
    matches=40,
)
