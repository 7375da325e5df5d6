"""The loop of `manage.py clock`: everything at the tables that happens by itself."""

import asyncio
import logging
import time

from tables.broadcast import announce
from tables.services.deadlines import act_on_table, beat, due_tables, wait_for_next
from tables.threads import in_thread

logger = logging.getLogger(__name__)

LONGEST_SLEEP_SECONDS = 0.5
SECONDS_BETWEEN_BEATS = 1.0
TABLES_AT_A_TIME = 64
# A table that cannot be acted on is tried again after this, and holds up no other meanwhile.
SECONDS_OUT_OF_ORDER = 10.0


class Clock:
    """Wakes when the next deadline is due. Several may run; each table is acted on by one."""

    def __init__(self) -> None:
        self._stopped = asyncio.Event()
        self._last_beat = float("-inf")
        self._out_of_order: dict[int, float] = {}  # table to when it is tried again

    def stop(self) -> None:
        self._stopped.set()

    async def run(self) -> None:
        while not self._stopped.is_set():
            try:
                pause = await self._round()
            except Exception:  # a tick's loop: the database may be back at the next look
                logger.exception("a round of the clock failed")
                pause = LONGEST_SLEEP_SECONDS
            if pause > 0:
                await self._sleep(pause)

    async def _round(self) -> float:
        """Act on everything that is due; returns how many seconds to sleep."""
        await self._beat()
        excluded = self._excluded()
        due = await in_thread(due_tables, TABLES_AT_A_TIME, without=excluded)
        if due:
            acted = await asyncio.gather(*(self._act(table_id) for table_id in due))
            # Tables that another clock holds are its business: no spinning on them.
            return 0 if any(acted) else 0.02
        wait = await in_thread(wait_for_next, without=excluded)
        if wait is None:
            return LONGEST_SLEEP_SECONDS
        return min(max(wait, 1) / 1000, LONGEST_SLEEP_SECONDS)

    async def _act(self, table_id: int) -> bool:
        try:
            step = await in_thread(act_on_table, table_id)
        except Exception:  # one bad table does not stop the others
            logger.exception("table %s: its deadline could not be acted on", table_id)
            self._out_of_order[table_id] = time.monotonic() + SECONDS_OUT_OF_ORDER
            return False
        if step is None:
            return False
        await announce([step])
        return True

    def _excluded(self) -> list[int]:
        now = time.monotonic()
        self._out_of_order = {id_: at for id_, at in self._out_of_order.items() if at > now}
        return list(self._out_of_order)

    async def _beat(self) -> None:
        now = time.monotonic()
        if now - self._last_beat >= SECONDS_BETWEEN_BEATS:
            self._last_beat = now
            await announce(await in_thread(beat))

    async def _sleep(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._stopped.wait(), seconds)
        except TimeoutError:
            return
