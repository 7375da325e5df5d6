"""What a browser is told of a seat's moves is what the rules allow."""

import random

import pytest

from games.rummikub.game import GAME
from games.rummikub.rules.ruleset import PRESETS
from tests.effort import IS_FULL
from tests.games.rummikub.driving import drive, random_choosing


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_what_is_told_is_what_is_allowed(name: str) -> None:
    kinds: set[str] = set()
    rng = random.Random(name)
    steps = drive(random_choosing(rng), rules=PRESETS[name], seats=(0, 1, 2), seed=5)
    for number, step in enumerate(steps):
        if number % (6 if IS_FULL else 18):
            continue
        for seat in (0, 1, 2, 3):
            told = {str(entry["kind"]) for entry in GAME.core.legal_view(step.match, seat)}
            allowed = {move.kind for move in GAME.core.legal(step.match, seat)}
            # Whether there is anything to lay nobody is told.
            assert told - {"lay"} == allowed - {"lay"}
            assert allowed <= told
            kinds |= told
    assert kinds >= {"lay", "draw", "arrange", "leave"}
