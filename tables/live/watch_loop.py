"""The loop of a process that looks after its sockets: it runs while there are any."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Hashable
from typing import Generic, TypeVar

from django.db import Error

logger = logging.getLogger(__name__)

K = TypeVar("K", bound=Hashable)
S = TypeVar("S")


class WatchLoop(Generic[K, S]):
    """Sockets by what is checked for all of them together: a table, a session."""

    seconds_between_looks: float

    def __init__(self) -> None:
        self._sockets: defaultdict[K, set[S]] = defaultdict(set)
        self._task: asyncio.Task[None] | None = None

    async def look(self) -> None:
        """Read what has changed, and tell the sockets that it concerns."""
        raise NotImplementedError

    def keep(self, key: K, socket: S) -> None:
        self._sockets[key].add(socket)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    def let_go(self, key: K, socket: S) -> None:
        """Also of one that is not there."""
        if key not in self._sockets:
            return
        self._sockets[key].discard(socket)
        if not self._sockets[key]:
            del self._sockets[key]

    def sockets_of(self, key: K) -> list[S]:
        return list(self._sockets.get(key, ()))

    def keys(self) -> list[K]:
        return list(self._sockets)

    async def _run(self) -> None:
        while self._sockets:
            try:
                await self.look()
            except Error as error:  # the next look may succeed
                logger.warning("%s: the database does not answer: %s", type(self).__name__, error)
            except Exception:  # it is the only loop of this process
                logger.exception("%s: a look failed", type(self).__name__)
            await asyncio.sleep(self.seconds_between_looks)
