"""Readings for the watchers of this process: one at a time for each table, however many ask."""

import asyncio
import time
from typing import Final

from core.threads import aside
from tables.live import delayed_view
from tables.live.delayed_view import SECONDS_SHARED, Reading, read_anew
from tables.play.reading import Standing, standing

# Whoever asks for a new one again and again gets one this often.
SECONDS_BETWEEN: Final = 1.0

_TABLES_KEPT: Final = 1_000

_under_way: dict[int, asyncio.Task[Reading | None]] = {}
# What a table is to somebody without an account, and when that was asked.
_standings: dict[int, tuple[float, Standing]] = {}


async def standing_of_nobody(table_id: int) -> Standing | None:
    """Shared like the readings: knocking again and again costs no query. Raises TooMuchAsked.

    That there is no such table is not kept.
    """
    asked_at, current = _standings.get(table_id, (0.0, None))
    if current is not None and time.monotonic() - asked_at < SECONDS_SHARED:
        return current
    began = time.monotonic()
    current = await aside(standing, table_id=table_id, user_id=None)
    if current is not None:
        if len(_standings) >= _TABLES_KEPT:
            _standings.clear()
        _standings[table_id] = (began, current)
    return current


async def reading(table_id: int, *, since: float) -> Reading | None:
    """One that has begun at `since` (time.monotonic()) or later; None if there is no such table.

    Raises TooMuchAsked.
    """
    while True:
        last = delayed_view.last_reading(table_id)
        if last is not None and last.began_at >= since:
            return last
        task = _under_way.get(table_id)
        if task is None:
            task = asyncio.get_running_loop().create_task(_read(table_id, last))
            _under_way[table_id] = task
        made = await asyncio.shield(task)
        if made is None or made.began_at >= since:
            return made


async def _read(table_id: int, last: Reading | None) -> Reading | None:
    try:
        if last is not None:
            await asyncio.sleep(last.began_at + SECONDS_BETWEEN - time.monotonic())
        return await aside(read_anew, table_id)
    finally:
        # Not by a callback of the task: a caller that finds it ended would ask it again for ever.
        del _under_way[table_id]
