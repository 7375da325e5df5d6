"""The clock: the loop of `manage.py clock`, which acts on tables whose deadline has passed.

Any number of clocks may run. Each due table is locked, checked again and acted on in its own transaction, so
a clock that dies midway has changed nothing.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeAlias

from django.conf import settings
from django.db import Error, connection, transaction

from core.threads import Threads
from games.engine.base import Instant
from games.engine.game import GameFault
from tables.models import Doing, Table, TableStatus
from tables.play.bots import play_for_seat
from tables.play.change import TableChange
from tables.play.faults import (
    give_time_back,
    list_owed_tables,
    list_untold_faults,
    put_out_of_order,
    report_fault,
    store_heartbeat,
    take_time_back,
)
from tables.play.lock import DATABASE_FAILED, LockedTable, lock_table
from tables.play.move import expire_deadline
from tables.play.start import start_match
from tables.seating.sitting import seat_bot

logger = logging.getLogger(__name__)

# A table with an open fault is out of order, even if the fault has not been announced at the table.
_DUE = """
SELECT t.id FROM tables_table t
 WHERE t.due_at <= clock_timestamp() AND NOT t.id = ANY(%s) AND NOT EXISTS (
       SELECT FROM tables_tablefault f WHERE f.table_id = t.id AND f.resolved_at IS NULL)
 ORDER BY CASE WHEN cardinality(t.bot_seats) = t.max_seats THEN 3
               WHEN coalesce(t.deadline_at > clock_timestamp(), true) THEN 2
               WHEN t.status = 'PLAYING' THEN 0 ELSE 1 END, t.due_at
 LIMIT %s"""
_NEXT = """
SELECT (extract(epoch FROM t.due_at - clock_timestamp()) * 1000)::bigint FROM tables_table t
 WHERE t.due_at IS NOT NULL AND NOT t.id = ANY(%s) AND NOT EXISTS (
       SELECT FROM tables_tablefault f WHERE f.table_id = t.id AND f.resolved_at IS NULL)
 ORDER BY t.due_at LIMIT 1"""


def list_due_tables(limit: int, *, without: Collection[int] = ()) -> list[int]:
    """Return the ids of tables at which something is due, the longest overdue first within each kind.

    Deadlines of running matches come first, then start timers, then bots' moves and arrivals. Tables at which only bots
    sit come last.
    """
    return [row[0] for row in _fetch_rows(_DUE, [list(without), limit])]


def wait_for_next(*, without: Collection[int] = ()) -> Instant | None:
    """Return the milliseconds until something is due, negative if it is overdue.

    Return None if no table waits for a time.
    """
    rows = _fetch_rows(_NEXT, [list(without)])
    return int(rows[0][0]) if rows else None


@transaction.atomic
def act_on_table(table_id: int) -> TableChange | None:
    """Take the most urgent action at a table. Return None if nothing was done.

    Nothing is done if another clock has locked the table, if the table is out of order, or if nothing is due.
    """
    table = lock_table(table_id, skip_locked=True)
    if table is None or table.is_broken:
        return None
    if table.deadline is not None and table.deadline <= table.now:
        if not _is_playing(table):
            return start_match(table)
        return take_time_back(table) or expire_deadline(table)
    if table.bot_due is not None and table.bot_due <= table.now:
        change = play_for_seat(table) if _is_playing(table) else seat_bot(table)
        if change is None:  # no bot is needed any more: the table must not stay due
            Table.objects.filter(pk=table_id).update(bot_due_at=None)
        return change
    return None


def _is_playing(table: LockedTable) -> bool:
    return table.status is TableStatus.PLAYING


def _fetch_rows(statement: str, parameters: Sequence[Any] = ()) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[Any] = cursor.fetchall()
        return rows


Service: TypeAlias = Callable[[int], TableChange | None]

LONGEST_SLEEP_SECONDS: Final = 0.5
SECONDS_BETWEEN_BEATS: Final = 1.0
# Check an act that has not finished after this time, and again after each further period.
SECONDS_BETWEEN_CHECKS: Final = 6.0
# An act that has used this much processor time itself is a game that does not return. Elapsed time proves
# nothing: a slow host or an unreachable database must not put a table out of order.
MOST_PROCESSOR_SECONDS: Final = 10.0
# Less than this between two checks means a waiting thread, not a computing game.
LEAST_WORK_SECONDS: Final = 0.05
# Pause before retrying a table that another clock has locked, so as not to spin on it.
HELD_REST_SECONDS: Final = 0.02
# Pause after a database error; the next attempt may succeed.
FAILED_REST_SECONDS: Final = 1.0
# Tables that are compensated for an outage in parallel.
OWED_AT_A_TIME: Final = 4

_acts = Threads(settings.CLOCK_THREADS, name="clock")
# Threads for queries and heartbeats, which must not wait for tables.
_looks = Threads(2, name="clock-look")


class _Act:
    """A service call on one table, and the processor time of its thread."""

    def __init__(self, service: Service, table_id: int) -> None:
        self._service = service
        self._table_id = table_id
        self._read_clock: Callable[[], float] = float  # until a thread takes the call
        self._began = self._seen = 0.0

    def __call__(self) -> TableChange | None:
        read_clock = _clock_of_this_thread()
        self._began = self._seen = read_clock()
        self._read_clock = read_clock
        return self._service(self._table_id)

    def processor_seconds(self) -> float:
        """Return the processor time used so far; 0 while the call still waits for a thread."""
        return self._read_clock() - self._began

    def has_worked(self) -> bool:
        """Return whether the thread has used the processor since the last check, rather than only waited."""
        last, self._seen = self._seen, self._read_clock()
        return self._seen - last > LEAST_WORK_SECONDS


def _clock_of_this_thread() -> Callable[[], float]:
    """Return a function that any thread can call to read this thread's processor time."""
    if hasattr(time, "pthread_getcpuclockid"):
        return partial(time.clock_gettime, time.pthread_getcpuclockid(threading.get_ident()))
    return time.process_time  # macOS has no such clock


class Clock:
    """The loop that wakes when the next deadline is due. Several clocks may run; each table is acted on by one of them.

    The clock never waits for a table: each table is handled in a task of its own, and so is the heartbeat.
    """

    def __init__(self) -> None:
        self._stopped = asyncio.Event()
        self._woken = asyncio.Event()
        self._acting: dict[int, asyncio.Task[None]] = {}
        self._resting: dict[int, float] = {}  # table to when it is tried again
        self._settled_outage = 0
        self._settling: asyncio.Task[None] | None = None

    def stop(self) -> None:
        self._stopped.set()
        self._woken.set()

    async def run(self) -> None:
        beating = asyncio.create_task(self._keep_heartbeat())
        try:
            while not self._stopped.is_set():
                self._woken.clear()
                try:
                    pause = await self._poll()
                except DATABASE_FAILED as error:
                    logger.warning("a look of the clock failed: %s", error)
                    pause = LONGEST_SLEEP_SECONDS
                except Exception:  # a tick's loop: the database may be back at the next look
                    logger.exception("a look of the clock failed")
                    pause = LONGEST_SLEEP_SECONDS
                await self._sleep(pause)
        finally:
            settling = [] if self._settling is None else [self._settling]
            await asyncio.gather(beating, *settling, *self._acting.values())

    async def _poll(self) -> float:
        """Start acting on everything that is due. Return the seconds to sleep."""
        room = settings.CLOCK_THREADS - len(self._acting)
        if room <= 0:
            return LONGEST_SLEEP_SECONDS  # an act that ends wakes the clock
        busy = [*self._acting, *self._at_rest()]
        wait = await _looks.run(wait_for_next, without=busy)
        if wait is not None and wait <= 0:
            for table_id in await _looks.run(list_due_tables, room, without=busy):
                self._acting[table_id] = asyncio.create_task(self._act(table_id))
            return 0
        rest = min(self._resting.values(), default=float("inf")) - time.monotonic()
        soonest = min(rest, LONGEST_SLEEP_SECONDS if wait is None else wait / 1000)
        return min(max(soonest, 0.001), LONGEST_SLEEP_SECONDS)

    async def _act(self, table_id: int) -> None:
        try:
            rest = await self._do(act_on_table, table_id, Doing.DEADLINE)
            if rest > 0:
                self._resting[table_id] = time.monotonic() + rest
        finally:
            del self._acting[table_id]
            self._woken.set()

    async def _do(self, service: Service, table_id: int, doing: Doing) -> float:
        """Run a service on one table. Return the seconds during which to skip the table afterwards.

        A failure affects only this table.
        """
        act = _Act(service, table_id)
        running = asyncio.ensure_future(_acts.run(act))
        try:
            while not (await asyncio.wait({running}, timeout=SECONDS_BETWEEN_CHECKS))[0]:
                used = act.processor_seconds()
                if used >= MOST_PROCESSOR_SECONDS:
                    problem = f"the game used {used:.0f} seconds of processor and goes on"
                    await self._report(table_id, doing, GameFault(problem))
                    return FAILED_REST_SECONDS
                if not act.has_worked():
                    logger.warning("table %s is tried again: the database was silent", table_id)
                    return FAILED_REST_SECONDS
            change = running.result()
        except DATABASE_FAILED as error:  # nothing is wrong with the table
            logger.warning("table %s is tried again: %s", table_id, error)
            return FAILED_REST_SECONDS
        except Exception as error:  # noqa: BLE001 - a game may fail in any way
            await self._report(table_id, doing, error)
            return FAILED_REST_SECONDS
        return HELD_REST_SECONDS if change is None else 0

    async def _report(self, table_id: int, doing: Doing, error: Exception) -> None:
        try:
            await _looks.run(report_fault, table_id=table_id, doing=doing, error=error)
        except Error:  # the next try finds the fault again
            logger.exception("the fault of table %s could not be stored", table_id)

    async def _keep_heartbeat(self) -> None:
        while not self._stopped.is_set():
            try:
                await self._send_heartbeat()
            except DATABASE_FAILED as error:
                logger.warning("a beat of the clock failed: %s", error)
            except Exception:  # a tick's loop: the next beat may succeed
                logger.exception("a beat of the clock failed")
            with suppress(TimeoutError):
                async with asyncio.timeout(SECONDS_BETWEEN_BEATS):
                    await self._stopped.wait()

    async def _send_heartbeat(self) -> None:
        outage = await _looks.run(store_heartbeat)
        if outage > self._settled_outage and (self._settling is None or self._settling.done()):
            self._settling = asyncio.create_task(self._settle(outage))
        for table_id in await _looks.run(list_untold_faults):
            await _looks.run(put_out_of_order, table_id)

    async def _settle(self, outage: int) -> None:
        """Compensate running tables for an outage, and announce the new deadlines at each table.

        A table that is locked, or cannot be compensated now, is compensated when its deadline comes.
        """
        try:
            owed = await _looks.run(list_owed_tables, outage)
        except Error as error:  # the next beat begins it again
            logger.warning("the outage is not given back yet: %s", error)
            return
        for begin in range(0, len(owed), OWED_AT_A_TIME):
            some = owed[begin : begin + OWED_AT_A_TIME]
            await asyncio.gather(*(self._do(give_time_back, id_, Doing.OUTAGE) for id_ in some))
        self._settled_outage = outage

    def _at_rest(self) -> Iterable[int]:
        now = time.monotonic()
        self._resting = {id_: until for id_, until in self._resting.items() if until > now}
        return self._resting

    async def _sleep(self, seconds: float) -> None:
        if seconds <= 0:
            return
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return
