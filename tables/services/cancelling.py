"""Staff end a running match: nobody wins, whoever paid an entry fee has it back."""

from django.db import transaction
from django.db.models.functions import Now

from tables.locks import LockedTable, Step, lock_table, save_step
from tables.models import ChangeKind, Match, MatchStatus, SeatStatus, Table, TableStatus
from tables.refusals import NoMatch, ReasonMissing, SeatsAreArranged
from tables.services.chairs import (
    LEAST_PLAYERS,
    call_bots,
    cash_out_sitting,
    in_lock_order,
    send_bots_away,
    view_of_table,
)
from tables.services.pauses import BETWEEN_PAUSE
from tables.services.steps import set_drop_seats
from wallet import services as wallet
from wallet.money import Currency

LONGEST_REASON = 200


@transaction.atomic
def cancel_match(*, match_id: int, reason: str, staff_id: int) -> Step:
    """Cancel a running match. Points are not paid; entry fees and rejoins go back whole.

    Raises ReasonMissing, NoMatch if the match has ended, SeatsAreArranged at a table of an event
    (which is cancelled as a whole). A repeated call finds no running match and changes nothing.
    """
    if not 0 < len(reason.strip()) <= LONGEST_REASON:
        raise ReasonMissing
    table_id = Match.objects.values_list("table_id", flat=True).get(pk=match_id)
    table = lock_table(table_id)
    if table is None:
        raise NoMatch
    row = Table.objects.get(pk=table_id)
    match = row.matches.filter(pk=match_id, status=MatchStatus.RUNNING).first()
    if match is None:
        raise NoMatch
    if row.is_of_event:
        raise SeatsAreArranged
    wallet.refund_entries(
        match_id=match.pk, currency=Currency(row.currency), key=f"match:{match.pk}:refund"
    )
    Match.objects.filter(pk=match.pk).update(
        status=MatchStatus.CANCELLED, ended_at=Now(), cancelled_for=reason
    )
    return _begin_anew(table, row, match, staff_id)


def _begin_anew(table: LockedTable, row: Table, match: Match, staff_id: int) -> Step:
    """Who wanted to leave goes; the others wait for the next match with the stacks they had."""
    for sitting in in_lock_order(row.sittings.filter(left_at__isnull=True)):
        is_last = sitting.is_last_deal and sitting.status == SeatStatus.PLAYING
        if sitting.status == SeatStatus.LEAVING or is_last:
            cash_out_sitting(row, sitting)
    seated = row.sittings.filter(left_at__isnull=True)
    seated.filter(status=SeatStatus.PLAYING).update(status=SeatStatus.WAITING)
    if not seated.filter(user__is_bot=False).exists():
        send_bots_away(table, row)
    goes_on = seated.count() >= LEAST_PLAYERS
    row.status = TableStatus.BETWEEN if goes_on else TableStatus.WAITING
    row.next_order, row.offer_at = None, None
    row.save(update_fields=["status", "next_order", "offer_at"])
    table.status, table.state, table.bot_due = TableStatus(row.status), None, None
    set_drop_seats(table, ())
    table.set_deadline(table.now + BETWEEN_PAUSE if goes_on else None)
    call_bots(table, row)
    step = Step(
        table_id=table.id,
        version=table.next_version(),
        kind=ChangeKind.CANCELLED,
        at=table.now,
        match_id=match.pk,
        move={"staff": staff_id},
        events=[{"kind": "match_cancelled", "match": match.pk}],
        patch={**view_of_table(table, row), "game": None},
    )
    save_step(table, step)
    return step
