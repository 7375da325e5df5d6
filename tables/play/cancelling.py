"""Staff cancel a running match: nobody wins, entry fees are refunded, points are not paid."""

from django.db import transaction
from django.db.models.functions import Now

from core.refusals import Refusal
from tables.models import ChangeKind, Match, MatchStatus, SeatStatus, Table, TableStatus
from tables.play.apply import forget_deferred_moves
from tables.play.change import TableChange, store_change
from tables.play.faults import resolve_faults
from tables.play.finish import close_row, schedule_next_match
from tables.play.lock import LockedTable, lock_table
from tables.play.seats import (
    call_bots,
    cash_out_sitting,
    filter_barred_players,
    is_going,
    record_bot_seats,
    send_bots_away,
    sort_for_locking,
    view_of_table,
)
from tables.play.stakes import NO_POT
from tables.play.start import START_PAUSE, set_status
from tables.refusals import CLOSING_REASON_MISSING, NO_MATCH, SEATS_ARE_ARRANGED
from wallet import api as wallet
from wallet.money import Currency

LONGEST_REASON = 200


@transaction.atomic
def cancel_match(*, match_id: int, reason: str, staff_id: int) -> TableChange:
    """Cancel a running match. Points are not paid; entry fees and rejoins are refunded.

    A table that staff are closing closes now; any other waits for its next match. A repeated call finds no running
    match and changes nothing. Raises CLOSING_REASON_MISSING, NO_MATCH if the match has ended, or SEATS_ARE_ARRANGED at
    a table of an event, which is cancelled as a whole.
    """
    if not 0 < len(reason.strip()) <= LONGEST_REASON:
        raise Refusal(CLOSING_REASON_MISSING)
    table_id = Match.objects.values_list("table_id", flat=True).get(pk=match_id)
    table = lock_table(table_id)
    if table is None:
        raise Refusal(NO_MATCH)
    row = Table.objects.get(pk=table_id)
    match = row.matches.filter(pk=match_id, status=MatchStatus.RUNNING).first()
    if match is None:
        raise Refusal(NO_MATCH)
    if row.is_of_event:
        raise Refusal(SEATS_ARE_ARRANGED)
    wallet.refund_match(
        match_id=match.pk, currency=Currency(row.currency), key=f"match:{match.pk}:refund"
    )
    row.matches.filter(pk=match.pk).update(
        status=MatchStatus.CANCELLED, ended_at=Now(), cancelled_for=reason
    )
    _forget_the_match(table, row, staff_id)
    if row.closing_at is not None:
        close_row(table, row)
    else:
        _wait_for_next_match(table, row)
    return _store_cancelled(table, row, match, staff_id)


@transaction.atomic
def play_anew(*, match_id: int, reason: str, staff_id: int) -> TableChange:
    """Cancel the running match at an event's table and begin another match with the same players.

    Raises NO_MATCH if the match has ended or does not belong to an event.
    """
    match = Match.objects.get(pk=match_id)
    table = lock_table(match.table_id)
    row = Table.objects.get(pk=match.table_id)
    running = row.matches.filter(pk=match_id, status=MatchStatus.RUNNING)
    if (
        table is None
        or not row.is_of_event
        or not running.update(status=MatchStatus.CANCELLED, ended_at=Now(), cancelled_for=reason)
    ):
        raise Refusal(NO_MATCH)
    _forget_the_match(table, row, staff_id)
    row.sittings.filter(left_at__isnull=True).update(status=SeatStatus.WAITING)
    set_status(table, row, TableStatus.STARTING)
    table.set_deadline(table.now + START_PAUSE)
    return _store_cancelled(table, row, match, staff_id)


def _forget_the_match(table: LockedTable, row: Table, staff_id: int) -> None:
    row.next_order, row.split_offer_at = None, None
    row.save(update_fields=["next_order", "split_offer_at"])
    table.state, table.bot_due = None, None
    resolve_faults(table, row, staff_id=staff_id)
    forget_deferred_moves(table)


def _wait_for_next_match(table: LockedTable, row: Table) -> None:
    """Empty the seats of players who are leaving or barred. The others wait for the next match with their stacks."""
    seated = row.sittings.filter(left_at__isnull=True)
    barred = filter_barred_players(seated.select_related("user"))
    for sitting in sort_for_locking(seated):
        if is_going(sitting, barred):
            cash_out_sitting(row, sitting)
    seated.filter(status=SeatStatus.PLAYING).update(status=SeatStatus.WAITING)
    record_bot_seats(table, row)
    if row.is_hosted or not seated.filter(user__is_bot=False).exists():
        send_bots_away(table, row)
    schedule_next_match(table, row)
    call_bots(table, row)


def _store_cancelled(table: LockedTable, row: Table, match: Match, staff_id: int) -> TableChange:
    closed = [{"kind": "closed"}] if row.status == TableStatus.CLOSED else []
    seating = view_of_table(table, row)
    return store_change(
        table,
        ChangeKind.CANCELLED,
        match_id=match.pk,
        move={"staff": staff_id},
        events=[{"kind": "match_cancelled", "match": match.pk}, *closed],
        patch={**seating, "table": {**seating["table"], **NO_POT}, "game": None},
    )
