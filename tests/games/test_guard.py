"""The guard of a game: whatever a game raises, the caller can handle it."""

import asyncio
from typing import Any, cast

import pytest

from games.engine.base import IllegalMove, InvalidRules
from games.engine.guard import GameFault, guarded


class Misbehaving:
    code = "bad"

    def raises(self, error):
        raise error

    def returns(self, value):
        return value


@pytest.fixture
def game():
    return guarded(cast("Any", Misbehaving()))


class Stranger(BaseException):
    pass


@pytest.mark.parametrize(
    "error",
    [
        StopIteration(3),
        StopAsyncIteration(),
        GeneratorExit(),
        SystemExit(1),
        asyncio.CancelledError(),
        ValueError("no"),
        KeyError("no"),
        RecursionError(),
        Stranger(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_whatever_a_game_raises_is_a_fault_of_the_game(game, error):
    with pytest.raises(GameFault, match=f"bad.raises: {type(error).__name__}") as fault:
        game.raises(error)
    assert fault.value.__cause__ is error


@pytest.mark.parametrize("error", [IllegalMove("code", "words"), InvalidRules("rules")])
def test_what_the_rules_refuse_comes_through(game, error):
    with pytest.raises(type(error)) as refusal:
        game.raises(error)
    assert refusal.value is error
