"""R10.4b: an event waits for its slowest table, so turns there become short and deals are counted.

`Table.overtime_at` is when turns become short, `count_at` when the running deal is counted at the
end of a turn. Both are columns that every step looks at: no process has to be alive at that time.
Where only bots sit nobody reads a result, and the next deal comes at once.
"""

from dataclasses import replace
from typing import Any

from games.engine.base import TIMES, Event, Instant
from games.engine.core import Outcome
from games.engine.game import Game
from games.engine.overtime import Overtime
from tables.play.locks import LockedTable


def hastened(table: LockedTable, game: Game, outcome: Outcome) -> Outcome:
    """The state with the times that the table leaves it, and events that say the same."""
    state, status = outcome.state, outcome.status
    if table.is_of_bots and not status.acting and status.deadline is not None:
        hasty = game.core.hasten(state, due_by=table.now + 1, count_by=None)
        return _with(game, outcome, hasty)
    overtime = _overtime_of(table)
    if overtime is None:
        return outcome
    hasty = overtime.hastened(game, state, now=table.now)
    if hasty is state:
        return outcome
    due_by = overtime.due_by(table.now)
    events = tuple(_sooner(event, due_by) for event in outcome.events)
    return replace(_with(game, outcome, hasty), events=events)


def _with(game: Game, outcome: Outcome, hasty: Any) -> Outcome:
    status = replace(outcome.status, deadline=game.core.status(hasty).deadline)
    return replace(outcome, state=hasty, status=status)


def _overtime_of(table: LockedTable) -> Overtime | None:
    if table.overtime_at is None or table.count_at is None:
        return None
    return Overtime(table.overtime_at, (table.overtime_turn_seconds or 0) * 1000, table.count_at)


def _sooner(event: Event, due_by: Instant) -> Event:
    due_at = event.data.get("due_at")
    if event.kind not in TIMES or not isinstance(due_at, int) or due_at <= due_by:
        return event
    return replace(event, data={**event.data, "due_at": due_by})
