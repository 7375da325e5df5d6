"""Players at a table without an open page.

They are called on their devices after a minute, or by e-mail when a deal has gone on without them,
as they have chosen. A Celery tick looks at some thousand seats at a time. Its findings are in the
row of the seat, so a tick that is lost or comes twice changes nothing. Redis knows the open pages;
while it cannot be asked, nobody counts as absent.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from asgiref.sync import async_to_sync
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import AbsenceNotice, User
from accounts.push.services import AWAY, Call, call_on_commit, subscribed_players
from core.database.advisory_locks import AdvisoryLock, alone
from core.emails.kinds import Values, hello, mail_kind
from core.emails.texts import write_mail
from tables.live import open_pages, presence
from tables.models import Deal, Seat

# One page in the background speaks once a minute.
AWAY_FOR = timedelta(seconds=70)
SEATS_AT_ONCE = 10_000
# A push service keeps the call for so long.
CALL_SECONDS = 600


def tell_absent() -> int:
    """The number of players who were told, each once for each seat and absence."""
    # Two at once would look at the same seats; the second leaves them to the first.
    with alone(AdvisoryLock.TELLING_ABSENT) as is_alone:
        return sum(_tell_absent_of(seats) for seats in _held_seats()) if is_alone else 0


def _held_seats() -> Iterator[Sequence[Seat]]:
    """With what is known of their absence, bots' as well."""
    held = Seat.objects.filter(left_at=None).order_by("user_id", "pk")
    held = held.only("user_id", "away_since", "away_told_at")
    rest = held
    while some := list(rest[:SEATS_AT_ONCE]):
        yield some
        last = some[-1]
        rest = held.filter(user_id__gte=last.user_id).exclude(user_id=last.user_id, pk__lte=last.pk)


def _tell_absent_of(seats: Sequence[Seat]) -> int:
    players = {seat.user_id for seat in seats}
    # Asked here: joined to the seats, all people would be gone through for every part of them.
    players -= set(User.objects.filter(pk__in=players, is_bot=True).values_list("pk", flat=True))
    known = _with_page(sorted(players))
    here = [seat for seat in seats if known.get(seat.user_id) is True]
    gone = [seat for seat in seats if known.get(seat.user_id) is False]
    # Few change: what has been written already is not written again.
    held = Seat.objects.filter(left_at=None)
    came = [seat.pk for seat in here if seat.away_since is not None]
    left = [seat.pk for seat in gone if seat.away_since is None]
    held.filter(pk__in=came).update(away_since=None, away_told_at=None)
    held.filter(pk__in=left, away_since=None).update(away_since=Now())
    untold = [seat.pk for seat in gone if seat.away_since is not None and seat.away_told_at is None]
    told = held.filter(pk__in=untold, away_since__lte=Now() - AWAY_FOR, away_told_at=None)
    deals = Deal.objects.filter(
        match__table=OuterRef("table"), started_at__gt=OuterRef("away_since")
    )
    absent = list(told.annotate(is_dealt=Exists(deals)).values_list("pk", "user_id", "is_dealt"))
    reached = subscribed_players(user_id for _pk, user_id, _is_dealt in absent)
    return sum(
        _tell(seat_id, by_push=user_id in reached)
        for seat_id, user_id, is_dealt in absent
        if is_dealt or user_id in reached
    )


def _with_page(user_ids: list[int]) -> Mapping[int, bool]:
    async def ask() -> Mapping[int, bool]:
        try:
            return await open_pages.with_page(user_ids)
        finally:
            await presence.close()

    return async_to_sync(ask)()


@transaction.atomic
def _tell(seat_id: int, *, by_push: bool) -> bool:
    """Under the seat's lock: another tick that looks now finds it done."""
    seats = Seat.objects.select_for_update(skip_locked=True, of=("self",))
    seat = seats.select_related("user", "table").filter(pk=seat_id, left_at=None).first()
    if seat is None or seat.away_since is None or seat.away_told_at is not None:
        return False
    Seat.objects.filter(pk=seat_id).update(away_told_at=Now())
    wanted = seat.user.absence_notice
    if by_push and wanted != AbsenceNotice.NONE:
        _call(seat)
    elif wanted == AbsenceNotice.PUSH_OR_EMAIL:
        _write(seat.user, seat.table.said("name", seat.user.language))
    else:
        return False
    return True


def _call(seat: Seat) -> None:
    call = Call(
        kind=AWAY,
        name=seat.table.said("name", seat.user.language),
        url=reverse("tables:table", args=[seat.table_id]),
        tag=f"table-{seat.table_id}",
        seconds=CALL_SECONDS,
    )
    call_on_commit({seat.user_id}, call)


def _write(user: User, table: str) -> None:
    write_mail(ABSENT, user=user, hint="absence", table=table)


def _absent(values: Values) -> tuple[str, str]:
    lines = [
        hello(values),
        "",
        _("no page of %(site)s is open, and a deal has gone on without you at %(table)s.") % values,
        _("Go back to the table or leave it: “Your tables” in the lobby leads there."),
        _("Whether you are told of this, you choose in your profile."),
    ]
    return _("You still sit at %(table)s") % values, "\n".join(lines)


ABSENT = mail_kind(
    "absent", gettext_lazy("Absent from a table"), _absent, table=gettext_lazy("the table's name")
)
