"""Who sits at a table and has no page open: told on their devices after a minute, or by e-mail when
a deal has gone on without them, as they have chosen.

A Celery tick looks; what it found is in the row of the seat, so one that is lost or comes twice
changes nothing. Whose pages are open is known from Redis; of whom it cannot be asked, nobody counts
as absent.
"""

from collections.abc import Mapping
from datetime import timedelta

from asgiref.sync import async_to_sync
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import AbsenceNotice, User
from accounts.notifications.mail_texts.kinds import Values, hello, mail_kind
from accounts.notifications.mail_texts.writing import write_mail
from accounts.push.services import Call, call_on_commit, who_wants_calls
from accounts.push.texts import AWAY
from tables.live import open_pages, presence
from tables.models import Deal, Seat

# One page in the background speaks once a minute.
AWAY_FOR = timedelta(seconds=70)
# A push service keeps the call for so long.
CALL_SECONDS = 600


def tell_absent() -> int:
    """The number of players who were told, each once for each seat and absence."""
    held = Seat.objects.filter(left_at=None, user__is_bot=False)
    players = sorted(set(held.values_list("user_id", flat=True)))
    known = _with_page(players)
    here = [player for player, is_open in known.items() if is_open]
    gone = [player for player, is_open in known.items() if not is_open]
    away = Q(away_since__isnull=False)
    held.filter(away, user_id__in=here).update(away_since=None, away_told_at=None)
    held.filter(~away, user_id__in=gone).update(away_since=Now())
    told = held.filter(away_since__lte=Now() - AWAY_FOR, away_told_at=None, user_id__in=gone)
    deals = Deal.objects.filter(
        match__table=OuterRef("table"), started_at__gt=OuterRef("away_since")
    )
    absent = list(told.annotate(is_dealt=Exists(deals)).values_list("pk", "user_id", "is_dealt"))
    reached = who_wants_calls(user_id for _pk, user_id, _is_dealt in absent)
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
