"""R10.4b: an event waits for its slowest table, so turns there become short and deals are counted.

`Table.overtime_at` is when turns become short, `count_at` when the running deal is counted at the
end of a turn. Both are columns that every step looks at: no process has to be alive at that time.
Where only bots sit nobody reads a result, and the next deal comes at once.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tables.games.base import TIMES, Event, Game, Instant
from tables.games.overtime import Overtime
from tables.play.locks import LockedTable


def hastened(
    table: LockedTable, game: Game[Any, Any, Any], state: Any, events: Sequence[Event]
) -> tuple[Any, Sequence[Event]]:
    """The state with the times that the table leaves it, and events that say the same."""
    if table.is_of_bots and not game.acting(state) and game.deadline(state) is not None:
        return game.hasten(state, due_by=table.now + 1, count_by=None), events
    overtime = _overtime_of(table)
    if overtime is None:
        return state, events
    hasty = overtime.hastened(game, state, now=table.now)
    if hasty is state:
        return state, events
    due_by = overtime.due_by(table.now)
    return hasty, [_sooner(event, due_by) for event in events]


def _overtime_of(table: LockedTable) -> Overtime | None:
    if table.overtime_at is None or table.count_at is None:
        return None
    return Overtime(table.overtime_at, (table.overtime_turn_seconds or 0) * 1000, table.count_at)


def _sooner(event: Event, due_by: Instant) -> Event:
    due_at = event.data.get("due_at")
    if event.kind not in TIMES or not isinstance(due_at, int) or due_at <= due_by:
        return event
    return replace(event, data={**event.data, "due_at": due_by})
