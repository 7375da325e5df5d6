"""Staff end a table, a running match or a player's sitting; money is returned as if players had left.

A cancelled match has no winners, and entry fees are refunded. The table continues or closes, as staff decide.
`close_after_match` is a column: whichever process ends the match closes the table in the same transaction
(tables/play/finish.py), and so does a cancellation.
"""

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from core.emails.kinds import Values, register_mail_kind, render_greeting
from core.emails.texts import write_mail
from tables.models import ChangeKind, Match, MatchStatus, Seat, SeatStatus, Table, TableStatus
from tables.play.apply import forget_deferred_moves
from tables.play.change import Change, store_change
from tables.play.faults import resolve_faults
from tables.play.finish import NO_POT, close_row, schedule_next_match
from tables.play.lock import LockedTable, lock_table
from tables.play.seats import (
    call_bots,
    cash_out_sitting,
    filter_barred_players,
    is_going,
    note_bot_seats,
    save_seating,
    send_bots_away,
    sort_for_locking,
    view_of_table,
)
from tables.play.start import START_PAUSE, set_status
from tables.refusals import (
    MatchRunning,
    NoMatch,
    NotSeated,
    OnlyPeople,
    ReasonMissing,
    SeatsAreArranged,
    TableClosed,
    TableNotFound,
)
from tables.seating.queue import give_up
from tables.seating.sitting import leave_table
from wallet import api as wallet
from wallet.money import Currency

LONGEST_REASON = 200


@transaction.atomic
def cancel_match(
    *, match_id: int, reason: str, staff_id: int, closes_table: bool = False
) -> Change:
    """Cancel a running match. Points are not paid; entry fees and rejoins are refunded.

    With `closes_table` every player is stood up with their stack and the table closes. Raises ReasonMissing,
    NoMatch if the match has ended, SeatsAreArranged at a table of an event (which is cancelled as a whole). A
    repeated call finds no running match and changes nothing.
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
    wallet.refund_match(
        match_id=match.pk, currency=Currency(row.currency), key=f"match:{match.pk}:refund"
    )
    row.matches.filter(pk=match.pk).update(
        status=MatchStatus.CANCELLED, ended_at=Now(), cancelled_for=reason
    )
    _forget_the_match(table, row, staff_id)
    if closes_table or row.closing_at is not None:
        _close(table, row)
    else:
        _wait_for_next_match(table, row)
    return _store_cancelled(table, row, match, staff_id)


@transaction.atomic
def play_anew(*, match_id: int, reason: str, staff_id: int) -> Change:
    """Cancel the running match at an event's table and begin another one with the same players.

    Raises NoMatch if the match has ended or is not of an event.
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
        raise NoMatch
    _forget_the_match(table, row, staff_id)
    row.sittings.filter(left_at__isnull=True).update(status=SeatStatus.WAITING)
    set_status(table, row, TableStatus.STARTING)
    table.set_deadline(table.now + START_PAUSE)
    return _store_cancelled(table, row, match, staff_id)


def _forget_the_match(table: LockedTable, row: Table, staff_id: int) -> None:
    row.next_order, row.offer_at = None, None
    row.save(update_fields=["next_order", "offer_at"])
    table.state, table.bot_due = None, None
    resolve_faults(table, row, staff_id=staff_id)
    forget_deferred_moves(table)


@transaction.atomic
def close_table(*, table_id: int, staff_id: int | None) -> Change:
    """Close a table without a running match. Every player is stood up with their stack.

    Raises MatchRunning, TableClosed, or SeatsAreArranged at an event's table.
    """
    table = lock_table(table_id)
    row = Table.objects.get(pk=table_id)
    if table is None or table.status is TableStatus.CLOSED:
        raise TableClosed
    if row.is_of_event:
        raise SeatsAreArranged
    if row.matches.filter(status=MatchStatus.RUNNING).exists():
        raise MatchRunning
    resolve_faults(table, row, staff_id=staff_id)
    _close(table, row)
    return save_seating(table, row, [{"kind": "closed"}])


def _wait_for_next_match(table: LockedTable, row: Table) -> None:
    """Empty the seats of leaving and barred players. The others wait for the next match with their stacks."""
    seated = row.sittings.filter(left_at__isnull=True)
    barred = filter_barred_players(seated.select_related("user"))
    for sitting in sort_for_locking(seated):
        if is_going(sitting, barred):
            cash_out_sitting(row, sitting)
    seated.filter(status=SeatStatus.PLAYING).update(status=SeatStatus.WAITING)
    note_bot_seats(table, row)
    if row.is_hosted or not seated.filter(user__is_bot=False).exists():
        send_bots_away(table, row)
    schedule_next_match(table, row)
    call_bots(table, row)


def _close(table: LockedTable, row: Table) -> None:
    for place in row.queue.order_by("user_id"):
        give_up(place)
    close_row(table, row)


def _store_cancelled(table: LockedTable, row: Table, match: Match, staff_id: int) -> Change:
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


@transaction.atomic
def close_after_match(*, table_id: int, staff_id: int | None) -> Change:
    """Close the table at the end of the running match; without one, now. Until then nobody can sit down.

    `staff_id` is None if no staff member asks for it. Raises TableClosed, TableNotFound, or SeatsAreArranged
    at an event's table. A repeated call changes nothing but the version.
    """
    table, row = _lock(table_id)
    if not _find_running(row):
        return close_table(table_id=table_id, staff_id=staff_id)
    for place in row.queue.order_by("user_id"):
        give_up(place)
    Table.objects.filter(pk=row.pk, closing_at=None).update(closing_at=Now())
    row.refresh_from_db(fields=["closing_at"])
    return save_seating(table, row, [{"kind": "closing"}])


@transaction.atomic
def close_now(*, table_id: int, reason: str, staff_id: int) -> Change:
    """Cancel the running match, if there is one, and close the table: entry fees are refunded, points are not paid.

    Raises as `close_after_match` does, or ReasonMissing.
    """
    _table, row = _lock(table_id)
    match = _find_running(row)
    if match is None:
        return close_table(table_id=table_id, staff_id=staff_id)
    return cancel_match(match_id=match.pk, reason=reason, staff_id=staff_id, closes_table=True)


@transaction.atomic
def remove_player(*, table_id: int, user_id: int) -> Change:
    """Stand up a player who may not return to this table, and notify them by mail.

    In a deal this counts as a drop (R5.3); the stack is returned at the end of the match, as when players
    leave. Raises OnlyPeople for a bot, NotSeated for a player who neither sits nor waits here; TableClosed,
    TableNotFound, or SeatsAreArranged at an event's table.
    """
    table, row = _lock(table_id)
    user = User.objects.filter(pk=user_id, is_bot=False).first()
    if user is None:
        raise OnlyPeople
    places = list(row.queue.filter(user_id=user_id))
    for place in places:
        give_up(place)
    sitting = row.sittings.filter(user_id=user_id, left_at__isnull=True).first()
    if sitting is None and not places:
        raise NotSeated
    removed = sorted({*(row.removed or ()), user_id})
    Table.objects.filter(pk=row.pk).update(removed=removed)
    row.removed = removed
    _tell(user, row)
    if sitting is None or sitting.status == SeatStatus.LEAVING:
        return save_seating(table, row, [])  # they go when the match lets them, and stay away
    return leave_table(table_id=table_id, user_id=user_id)


def seats_at(table_id: int) -> list[Seat]:
    """Return the seats of a table by chair, bots included."""
    sittings = Seat.objects.filter(table_id=table_id, left_at__isnull=True)
    return list(sittings.select_related("user").order_by("number"))


def _lock(table_id: int) -> tuple[LockedTable, Table]:
    table = lock_table(table_id)
    if table is None:
        raise TableNotFound
    row = Table.objects.get(pk=table_id)
    if row.is_of_event:
        raise SeatsAreArranged
    if row.status == TableStatus.CLOSED:
        raise TableClosed
    return table, row


def _find_running(row: Table) -> Match | None:
    return row.matches.filter(status=MatchStatus.RUNNING).first()


def _tell(user: User, row: Table) -> None:
    write_mail(STOOD_UP, user=user, hint="account", table=row.said("name", user.language))


def _compose_stood_up(values: Values) -> tuple[str, str]:
    told = _(
        "Our staff have removed you from the table “%(table)s”. Your stack returns to your "
        "wallet, less the cost of leaving a running match. Write to us if you do not know why."
    )
    return _("You have left a table"), "\n".join([render_greeting(values), "", told % values])


STOOD_UP = register_mail_kind(
    "stood_up",
    gettext_lazy("Removed from a table by staff"),
    _compose_stood_up,
    table=gettext_lazy("the table's name"),
)
