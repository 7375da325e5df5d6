"""Requests of many sockets at one moment, served together."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

Item = TypeVar("Item", bound=Hashable)


@dataclass(slots=True)
class _Waiting(Generic[Item]):
    """The waiting requests of one event loop."""

    items: set[Item] = field(default_factory=set)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class Gathered(Generic[Item]):
    """`work` is given all that came while it was at work before; it handles its own failures."""

    def __init__(self, work: Callable[[Collection[Item]], Awaitable[None]]) -> None:
        self._work = work
        self._waiting: WeakKeyDictionary[asyncio.AbstractEventLoop, _Waiting[Item]]
        self._waiting = WeakKeyDictionary()

    async def do(self, items: Collection[Item]) -> None:
        """Returns when these are done, by this caller or another one."""
        waiting = self._waiting.setdefault(asyncio.get_running_loop(), _Waiting())
        waiting.items.update(items)
        async with waiting.turn:
            if waiting.items.isdisjoint(items):
                return
            taken, waiting.items = waiting.items, set()
            try:
                await self._work(taken)
            except asyncio.CancelledError:
                waiting.items |= taken  # for the next of those who wait for them
                raise
