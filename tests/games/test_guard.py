"""The guard of a game: any exception except a refusal becomes a GameFault, which callers handle."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from inspect import getdoc, signature
from typing import Any

import pytest

from games.engine.base import IllegalMove, InvalidRules
from games.engine.game import GameFault, guard_game
from games.registry import GAMES
from tests.games.highest_card import GAME, HighestCard
from tests.games.values import parts_of


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


def list_calls(game: Any) -> list[Any]:
    calls = (
        game.rules.parse, game.money.format_title, game.core.play, game.stored.load, game.wire.read,
        game.view.public, game.records.deal,
    )  # fmt: skip
    optional = [part.answer for part in (game.hand_help, game.hand_tool) if part is not None]
    return [game.bots, *calls, *optional]


def fill_in(call: Any) -> tuple[list[None], dict[str, None]]:
    """Return positional and keyword arguments for a call: None for each that it requires."""
    needed = [one for one in signature(call).parameters.values() if one.default is one.empty]
    named = {one.name: None for one in needed if one.kind is one.KEYWORD_ONLY}
    return [None] * (len(needed) - len(named)), named


@pytest.mark.parametrize("code", GAMES)
def test_every_part_that_computes_is_guarded(code):
    """Not guarded are the parts that judge finished deals: they run in jobs, where Celery keeps errors."""
    for call in list_calls(GAMES[code]):
        args, kwargs = fill_in(call)
        assert call.__wrapped__
        # Any other exception fails the test. A few calls accept None.
        with suppress(GameFault, IllegalMove, InvalidRules):
            call(*args, **kwargs)


@pytest.mark.parametrize("code", GAMES)
def test_a_call_with_other_arguments_is_its_callers_mistake(code):
    for call in list_calls(GAMES[code]):
        with pytest.raises(TypeError):
            call(None, None, None, None, None, None)
        with pytest.raises(TypeError, match="wrong"):
            call(*fill_in(call)[0], wrong=1)


def test_a_type_error_of_the_game_itself_is_a_game_fault():
    with pytest.raises(GameFault, match="TypeError: no"):
        expire(TypeError("no"))


@pytest.mark.parametrize("code", GAMES)
def test_the_guard_shows_signatures_and_docstrings(code):
    game, own = GAMES[code], parts_of(code)
    assert signature(game.bots) == signature(own.bots)
    assert [*signature(game.bots).parameters] == ["view", "seat", "strength", "rng"]
    assert "`view` is" in str(getdoc(game.bots))
    assert signature(game.core.play) == signature(own.core.play)
    assert getdoc(game.core.play) == getdoc(own.core.play)
    assert game.core.__doc__ == own.core.__doc__
