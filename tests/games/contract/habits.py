"""Random matches of Contract Rummy, most of them short."""

from typing import Any

from games.contract.rules.ruleset import PRESETS
from games.engine.state import replace
from tests.games.driving import Habits

SINGLE = PRESETS["single"]
SHORT: dict[str, Any] = {"max_turns": 12, "max_missed_turns": 2, "deals": 2}

HABITS = Habits(
    rules=(
        SINGLE,
        replace(SINGLE, multiple_buys=True, max_buys=None, max_restocks=0, jokers="two_a_pack"),
        replace(
            PRESETS["deuces_wild"],
            contracts=(("set", "set"), ("run", "run")),
            hand_sizes=(10, 8),
            whole_hand_last=False,
            lay_off_same_turn=True,
            exact_contract=False,
            **SHORT,
        ),
        replace(
            PRESETS["contract"],
            contracts=(("set",), ("run",)),
            hand_sizes=(6, 3),
            must_go_out_by_laying=True,
            qualifiers=1,
            jokers="all_printed",
            **SHORT,
        ),
    ),
    weights={"arrange": 10, "contract": 300, "lay_off": 60, "leave": 1},
    events=(
        "toss dealt turn drawn discarded contract_laid laid_off swapped_joker offered "
        "bought unsold missed_turn absent left reshuffled deal_over deal_due match_over"
    ),
    hows="out blocked limit last_player",
)
