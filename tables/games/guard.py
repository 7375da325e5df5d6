"""A game behind a guard: also when it fails, its caller gets an answer, and within seconds.

Games are other people's code to the table layer. What one raises may be something that no future
carries out of a thread (StopIteration) or that ends an event loop (SystemExit), and it may not come
back at all. Behind the guard a call returns, raises `IllegalMove` or `InvalidRules`, or raises
`GameFault`, which harms one table (tables/play/faults.py).
"""

import ctypes
import os
import threading
import time
from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar, cast

from tables.games.base import Game, IllegalMove, InvalidRules

P = ParamSpec("P")
T = TypeVar("T")

LONGEST_CALL_SECONDS: Final = 5
_TICKS: Final = 20


class GameFault(Exception):  # noqa: N818 - what it is called in the administration
    """The game has failed: a fault of its code, and no refusal of a move."""


class _Overdue(BaseException):
    """Raised inside a game that does not come back; `except Exception` of the game lets it pass."""


class _Call:
    __slots__ = ("began_at", "is_interrupted", "thread")

    def __init__(self, thread: int, began_at: int) -> None:
        self.thread = thread
        self.began_at = began_at
        self.is_interrupted = False


class _Watchdog:
    """Ends calls that take too long by an exception in their thread.

    Time is counted in its own ticks, so a process that was stopped for a minute has lost none. Code
    that never returns to the interpreter (a long call into C) is interrupted when it does.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: dict[_Call, None] = {}
        self._tick = 0
        self._thread: threading.Thread | None = None

    def watch(self) -> _Call:
        call = _Call(threading.get_ident(), self._tick)
        with self._lock:
            self._calls[call] = None
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="game watchdog", daemon=True)
                self._thread.start()
        return call

    def end(self, call: _Call) -> None:
        """After this nothing is raised in the thread any more for the sake of this call.

        An exception that is on its way to a thread cannot be taken back: the interpreter would
        look for it before every step from then on, and a thread that is traced would look for ever
        (CPython 3.11). So it is waited for here.
        """
        is_over = False
        while not is_over:
            try:
                with self._lock:
                    self._calls.pop(call, None)
                if call.is_interrupted:
                    # Whether or not the last one has come: now there is exactly one to come.
                    _raise_in(call.thread, _Overdue)
                    while True:
                        time.sleep(0)
                is_over = True
            except _Overdue:
                is_over = call not in self._calls

    def _run(self) -> None:
        pause = threading.Event()
        while True:
            pause.wait(LONGEST_CALL_SECONDS / _TICKS)
            self._tick += 1
            with self._lock:
                for call in self._calls:
                    if self._tick - call.began_at > _TICKS:
                        call.is_interrupted = True
                        _raise_in(call.thread, _Overdue)


def _raise_in(thread: int, error: type[BaseException]) -> None:
    """Have the thread raise this at its next step, in place of one that it has not raised yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


_watchdog = _Watchdog()


def _begin_anew() -> None:
    """A forked process has none of its parent's threads."""
    global _watchdog  # noqa: PLW0603 - one for each process
    _watchdog = _Watchdog()


os.register_at_fork(after_in_child=_begin_anew)


def guarded(game: Game[Any, Any, Any]) -> Game[Any, Any, Any]:
    """The same game; every call of a method ends in one of the four ways above."""
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
        watchdog = _watchdog
        watched = watchdog.watch()
        try:
            try:
                return method(*args, **kwargs)
            finally:
                watchdog.end(watched)
        except (IllegalMove, InvalidRules, KeyboardInterrupt):
            raise
        except _Overdue as error:
            problem = f"{name} did not come back within {LONGEST_CALL_SECONDS} seconds"
            raise GameFault(problem) from error
        except BaseException as error:
            raise GameFault(f"{name}: {type(error).__name__}: {error}") from error

    return call
