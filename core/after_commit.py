"""Messages and calls that wait for the commit of a transaction.

Every message is only a hint, because the heartbeats also find changes in the database. A commit therefore neither
waits for a message nor fails with it.
"""

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Coroutine
from contextvars import copy_context
from functools import partial
from typing import Any, TypeVar

from django.db import transaction

from core.threads import for_calling_loop

logger = logging.getLogger(__name__)

Message = TypeVar("Message")
Send = Callable[[Message], Coroutine[Any, Any, None]]

# The event loop keeps only weak references to its tasks.
_under_way: set[asyncio.Task[None]] = set()


def call_after_commit(function: Callable[..., object], *arguments: Any, **named: Any) -> None:
    """Call the function after the commit; a rollback drops the call.

    A failure is logged: the transaction is committed, and the remaining calls are made.
    """

    # Not a `partial`: Django reads the name of a failing callback, and a `partial` has none.
    def call() -> None:
        function(*arguments, **named)

    transaction.on_commit(call, robust=True)  # noqa: TID251


def send_after_commit(send: Send[Message], message: Message) -> None:
    """Call `send(message)` on an event loop after the commit; a rollback drops the message.

    If an event loop is waiting for this thread, it sends the message when the thread's call ends (core/threads.py),
    otherwise the loop of a background thread does. Messages of a transaction are sent in order.
    """
    call_after_commit(_hand_over, send, message)


def _hand_over(send: Send[Message], message: Message) -> None:
    # Run in a copy of the context, so that the message's logs and traces belong to its cause.
    context, waiting = copy_context(), for_calling_loop.get()
    if waiting is None:
        _background.loop().call_soon_threadsafe(_begin, send, message, context=context)
    else:
        context.run(for_calling_loop.set, None)  # the call has ended when the message is sent
        waiting.append(partial(context.run, _begin, send, message))


def send_in_background(send: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Call `send` on the event loop of the background thread."""
    _background.loop().call_soon_threadsafe(_begin, send)


def _begin(send: Callable[..., Coroutine[Any, Any, None]], *message: Any) -> None:
    task = asyncio.get_running_loop().create_task(_send(send, *message))
    _under_way.add(task)
    task.add_done_callback(_under_way.discard)


async def _send(send: Callable[..., Coroutine[Any, Any, None]], *message: Any) -> None:
    try:
        await send(*message)
    except Exception:  # a lost hint, and nobody waits for the task
        logger.exception("a message was not sent")


class _Background:
    """An event loop on a separate thread, for code that no event loop waits for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(
                    target=self._loop.run_forever, name="messages", daemon=True
                ).start()
            return self._loop


_background = _Background()


def _start_empty() -> None:
    """Reset this module after a fork, which does not copy threads and may copy a lock that is held."""
    global _background  # noqa: PLW0603 - one for each process
    _background = _Background()


os.register_at_fork(after_in_child=_start_empty)
