"""Staff end a table, or somebody's sitting at it; money comes back as it does when players leave.

`close_after_match` is a column: whichever process ends the match closes the table in the same
transaction (tables/play/finish.py), and a void does it too.
"""

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from core.emails.kinds import Values, hello, mail_kind
from core.emails.texts import write_mail
from tables.models import Match, MatchStatus, Seat, SeatStatus, Table, TableStatus
from tables.play.change import Change
from tables.play.lock import LockedTable, lock_table
from tables.play.seats import save_seating
from tables.refusals import NotSeated, OnlyPeople, SeatsAreArranged, TableClosed, TableNotFound
from tables.seating.cancelling import cancel_match, close_table
from tables.seating.queue import give_up
from tables.seating.sitting import leave_table


@transaction.atomic
def close_after_match(*, table_id: int, staff_id: int) -> Change:
    """The running match is the last one: its end stands everybody up and closes the table. Until
    then nobody sits down. Without a running match the table closes at once.

    Raises TableClosed, TableNotFound, or SeatsAreArranged at a table of an event. A repeated call
    changes nothing but the version.
    """
    table, row = _lock(table_id)
    if not _running(row):
        return close_table(table_id=table_id, staff_id=staff_id)
    for place in row.queue.order_by("user_id"):
        give_up(place)
    Table.objects.filter(pk=row.pk, closing_at=None).update(closing_at=Now())
    row.refresh_from_db(fields=["closing_at"])
    return save_seating(table, row, [{"kind": "closing"}])


@transaction.atomic
def close_now(*, table_id: int, reason: str, staff_id: int) -> Change:
    """Void the match that runs, if one does, and close: entry fees go back, points are not paid,
    everybody is stood up with their stack.

    Raises as `close_after_match` does, or ReasonMissing.
    """
    _table, row = _lock(table_id)
    match = _running(row)
    if match is None:
        return close_table(table_id=table_id, staff_id=staff_id)
    return cancel_match(match_id=match.pk, reason=reason, staff_id=staff_id, closes_table=True)


@transaction.atomic
def remove_player(*, table_id: int, user_id: int) -> Change:
    """Stand somebody up who may not come back to this table, and tell them by mail. In a deal that is
    a drop (R5.3) and the stack comes back when the match lets them go, as when they leave.

    Raises OnlyPeople for a bot, NotSeated for who neither sits nor waits here; TableClosed,
    TableNotFound, or SeatsAreArranged at a table of an event.
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


def _running(row: Table) -> Match | None:
    return row.matches.filter(status=MatchStatus.RUNNING).first()


def _tell(user: User, row: Table) -> None:
    write_mail(STOOD_UP, user=user, hint="account", table=row.said("name", user.language))


def _stood_up(values: Values) -> tuple[str, str]:
    told = _(
        "Our staff have stood you up from the table “%(table)s”. What you brought comes back to "
        "your wallet, less what a running match costs you. Write to us if you do not know why."
    )
    return _("You have left a table"), "\n".join([hello(values), "", told % values])


STOOD_UP = mail_kind(
    "stood_up",
    gettext_lazy("Stood up from a table by staff"),
    _stood_up,
    table=gettext_lazy("the table's name"),
)
