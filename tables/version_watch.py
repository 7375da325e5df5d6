"""The heartbeat of this process's sockets: one query for all their tables finds what was missed."""

import asyncio
import logging
from collections import defaultdict
from typing import Protocol

from django.db import Error

from tables import database_clock, presence
from tables.selectors import versions
from tables.threads import in_thread

logger = logging.getLogger(__name__)

SECONDS_BETWEEN_LOOKS = 2


class Watcher(Protocol):
    async def catch_up_to(self, version: int) -> None:
        """Called with the table's newest version."""

    async def present_are(self, seats: frozenset[int]) -> None:
        """Called with the seats whose browsers are connected."""


class VersionWatch:
    """Knows the sockets of this process by table; runs while there are any."""

    def __init__(self) -> None:
        self._watchers: defaultdict[int, set[Watcher]] = defaultdict(set)
        self._task: asyncio.Task[None] | None = None

    def add(self, table_id: int, watcher: Watcher) -> None:
        self._watchers[table_id].add(watcher)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    def remove(self, table_id: int, watcher: Watcher) -> None:
        self._watchers[table_id].discard(watcher)
        if not self._watchers[table_id]:
            del self._watchers[table_id]

    async def _run(self) -> None:
        while self._watchers:
            try:
                await self._look()
            except Error as error:  # the next look may succeed
                logger.warning("the versions of the tables could not be read: %s", error)
            await asyncio.sleep(SECONDS_BETWEEN_LOOKS)

    async def _look(self) -> None:
        tables = list(self._watchers)
        newest, now = await in_thread(versions, tables)
        database_clock.set_to(now)
        here = await presence.present(tables)
        for table_id, version in newest.items():
            for watcher in list(self._watchers.get(table_id, ())):
                await self._tell(watcher, version, here.get(table_id))

    async def _tell(self, watcher: Watcher, version: int, here: frozenset[int] | None) -> None:
        try:
            await watcher.catch_up_to(version)
            if here is not None:
                await watcher.present_are(here)
        except Exception:  # a tick's loop: one socket does not stop the others
            logger.exception("a socket could not be brought up to date")


watch = VersionWatch()
