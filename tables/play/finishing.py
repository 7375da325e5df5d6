"""The end of a match: settled, and who goes, in the transaction of the move that ended it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db.models.functions import Now

from games.engine.base import Result
from tables.models import Match, MatchStatus, SeatStatus, Table, TableStatus
from tables.play.barred import barred_of
from tables.play.closing import close_row
from tables.play.delays import BETWEEN_PAUSE
from tables.play.locks import CommittedChange, LockedTable
from tables.play.occupancy import (
    LEAST_PLAYERS,
    call_bots,
    cash_out_sitting,
    in_lock_order,
    is_deserted_lesson,
    is_going,
    return_stack,
    send_bots_away,
    view_of_table,
)
from tables.play.results import tell_result
from tables.play.settlement import settle_match
from tables.play.signals import match_finished


def finish_match(
    table: LockedTable, step: CommittedChange, result: Result, entries: Mapping[int, int]
) -> CommittedChange:
    """Settle the match that this step has ended; returns the step with what everybody learns."""
    row = Table.objects.get(pk=table.id)
    match = row.matches.get(status=MatchStatus.RUNNING)
    if row.is_of_event:
        return _finish_for_event(table, row, match, step, result)
    settlement = settle_match(row, match, result, entries)
    Match.objects.filter(pk=match.pk).update(
        status=MatchStatus.FINISHED,
        ended_at=Now(),
        result=_result_json(result),
        settlement=settlement,
    )
    tell_result(row, match, result)
    row.settlement = settlement
    row.next_seed = table.next_seed
    row.next_order = _next_order(row, result)
    _let_go(table, row, match)
    closed = _close_or_pause(table, row)
    events = [*step.events, {"kind": "settled", **settlement}, *closed]
    step = replace(step, events=events)
    return step.telling(view_of_table(table, row))


def _finish_for_event(
    table: LockedTable, row: Table, match: Match, step: CommittedChange, result: Result
) -> CommittedChange:
    """Finish the only match of an event's table. The event is told in this transaction."""
    Match.objects.filter(pk=match.pk).update(
        status=MatchStatus.FINISHED, ended_at=Now(), result=_result_json(result)
    )
    tell_result(row, match, result)
    row.next_seed = table.next_seed
    row.status = table.status = TableStatus.CLOSED
    table.set_deadline(None)
    table.bot_due = None
    Table.objects.filter(pk=row.pk).update(status=TableStatus.CLOSED, closed_at=Now())
    match_finished.send(sender=Match, match_id=match.pk, table_id=row.pk, result=result)
    return step.telling(view_of_table(table, row))


def _result_json(result: Result) -> dict[str, Any]:
    return {
        "winners": list(result.winners),
        "points": {str(seat): points for seat, points in result.points.items()},
        "ranks": {str(seat): rank for seat, rank in result.ranks.items()},
        "scores": {str(seat): score for seat, score in result.scores.items()},
        "facts": dict(result.facts),
    }


def _next_order(row: Table, result: Result) -> list[int] | None:
    """R4.1: the order goes on, unless somebody who joined in the meantime waits."""
    joined = row.sittings.filter(left_at__isnull=True, status=SeatStatus.WAITING).exists()
    return None if joined else list(result.next_order)


def _let_go(table: LockedTable, row: Table, match: Match) -> None:
    """Let players go who wanted to leave or may not play any more.

    Winnings of a match with an entry fee go to the wallet: each player pays the fee of the next
    match anew.
    """
    sittings = row.sittings.filter(left_at__isnull=True)
    barred = barred_of(sittings.select_related("user"))
    for sitting in in_lock_order(sittings):
        if is_going(sitting, barred):
            cash_out_sitting(row, sitting)
        elif row.entry_fee and sitting.status == SeatStatus.PLAYING:
            return_stack(row, sitting, key=f"match:{match.pk}:seat:{sitting.pk}:cash_out")
    sittings.filter(status=SeatStatus.PLAYING).update(status=SeatStatus.WAITING)
    if not sittings.filter(user__is_bot=False).exists():
        send_bots_away(table, row)


def _close_or_pause(table: LockedTable, row: Table) -> list[dict[str, str]]:
    """Close a table that staff have wound up, and a deserted lesson; return what is told of that."""
    if row.closing_at is None and not is_deserted_lesson(row):
        _pause(table, row)
        return []
    row.save(update_fields=["settlement", "next_order"])
    close_row(table, row)
    return [{"kind": "closed"}]


def _pause(table: LockedTable, row: Table) -> None:
    """Wait for the next match while enough players are there."""
    seated = row.sittings.filter(left_at__isnull=True).count()
    goes_on = seated >= LEAST_PLAYERS
    row.status = TableStatus.BETWEEN if goes_on else TableStatus.WAITING
    table.status = TableStatus(row.status)
    table.set_deadline(table.now + BETWEEN_PAUSE if goes_on else None)
    row.save(update_fields=["status", "settlement", "next_order"])
    call_bots(table, row)
