"""Tables while play rests (accounts/notifications/site_notices.py): a match that was to begin waits,
and begins by itself within a minute after the end of the maintenance."""

from datetime import UTC, datetime
from typing import Any, Final

from accounts.notifications.site_notices import next_stop
from tables.models import Table
from tables.play.locks import CommittedChange, LockedTable
from tables.play.occupancy import save_seating

RESTING_PAUSE: Final = 60_000  # milliseconds


def stop_for(table: LockedTable, row: Table) -> datetime | None:
    """Return the stop that ends play at a table; none at a table of an event, which is played to its end."""
    return None if row.is_of_event else next_stop(now=_now(table))


def rests(table: LockedTable, stop: datetime | None) -> bool:
    return stop is not None and stop <= _now(table)


def wait(table: LockedTable, row: Table) -> CommittedChange:
    """The start timer runs anew; everybody keeps their seat and stack."""
    table.set_deadline(table.now + RESTING_PAUSE)
    return save_seating(table, row, [{"kind": "resting"}])


def warning(stop: datetime | None) -> list[dict[str, Any]]:
    """Return the events that tell players of a new match about a stop ahead."""
    if stop is None:
        return []
    return [{"kind": "rest_announced", "at": round(stop.timestamp() * 1000)}]


def _now(table: LockedTable) -> datetime:
    return datetime.fromtimestamp(table.now / 1000, tz=UTC)
