"""The heartbeat of this process's sockets: what they missed, found for many tables at once."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol

from django.db import Error

from tables import database_clock, presence
from tables.selectors import versions
from tables.threads import in_thread

logger = logging.getLogger(__name__)

SECONDS_BETWEEN_LOOKS = 2
# Looked at together. The sockets of more would keep the others waiting for their turn.
TABLES_AT_A_TIME = 50


class Watcher(Protocol):
    def is_behind(self, version: int, seats: frozenset[int] | None) -> bool:
        """Whether it lacks something: asked of every socket, so nothing is awaited for it."""

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
        for begin in range(0, len(tables), TABLES_AT_A_TIME):
            await self._look_at(tables[begin : begin + TABLES_AT_A_TIME])

    async def _look_at(self, tables: Sequence[int]) -> None:
        newest, now = await in_thread(versions, tables)
        database_clock.set_to(now)
        await presence.write(tables)
        here = await presence.present(tables)
        for table_id, version in newest.items():
            seats = here.get(table_id)
            watchers = self._watchers.get(table_id, ())
            for watcher in [one for one in watchers if one.is_behind(version, seats)]:
                await self._tell(watcher, version, seats)
            await asyncio.sleep(0)  # moves go first

    async def _tell(self, watcher: Watcher, version: int, here: frozenset[int] | None) -> None:
        try:
            await watcher.catch_up_to(version)
            if here is not None:
                await watcher.present_are(here)
        except Exception:  # a tick's loop: one socket does not stop the others
            logger.exception("a socket could not be brought up to date")


watch = VersionWatch()
