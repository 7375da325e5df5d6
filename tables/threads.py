"""Running synchronous database work from asynchronous code, on a bounded pool of threads.

Channels' own way would queue every query of a process on one shared thread, where one slow query
stops every socket (docs/adr/0004-the-move-path.md).
"""

import asyncio
import select
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

P = ParamSpec("P")
T = TypeVar("T")

_threads = ThreadPoolExecutor(settings.MOVE_THREADS, thread_name_prefix="database")


async def in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a service or a selector on a thread that keeps its database connection.

    Taking the connection from the pool and giving it back for every call costs a fifth of a move.
    """
    call = partial(copy_context().run, _call, partial(function, *args, **kwargs))
    return await asyncio.get_running_loop().run_in_executor(_threads, call)


def _call(function: Callable[[], T]) -> T:
    for connection in connections.all(initialized_only=True):
        if _has_ended(connection):
            connection.close()
    try:
        return function()
    finally:
        for connection in connections.all(initialized_only=True):
            if connection.errors_occurred:  # perhaps broken: the next call takes another one
                connection.close()


def _has_ended(connection: BaseDatabaseWrapper) -> bool:
    """The server says nothing to an idle connection but that it is over."""
    if connection.connection is None:
        return False
    readable = select.poll()
    readable.register(connection.connection.fileno(), select.POLLIN)
    return bool(readable.poll(0))
