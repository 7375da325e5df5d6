"""The guard of a game: whatever a game raises, the caller can handle it."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from games.engine.base import IllegalMove, InvalidRules
from games.engine.game import GameFault, guard_game
from games.registry import GAMES
from tests.games.highest_card import GAME, HighestCard


class Misbehaving(HighestCard):
    def expire(self, match, *, now, seed):
        raise match


def expire(error):
    core = guard_game(replace(GAME, core=Misbehaving())).core
    core.expire(error, now=0, seed=b"")


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
def test_any_exception_of_a_game_becomes_a_game_fault(error):
    with pytest.raises(GameFault, match=f"highest.core.expire: {type(error).__name__}") as fault:
        expire(error)
    assert fault.value.__cause__ is error


@pytest.mark.parametrize("error", [IllegalMove("code", "words"), InvalidRules("rules")])
def test_refusals_of_the_rules_pass_the_guard(error):
    with pytest.raises(type(error)) as refusal:
        expire(error)
    assert refusal.value is error


@pytest.mark.parametrize("code", GAMES)
def test_every_part_that_computes_is_guarded(code):
    """Parts that judge finished deals run in jobs, whose errors Celery keeps."""
    game: Any = GAMES[code]
    calls = (
        game.rules.parse, game.money.format_title, game.core.play, game.stored.load, game.wire.read,
        game.view.public, game.records.deal,
    )  # fmt: skip
    optional = [part.answer for part in (game.hand_help, game.hand_tool) if part is not None]
    for call in (game.bots, *calls, *optional):
        with pytest.raises((GameFault, IllegalMove, InvalidRules)):
            call(None, None, None, None, None)
