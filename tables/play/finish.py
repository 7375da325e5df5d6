"""The end of a match: its result, the players who leave, and the next match.

All of it happens in the transaction of the last move.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db.models.functions import Now
from django.dispatch import Signal
from django.utils import timezone

from core.models import WebhookEvent
from core.refusals import Refusal
from core.webhooks.delivery import record_result
from games.engine.base import Instant, Result
from tables.models import Match, MatchStatus, SeatStatus, Table, TableStatus
from tables.play.change import TableChange
from tables.play.lock import LockedTable
from tables.play.seats import (
    SLOW_WAIT,
    call_bots,
    cash_out_sitting,
    filter_barred_players,
    is_deserted_lesson,
    is_going,
    needs_press,
    plays_on,
    record_bot_seats,
    return_stack,
    send_bots_away,
    set_awaits_press,
    sort_for_locking,
    view_of_table,
    wait_for_press,
)
from tables.play.stakes import settle_match

BETWEEN_PAUSE: Instant = 15_000

# Sent in the transaction that ends a match at an event's table, with `match_id`, `table_id` and `result` (a
# games.engine.base.Result by seat). A failing receiver undoes the last move.
match_finished = Signal()


def announce_result(table: Table, match: Match, result: Result) -> None:
    """Record the webhook event about a match's end, in the transaction that ends the match."""
    now = timezone.now()
    people = [player["user"] for player in match.players.values()]
    record_result(
        WebhookEvent.MATCH_ENDED,
        lambda: _build_result(table, match, result),
        people=people,
        now=now,
    )


def _build_result(table: Table, match: Match, result: Result) -> dict[str, Any]:
    return {
        "match": match.pk,
        "table": {"id": table.pk, "name": table.name},
        "game": table.game,
        "format": table.format,
        "started_at": match.started_at,
        "players": [
            {
                "seat": int(seat),
                "id": player["user"],
                "name": player["name"],
                "bot": player["bot"],
                "rank": result.ranks.get(int(seat)),
            }
            for seat, player in sorted(match.players.items())
        ],
        "winners": list(result.winners),
    }


def close_row(table: LockedTable, row: Table) -> None:
    """Close a table at which no match is running, and cash out all its players. The caller has locked it."""
    for sitting in sort_for_locking(row.sittings.filter(left_at__isnull=True)):
        cash_out_sitting(row, sitting)
    record_bot_seats(table, row)
    row.status = table.status = TableStatus.CLOSED
    row.awaits_press = False
    Table.objects.filter(pk=row.pk).update(
        status=TableStatus.CLOSED, closed_at=Now(), awaits_press=False
    )
    table.set_deadline(None)
    table.bot_due = None


class NotSettledError(Exception):
    """The ledger has refused a payment that a match owes its players: a fault of the site, not of the last move."""


def finish_match(
    table: LockedTable, change: TableChange, result: Result, entries: Mapping[int, int]
) -> TableChange:
    """Settle the match that this change has ended. Return the change, extended by the settlement and the new seating.

    A match without stakes has no settlement. Raises NotSettledError; then the table is put out of order.
    """
    try:
        return _finish(table, change, result, entries)
    except Refusal as refused:
        raise NotSettledError(f"table {table.id}: {refused.code}") from refused


def _finish(
    table: LockedTable, change: TableChange, result: Result, entries: Mapping[int, int]
) -> TableChange:
    row = Table.objects.get(pk=table.id)
    match = row.matches.get(status=MatchStatus.RUNNING)
    if row.is_of_event:
        return _finish_for_event(table, row, match, change, result)
    settlement = None if row.is_free else settle_match(row, match, result, entries)
    row.matches.filter(pk=match.pk).update(
        status=MatchStatus.FINISHED,
        ended_at=Now(),
        result=_result_json(result),
        settlement=settlement,
    )
    announce_result(row, match, result)
    row.settlement = settlement
    row.next_seed = table.next_seed
    row.next_order = _choose_next_order(row, result)
    _release_leaving(table, row, match)
    closed = _close_or_pause(table, row)
    settled = [] if settlement is None else [{"kind": "settled", **settlement}]
    events = [*change.events, *settled, *closed]
    change = replace(change, events=events)
    return _add_standing(table, row, change, result)


def _add_standing(
    table: LockedTable, row: Table, change: TableChange, result: Result
) -> TableChange:
    seating = view_of_table(table, row)
    standing = {**seating["table"], "places": _key_by_seat(result.ranks)}
    return change.with_patch({**seating, "table": standing})


def _finish_for_event(
    table: LockedTable, row: Table, match: Match, change: TableChange, result: Result
) -> TableChange:
    """Finish the only match of an event's table, and inform the event in this transaction."""
    row.matches.filter(pk=match.pk).update(
        status=MatchStatus.FINISHED, ended_at=Now(), result=_result_json(result)
    )
    announce_result(row, match, result)
    row.next_seed = table.next_seed
    row.status = table.status = TableStatus.CLOSED
    table.set_deadline(None)
    table.bot_due = None
    Table.objects.filter(pk=row.pk).update(status=TableStatus.CLOSED, closed_at=Now())
    match_finished.send(sender=Match, match_id=match.pk, table_id=row.pk, result=result)
    return _add_standing(table, row, change, result)


def _result_json(result: Result) -> dict[str, Any]:
    return {
        "winners": list(result.winners),
        "points": _key_by_seat(result.points),
        "ranks": _key_by_seat(result.ranks),
        "scores": _key_by_seat(result.scores),
        "facts": dict(result.facts),
    }


def _key_by_seat(numbers: Mapping[int, int]) -> dict[str, int]:
    return {str(seat): number for seat, number in numbers.items()}


def _choose_next_order(row: Table, result: Result) -> list[int] | None:
    """Return the seating order of the next match (R4.1).

    Return None if a new player waits for that match, because cards then decide the order.
    """
    joined = row.sittings.filter(left_at__isnull=True, status=SeatStatus.WAITING).exists()
    return None if joined else list(result.next_order)


def _release_leaving(table: LockedTable, row: Table, match: Match) -> None:
    """Empty the seats of players who wanted to leave or may no longer play.

    If the match had an entry fee, the winnings go to the wallet, because each player pays the next match's fee anew. At
    a hosted table, and at a table without people, the bots stand up, too.
    """
    sittings = row.sittings.filter(left_at__isnull=True)
    barred = filter_barred_players(sittings.select_related("user"))
    for sitting in sort_for_locking(sittings):
        if is_going(sitting, barred):
            cash_out_sitting(row, sitting)
        elif row.entry_fee and sitting.status == SeatStatus.PLAYING:
            return_stack(row, sitting, key=f"match:{match.pk}:seat:{sitting.pk}:cash_out")
    sittings.filter(status=SeatStatus.PLAYING).update(status=SeatStatus.WAITING)
    if row.bots_take_over:
        record_bot_seats(table, row)
    # Between matches of a hosted table, a bot's chair stays free for a late friend.
    if row.is_hosted or not sittings.filter(user__is_bot=False).exists():
        send_bots_away(table, row)


def _close_or_pause(table: LockedTable, row: Table) -> list[dict[str, str]]:
    """Close a table that staff are closing, or a deserted lesson. Otherwise schedule the next match.

    Return the events of the closing, if any.
    """
    row.save(update_fields=["settlement", "next_order"])
    if row.closing_at is None and not is_deserted_lesson(row):
        schedule_next_match(table, row)
        call_bots(table, row)
        return []
    close_row(table, row)
    return [{"kind": "closed"}]


def get_pause(row: Table) -> Instant:
    """Return the milliseconds from the end of a match to the next one."""
    return SLOW_WAIT if row.is_slow else BETWEEN_PAUSE


def schedule_next_match(table: LockedTable, row: Table) -> None:
    """Schedule the next match after a pause.

    If a player has to ask for the match, it waits until that player asks. If there are too few players, it waits for
    more.
    """
    goes_on = plays_on(row)
    row.status = TableStatus.BETWEEN if goes_on else TableStatus.WAITING
    table.status = TableStatus(row.status)
    Table.objects.filter(pk=row.pk).update(status=row.status)
    if goes_on and needs_press(row):
        wait_for_press(table, row)
    else:
        set_awaits_press(row, value=False)
        table.set_deadline(table.now + get_pause(row) if goes_on else None)
