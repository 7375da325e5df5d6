"""Runs synchronous database work for asynchronous code, on bounded pools of threads.

Channels would queue every query of a process on one shared thread, where one slow query stops every socket
(docs/adr/0004-the-move-path.md).
"""

import asyncio
from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, ParamSpec, TypeVar

import psycopg
from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

P = ParamSpec("P")
T = TypeVar("T")

# Code of this thread that the waiting event loop runs when the call ends; None on a thread that no loop waits for.
for_calling_loop: ContextVar[list[Callable[[], object]] | None] = ContextVar(
    "for_calling_loop", default=None
)


class CallFailed(Exception):  # noqa: N818 - says what has happened
    """A call in a thread raised an exception that a future cannot carry. That exception is the cause of this one."""


class TooMuchAsked(Exception):  # noqa: N818 - says what has happened
    """Too many calls are waiting for these threads, so this call was refused."""


class Threads:
    """A pool of threads, each with its own database connection.

    Taking a connection from a pool for every call would cost a fifth of a move. Calls are refused while
    `most_waiting` others wait; None sets no limit. An executor would wake the event loop more often, and make four
    objects with locks for each call.
    """

    def __init__(self, count: int, *, name: str, most_waiting: int | None = None) -> None:
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._count, self._name = count, name
        self._started = self._taken = 0
        self._most = None if most_waiting is None else count + most_waiting

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a service or a selector in one of the threads and return its result. Raises TooMuchAsked."""
        if self._most is not None and self._taken >= self._most:
            raise TooMuchAsked
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()
        call = partial(function, *args, **kwargs)
        self._taken += 1
        self._calls.put(partial(self._make, call, copy_context(), loop, answer))
        if self._started < min(self._taken, self._count):
            self._started += 1
            name = f"{self._name}_{self._started}"
            Thread(target=self._work, name=name, daemon=True).start()
        return await answer

    def _work(self) -> None:
        while True:
            self._calls.get()()

    def _make(
        self,
        call: Callable[[], T],
        context: Context,
        loop: asyncio.AbstractEventLoop,
        answer: "asyncio.Future[T]",
    ) -> None:
        """Run a call on this thread. Then wake the event loop `loop` once, for the result and all messages together."""
        sent: list[Callable[[], object]] = []
        context.run(for_calling_loop.set, sent)
        result: T | None = None
        error: Exception | None = None
        try:
            result = context.run(_call, call)
        except Exception as failed:  # noqa: BLE001 - the caller gets it
            error = failed
        try:
            loop.call_soon_threadsafe(self._end, sent, answer, result, error)
        except RuntimeError:  # the loop is closed
            self._taken -= 1

    def _end(
        self,
        sent: list[Callable[[], object]],
        answer: "asyncio.Future[Any]",
        result: object,
        error: Exception | None,
    ) -> None:
        # A cancelled caller did not free a place, because its call was still waiting or running.
        self._taken -= 1
        for one in sent:
            one()
        if answer.done():
            return
        if error is None:
            answer.set_result(result)
        else:
            answer.set_exception(error)


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
            if connection.errors_occurred:  # perhaps broken; the next call opens another one
                connection.close()


def _has_ended(connection: BaseDatabaseWrapper) -> bool:
    """Return whether an idle connection has ended. Does not release the interpreter lock."""
    if connection.connection is None:
        return False
    server = connection.connection.pgconn
    try:
        for _word_and_end in range(2):  # the server may say why it ends
            server.consume_input()
    except psycopg.OperationalError:
        return True
    return False
