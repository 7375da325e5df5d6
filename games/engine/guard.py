"""A game behind a guard: whatever it raises, its caller gets an answer it can handle.

To the table layer, a game is somebody else's code. It may raise an exception that a future cannot
carry out of a thread (StopIteration) or that ends an event loop (SystemExit). Behind the guard a
call returns, raises `IllegalMove` or `InvalidRules`, or raises `GameFault`, which puts one table
out of order (tables/play/faults.py).

No call is timed: a slow host must not break a table. Solvers and bots bound their own work by
counts, and the clock gives up on a table whose call does not return (tables/clock/loop.py).
"""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

from games.engine.base import Game, IllegalMove, InvalidRules

P = ParamSpec("P")
T = TypeVar("T")


class GameFault(Exception):  # noqa: N818 - what it is called in the administration
    """A game raised an unexpected exception: a bug in its code, not a refused move."""


def guarded(game: Game[Any, Any, Any]) -> Game[Any, Any, Any]:
    """Wrap a game so that each method call ends in one of the ways listed above."""
    return cast("Game[Any, Any, Any]", _Guarded(game))


class _Guarded:
    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._game, name)
        if callable(value):
            value = _guard(value, f"{self._game.code}.{name}")
            setattr(self, name, value)  # found without a search from now on
        return value


def _guard(method: Callable[P, T], name: str) -> Callable[P, T]:
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return method(*args, **kwargs)
        except (IllegalMove, InvalidRules, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise GameFault(f"{name}: {type(error).__name__}: {error}") from error

    return call
