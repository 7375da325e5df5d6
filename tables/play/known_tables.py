"""Rows of tables as this process has last stored them, so that the next move need not read them again.

A known row is only a cache. The statement that stores a move names the version of the row on which it was played, and
stores nothing if there is a newer one (`save_change`). Sitting down or getting up makes a newer version, too, because
triggers count the taken seats in the row. See docs/adr/0029-a-move-in-one-statement.md.
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from threading import Lock
from typing import Final

from tables.play.database_time import database_time
from tables.play.lock import LockedTable
from tables.play.seat_view import REMEMBERED

_known: OrderedDict[int, tuple[LockedTable, Mapping[int, int]]] = OrderedDict()
_lock: Final = Lock()


def remember(table: LockedTable, user_id: int, *, read: str) -> None:
    """Remember a table as a step has just committed it. That step must have stored only its change (`save_change`).

    `read` is the version of the row before the step. Seats that were known at that version are still valid.
    """
    if table.seat is None:
        return
    with _lock:
        before = _known.get(table.id)
        seats = before[1] if before is not None and before[0].row == read else {}
        if seats.get(user_id) != table.seat:
            seats = {**seats, user_id: table.seat}
        _known[table.id] = table, seats
        _known.move_to_end(table.id)
        if len(_known) > REMEMBERED:
            _known.popitem(last=False)


def recall(table_id: int, user_id: int) -> LockedTable | None:
    """Return the remembered table for a move of this user, or None. It is not locked, and its time is an estimate."""
    known, now = _known.get(table_id), database_time.estimate()
    if known is None or now is None:
        return None
    table, seats = known
    seat = seats.get(user_id)
    if seat is None or table.state is None:
        return None
    base = table.row, table.state
    return replace(table, seat=seat, now=max(now, table.now), base=base)
