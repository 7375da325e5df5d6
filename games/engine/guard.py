"""A game behind a guard: whatever it raises, its caller gets an answer it can handle.

To the table layer, a game is somebody else's code. It may raise an exception that a future cannot
carry out of a thread (StopIteration) or that ends an event loop (SystemExit). Behind the guard a
call returns, raises `IllegalMove` or `InvalidRules`, or raises `GameFault`, which puts one table
out of order (tables/play/faults.py).

No call is timed: a slow host must not break a table. Solvers and bots bound their own work by
counts, and the clock gives up on a table whose call does not return (tables/live/clock.py).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ParamSpec, TypeVar

from games.engine.base import IllegalMove, InvalidRules
from games.engine.game import Game

P = ParamSpec("P")
T = TypeVar("T")


class GameFault(Exception):  # noqa: N818 - what it is called in the administration
    """A game raised an unexpected exception: a bug in its code, not a refused move."""


def guarded(game: Game) -> Game:
    """Return the game with every call that the table layer makes ending in one of these ways."""
    parts: dict[str, Any] = {
        name: _Guarded(part, f"{game.code}.{name}")
        for name in _PARTS
        if (part := getattr(game, name)) is not None
    }
    return replace(game, bots=_guard(game.bots, f"{game.code}.bots"), **parts)


_PARTS = (
    *("rules", "money", "core", "stored", "wire", "view", "records"),
    *("hand_help", "hand_tool"),
)


class _Guarded:
    """A part of a game: its public methods guarded, its values as they are."""

    def __init__(self, part: object, name: str) -> None:
        for call in (call for call in dir(part) if not call.startswith("_")):
            value = getattr(part, call)
            setattr(self, call, _guard(value, f"{name}.{call}") if callable(value) else value)


def _guard(method: Callable[P, T], name: str) -> Callable[P, T]:
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return method(*args, **kwargs)
        except (IllegalMove, InvalidRules, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise GameFault(f"{name}: {type(error).__name__}: {error}") from error

    return call
