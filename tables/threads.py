"""Running synchronous database work from asynchronous code, on a bounded pool of threads.

Channels' own way would queue every query of a process on one shared thread, where one slow query
stops every socket (docs/adr/0004-the-move-path.md).
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections

P = ParamSpec("P")
T = TypeVar("T")

_threads = ThreadPoolExecutor(settings.MOVE_THREADS, thread_name_prefix="database")


async def in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a service or a selector; its connection goes back to the pool afterwards."""

    def call() -> T:
        close_old_connections()
        try:
            return function(*args, **kwargs)
        finally:
            close_old_connections()

    return await sync_to_async(call, thread_sensitive=False, executor=_threads)()
