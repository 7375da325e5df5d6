"""Runs synchronous database work for asynchronous code, on bounded pools of threads.

Channels would queue every query of a process on one shared thread, where one slow query stops every socket
(docs/adr/0004-the-move-path.md).
"""

import asyncio
import select
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from functools import partial
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

P = ParamSpec("P")
T = TypeVar("T")

# The event loop that waits for this thread; None on a thread that no loop waits for.
calling_loop: ContextVar[asyncio.AbstractEventLoop | None] = ContextVar(
    "calling_loop", default=None
)


class CallFailed(Exception):  # noqa: N818 - says what has happened
    """A call raised an exception that no future can carry out of a thread; it is the cause of this one."""


class TooMuchAsked(Exception):  # noqa: N818 - says what has happened
    """Too many calls wait for these threads; this one was not accepted."""


class Threads:
    """A pool of threads, each with its own database connection.

    Taking a connection from a pool for every call would cost a fifth of a move. Calls beyond `most_waiting`
    are not accepted; None accepts all.
    """

    def __init__(self, count: int, *, name: str, most_waiting: int | None = None) -> None:
        self._executor = ThreadPoolExecutor(count, thread_name_prefix=name)
        self._most = None if most_waiting is None else count + most_waiting
        self._taken = 0

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a service or a selector. Raises TooMuchAsked."""
        if self._most is not None and self._taken >= self._most:
            raise TooMuchAsked
        context, loop = copy_context(), asyncio.get_running_loop()
        context.run(calling_loop.set, loop)
        call = partial(context.run, _call, partial(function, *args, **kwargs))
        running = loop.run_in_executor(self._executor, call)
        self._taken += 1
        running.add_done_callback(self._give_back)
        # A cancelled caller frees no place: its call is still waiting or running.
        return await asyncio.shield(running)

    def _give_back(self, running: "asyncio.Future[T]") -> None:
        self._taken -= 1
        if not running.cancelled():
            running.exception()  # nobody may be left to ask for it


_moves = Threads(settings.MOVE_THREADS, name="database")
in_thread = _moves.run
# A small pool with a short queue for calls that must not delay moves: reading for spectators, and questions
# that a game has to compute.
_aside = Threads(settings.ASIDE_THREADS, name="aside", most_waiting=settings.ASIDE_WAITING)
aside = _aside.run
_questions = Threads(settings.QUESTION_THREADS, name="questions", most_waiting=20)
in_question_thread = _questions.run


def _call(function: Callable[[], T]) -> T:
    for connection in connections.all(initialized_only=True):
        if _has_ended(connection):
            connection.close()
    try:
        return function()
    except Exception as error:
        # asyncio refuses to set StopIteration on a future, and its waiter would wait for ever.
        if isinstance(error, StopIteration | StopAsyncIteration):
            raise CallFailed(repr(error)) from error
        raise
    except BaseException as error:
        # In the waiting task this would look like a cancellation, or end the event loop.
        raise CallFailed(repr(error)) from error
    finally:
        for connection in connections.all(initialized_only=True):
            if connection.errors_occurred:  # perhaps broken: the next call takes another one
                connection.close()


def _has_ended(connection: BaseDatabaseWrapper) -> bool:
    """Return whether an idle connection has ended: the server sends nothing else on it."""
    if connection.connection is None:
        return False
    readable = select.poll()
    readable.register(connection.connection.fileno(), select.POLLIN)
    return bool(readable.poll(0))
