"""The heartbeats of a process. They check the versions and presence of its sockets' tables, and the sockets' sessions.

One heartbeat checks all sockets of the process together. It runs while the process has sockets.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from django.db import Error

from accounts.sessions.revocation import find_ended
from core.threads import TooMuchAsked, in_thread
from tables.live import presence
from tables.play.reading import list_people_missing, read_versions

logger = logging.getLogger(__name__)

K = TypeVar("K", bound=Hashable)
S = TypeVar("S")


class WatchLoop(Generic[K, S]):
    """A regular check of sockets, in groups that share a key: a table or a session."""

    seconds_between_checks: float

    def __init__(self) -> None:
        self._sockets: defaultdict[K, set[S]] = defaultdict(set)
        self._task: asyncio.Task[None] | None = None

    async def check(self) -> None:
        """Check every key for changes, and notify the sockets concerned."""
        raise NotImplementedError

    def register(self, key: K, socket: S) -> None:
        self._sockets[key].add(socket)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    def discard(self, key: K, socket: S) -> None:
        """Remove a socket, if it is registered."""
        if key not in self._sockets:
            return
        self._sockets[key].discard(socket)
        if not self._sockets[key]:
            del self._sockets[key]

    def list_sockets(self, key: K) -> list[S]:
        return list(self._sockets.get(key, ()))

    def keys(self) -> list[K]:
        return list(self._sockets)

    async def _run(self) -> None:
        while self._sockets:
            try:
                await self.check()
            except Error as error:  # the next check may succeed
                logger.warning("%s: the database does not answer: %s", type(self).__name__, error)
            except Exception:  # it is the only loop of this process
                logger.exception("%s: a check failed", type(self).__name__)
            await asyncio.sleep(self.seconds_between_checks)


# Together with the duration of a check, well under the 5 seconds that docs/protocol.md promises.
SECONDS_BETWEEN_SESSION_CHECKS = 3


class WatchedSocket(Protocol):
    """A socket that belongs to a session. `signed_in` holds the user and the session's key; None without an account."""

    signed_in: tuple[int, str] | None

    async def close_ended(self) -> None: ...


class SessionWatch(WatchLoop[tuple[int, str], WatchedSocket]):
    """The check of the sessions of this process's sockets, grouped by user and session."""

    seconds_between_checks = SECONDS_BETWEEN_SESSION_CHECKS

    def add(self, guest: WatchedSocket) -> None:
        if guest.signed_in is not None:
            self.register(guest.signed_in, guest)

    def remove(self, guest: WatchedSocket) -> None:
        if guest.signed_in is not None:
            self.discard(guest.signed_in, guest)

    async def check(self) -> None:
        """Close the sockets of sessions that have ended."""
        for over in await in_thread(find_ended, self.keys()):
            for guest in self.list_sockets(over):
                await self._close_ended(guest)

    async def _close_ended(self, guest: WatchedSocket) -> None:
        self.remove(guest)
        try:
            await guest.close_ended()
        except Exception:  # a tick's loop: one socket does not stop the others
            logger.exception("a socket could not be closed")


session_watch = SessionWatch()


SECONDS_BETWEEN_CHECKS = 2
# Tables checked together. A larger batch would keep the other sockets waiting.
TABLES_AT_A_TIME = 50
# Sockets that are sent something at the same time, and how long the next one waits for a slot. A socket
# whose client does not read takes longer, and then continues in the background.
TOLD_AT_A_TIME = 16
SECONDS_TO_WAIT = 0.5


class Watcher(Protocol):
    @property
    def is_spectator(self) -> bool:
        """Return True if the table is shown to a person without a seat."""

    def is_behind(self, version: int, company: presence.TablePresence | None) -> bool:
        """Return whether the socket lacks a version or the current presence.

        It must not await, because it is called for every socket.
        """

    async def catch_up_to(self, version: int) -> None:
        """Send what the socket has missed, up to the table's newest version."""

    async def present_are(self, company: presence.TablePresence) -> None:
        """Send who is present: the connected seats, and those whose players are on another page."""


class VersionWatch(WatchLoop[int, Watcher]):
    """The check of the versions and presence of this process's sockets, grouped by table."""

    seconds_between_checks = SECONDS_BETWEEN_CHECKS

    def __init__(self) -> None:
        super().__init__()
        # Watchers that are being sent something, and the task that does it.
        self._telling: dict[Watcher, asyncio.Task[None]] = {}
        self._counted_at = 0

    def add(self, table_id: int, watcher: Watcher) -> None:
        self.register(table_id, watcher)

    def remove(self, table_id: int, watcher: Watcher) -> None:
        self.discard(table_id, watcher)

    async def check(self) -> None:
        """Check every table. Tables that cannot be read do not stop the others."""
        tables = self.keys()
        await self._count_spectators(tables)
        for begin in range(0, len(tables), TABLES_AT_A_TIME):
            try:
                await self._check(tables[begin : begin + TABLES_AT_A_TIME])
            except Error as error:  # the next check may succeed
                logger.warning("the versions of the tables could not be read: %s", error)
            except Exception:  # only these tables are skipped
                logger.exception("some tables could not be looked at")

    async def _count_spectators(self, tables: Sequence[int]) -> None:
        begins_at = presence.count_begins_at()
        if begins_at == self._counted_at:
            return
        self._counted_at = begins_at
        counts = {
            table_id: sum(watcher.is_spectator for watcher in self.list_sockets(table_id))
            for table_id in tables
        }
        await presence.add_spectators(
            begins_at, {pk: count for pk, count in counts.items() if count}
        )

    async def _check(self, tables: Sequence[int]) -> None:
        newest, now = await in_thread(read_versions, tables)
        presence.record_database_time(now)
        await presence.write(tables)
        here = await self._company_at(newest)
        places = asyncio.Semaphore(TOLD_AT_A_TIME)
        for table_id, (version, _people) in newest.items():
            company = here.get(table_id)
            for watcher in self.list_sockets(table_id):
                if watcher not in self._telling and watcher.is_behind(version, company):
                    await places.acquire()
                    self._begin_to_tell(watcher, version, company, places)
            await asyncio.sleep(0)  # moves go first
        await self._await_told(places)

    async def _company_at(
        self, newest: Mapping[int, tuple[int, int]]
    ) -> Mapping[int, presence.TablePresence]:
        """Return who is present at each table. Only tables with an absent player cost a database query."""
        here = await presence.present(newest.keys())
        waiting = {
            table_id: seats for table_id, seats in here.items() if len(seats) < newest[table_id][1]
        }
        missing = await in_thread(list_people_missing, waiting) if waiting else {}
        elsewhere = await presence.on_other_pages(missing) if missing else {}
        return {
            table_id: presence.TablePresence(seats, elsewhere.get(table_id, frozenset()))
            for table_id, seats in here.items()
        }

    def _begin_to_tell(
        self,
        watcher: Watcher,
        version: int,
        here: presence.TablePresence | None,
        places: asyncio.Semaphore,
    ) -> None:
        loop = asyncio.get_running_loop()
        self._telling[watcher] = loop.create_task(self._deliver(watcher, version, here))
        patience = loop.call_later(SECONDS_TO_WAIT, places.release)

        def end(_task: asyncio.Task[None]) -> None:
            del self._telling[watcher]
            if not patience.cancelled() and patience.when() > loop.time():
                patience.cancel()
                places.release()

        self._telling[watcher].add_done_callback(end)

    async def _await_told(self, places: asyncio.Semaphore) -> None:
        for _ in range(TOLD_AT_A_TIME):
            await places.acquire()

    async def _deliver(
        self, watcher: Watcher, version: int, here: presence.TablePresence | None
    ) -> None:
        try:
            await watcher.catch_up_to(version)
            if here is not None:
                await watcher.present_are(here)
        except TooMuchAsked:
            return  # the next check may find room
        except Error as error:
            logger.warning("a socket could not be brought up to date: %s", error)
        except Exception:  # a tick's loop: one socket does not stop the others
            logger.exception("a socket could not be brought up to date")


version_watch = VersionWatch()
