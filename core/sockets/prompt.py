"""Runs coroutines that usually end without waiting, such as those that send."""

from collections.abc import Callable, Coroutine, Generator
from contextlib import AbstractAsyncContextManager
from functools import partial
from types import coroutine
from typing import Any


async def run_within(
    wanted: Coroutine[Any, Any, None], limit: Callable[[], AbstractAsyncContextManager[object]]
) -> None:
    """Run a coroutine. If it has to wait, run the rest of it in the context manager that `limit` returns.

    A timeout around every sent frame would take a fifth of the time of sending the frame.
    """
    try:
        waits_for = wanted.send(None)
    except StopIteration:
        return
    async with limit():
        await _go_on(wanted, waits_for)


@coroutine
def _go_on(begun: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, Any, None]:
    """Continue a coroutine that has already begun, until it ends. `waits_for` is the future that it is waiting for."""
    while True:
        try:
            step = partial(begun.send, (yield waits_for))
        except BaseException as error:  # noqa: BLE001 - it is the coroutine's
            step = partial(begun.throw, error)
        try:
            waits_for = step()
        except StopIteration:
            return
