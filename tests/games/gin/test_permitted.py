"""What a browser is told of a seat's moves is what the rules allow."""

import random
from typing import Any

import pytest

from games.gin.game import GAME
from games.gin.rules.ruleset import PRESETS
from tests.games.gin.driving import drive, random_choosing
from tests.games.open_moves import legal_templates

FREE = ("groups", "lay_offs", "rev")


def allowed(match: Any, seat: int) -> list[dict[str, Any]]:
    entries = legal_templates([GAME.wire.write(move) for move in GAME.core.legal(match, seat)])
    return [
        {name: None if name in FREE else value for name, value in entry.items()}
        for entry in entries
    ]


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_what_is_told_is_what_is_allowed(name: str) -> None:
    kinds: set[str] = set()
    for number in range(12):
        chance = random.Random(number)
        for step in drive(random_choosing(chance), rules=PRESETS[name], seed=number):
            for seat in (0, 1, 2):
                told = GAME.core.legal_view(step.match, seat)
                assert told == allowed(step.match, seat)
                kinds |= {str(entry["kind"]) for entry in told}
    assert kinds >= {"draw", "pass", "discard", "arrange", "leave"}
