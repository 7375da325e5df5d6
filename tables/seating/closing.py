"""Staff close a table or end a player's sitting. Money is returned as if the players had left.

A column stores that a table is to close after its match. Whichever process ends or cancels the match closes the table
in the same transaction (tables/play/finish.py, tables/play/cancelling.py).
"""

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from core.emails.kinds import Values, register_mail_kind, render_greeting
from core.emails.texts import write_mail
from core.refusals import Refusal
from tables.models import Match, MatchStatus, Seat, SeatStatus, Table, TableStatus
from tables.play.cancelling import cancel_match
from tables.play.change import TableChange
from tables.play.faults import resolve_faults
from tables.play.finish import close_row
from tables.play.lock import LockedTable, lock_table
from tables.play.seats import (
    save_seating,
)
from tables.refusals import (
    MATCH_RUNNING,
    ONLY_PEOPLE,
    SEATS_ARE_ARRANGED,
    TABLE_CLOSED,
    NotSeated,
    TableNotFound,
)
from tables.seating.queue import give_up
from tables.seating.sitting import leave_table


@transaction.atomic
def close_table(*, table_id: int, staff_id: int | None) -> TableChange:
    """Close a table at which no match is running. Every player is stood up and gets their stack back.

    Raises MATCH_RUNNING, TABLE_CLOSED, or SEATS_ARE_ARRANGED at an event's table.
    """
    table = lock_table(table_id)
    row = Table.objects.get(pk=table_id)
    if table is None or table.status is TableStatus.CLOSED:
        raise Refusal(TABLE_CLOSED)
    if row.is_of_event:
        raise Refusal(SEATS_ARE_ARRANGED)
    if row.matches.filter(status=MatchStatus.RUNNING).exists():
        raise Refusal(MATCH_RUNNING)
    resolve_faults(table, row, staff_id=staff_id)
    _close(table, row)
    return save_seating(table, row, [{"kind": "closed"}])


def _close(table: LockedTable, row: Table) -> None:
    for place in row.queue.order_by("user_id"):
        give_up(place)
    close_row(table, row)


@transaction.atomic
def close_after_match(*, table_id: int, staff_id: int | None) -> TableChange:
    """Close the table when the running match ends, or at once if none is running. Until then no player can sit down.

    `staff_id` is None if the closing is automatic. A repeated call changes nothing but the version. Raises
    TABLE_CLOSED, TableNotFound, or SEATS_ARE_ARRANGED at an event's table.
    """
    table, row = _lock(table_id)
    if not _find_running(row):
        return close_table(table_id=table_id, staff_id=staff_id)
    _wind_up(row)
    row.refresh_from_db(fields=["closing_at"])
    return save_seating(table, row, [{"kind": "closing"}])


@transaction.atomic
def cancel_and_close(*, match_id: int, reason: str, staff_id: int) -> TableChange:
    """Cancel a running match, stand every player up with their stack, and close the table.

    Raises whatever `cancel_match` raises.
    """
    row = Table.objects.get(matches__pk=match_id)
    lock_table(row.pk)
    _wind_up(row)
    return cancel_match(match_id=match_id, reason=reason, staff_id=staff_id)


def _wind_up(row: Table) -> None:
    """Mark the table to close with its match, and empty its waiting list. The caller has locked it."""
    for place in row.queue.order_by("user_id"):
        give_up(place)
    Table.objects.filter(pk=row.pk, closing_at=None).update(closing_at=Now())


@transaction.atomic
def close_now(*, table_id: int, reason: str, staff_id: int) -> TableChange:
    """Cancel the running match, if there is one, and close the table. Entry fees are refunded, points are not paid.

    Raises whatever `close_after_match` raises, or CLOSING_REASON_MISSING.
    """
    _table, row = _lock(table_id)
    match = _find_running(row)
    if match is None:
        return close_table(table_id=table_id, staff_id=staff_id)
    return cancel_and_close(match_id=match.pk, reason=reason, staff_id=staff_id)


@transaction.atomic
def remove_player(*, table_id: int, user_id: int) -> TableChange:
    """Stand up a player, bar them from this table, and notify them by e-mail.

    In a deal this counts as a drop (R5.3). The stack is returned at the end of the match, as it is for players who
    leave. Raises ONLY_PEOPLE for a bot, NotSeated for a player who neither sits nor waits here; TABLE_CLOSED,
    TableNotFound, or SEATS_ARE_ARRANGED at an event's table.
    """
    table, row = _lock(table_id)
    user = User.objects.filter(pk=user_id, is_bot=False).first()
    if user is None:
        raise Refusal(ONLY_PEOPLE)
    places = list(row.queue.filter(user_id=user_id))
    for place in places:
        give_up(place)
    sitting = row.sittings.filter(user_id=user_id, left_at__isnull=True).first()
    if sitting is None and not places:
        raise NotSeated
    removed = sorted({*(row.removed or ()), user_id})
    Table.objects.filter(pk=row.pk).update(removed=removed)
    row.removed = removed
    _notify(user, row)
    if sitting is None or sitting.status == SeatStatus.LEAVING:
        return save_seating(table, row, [])  # they leave when the match ends, and cannot return
    return leave_table(table_id=table_id, user_id=user_id)


def seats_at(table_id: int) -> list[Seat]:
    """Return the sittings at a table in the order of their seats, bots included."""
    sittings = Seat.objects.filter(table_id=table_id, left_at__isnull=True)
    return list(sittings.select_related("user").order_by("number"))


def _lock(table_id: int) -> tuple[LockedTable, Table]:
    table = lock_table(table_id)
    if table is None:
        raise TableNotFound
    row = Table.objects.get(pk=table_id)
    if row.is_of_event:
        raise Refusal(SEATS_ARE_ARRANGED)
    if row.status == TableStatus.CLOSED:
        raise Refusal(TABLE_CLOSED)
    return table, row


def _find_running(row: Table) -> Match | None:
    return row.matches.filter(status=MatchStatus.RUNNING).first()


def _notify(user: User, row: Table) -> None:
    write_mail(STOOD_UP, user=user, hint="account", table=row.said("name", user.language))


def _compose_stood_up(values: Values) -> tuple[str, str]:
    told = _(
        "Our staff have removed you from the table “%(table)s”. Your stack returns to your "
        "wallet, less the cost of leaving a running match. Write to us if you do not know why."
    )
    return _("You have been removed from a table"), "\n".join(
        [render_greeting(values), "", told % values]
    )


STOOD_UP = register_mail_kind(
    "stood_up",
    gettext_lazy("Removed from a table by staff"),
    _compose_stood_up,
    table=gettext_lazy("the table's name"),
)
