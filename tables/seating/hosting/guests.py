"""Guests at a friend's table without stakes. Holders of its link sit down under a name, without an account.

accounts/people/guests.py creates the guest's row and session. This module applies the limits of a table.
"""

from dataclasses import dataclass
from typing import Final

from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from accounts.legal_pages.services import accept_pages
from accounts.models import User, compute_stored_skeleton
from accounts.models.sessions import Origin
from accounts.origins import read_origin
from accounts.people.guests import (
    find_guest,
    get_own_name,
    make_guest,
    name_guest,
    remember_guest,
)
from core.refusals import Refusal
from core.site.features import GUESTS, is_on
from core.throttling import Rate
from tables.models import Seat, SeatStatus, Table, TableStatus
from tables.play.lock import lock_table
from tables.refusals import (
    NAME_AT_THE_TABLE,
    NO_GUESTS,
    REMOVED_FROM_TABLE,
    TABLE_CLOSED,
    InvitationNeeded,
    TableNotFound,
)
from tables.seating.selectors import has_code
from tables.seating.sitting import take_seat

# New guests at one table, so that a leaked link brings no crowd.
AT_A_TABLE: Final = 30
AT_A_TABLE_SECONDS: Final = 3_600


def admits_guests(table: Table) -> bool:
    """Return whether people without an account may sit here: the site allows guests, and nothing is at stake."""
    return is_on(GUESTS) and table.is_open_to_guests


def is_open_to_guests(table_id: int) -> bool:
    """Return whether a person with the link may sit down here without an account."""
    return admits_guests(Table.objects.defer("state").get(pk=table_id))


@dataclass(frozen=True, slots=True)
class GuestWish:
    """A guest's validated form.

    `terms` is the version of the terms that the guest has accepted, None on a site without terms.
    """

    name: str
    press: str
    terms: int | None = None


def seat_guest(
    request: HttpRequest, *, table_id: int, wish: GuestWish, number: int | None, invite: str
) -> None:
    """Seat this browser's guest under this name, and create the guest if there is none.

    A repeated call finds the same seat. Raises a Refusal; then nothing has changed.
    """
    with transaction.atomic():
        guest_id = _seat(request, table_id, wish, number=number, invite=invite)
    remember_guest(request, guest_id)


def _seat(
    request: HttpRequest, table_id: int, wish: GuestWish, *, number: int | None, invite: str
) -> int:
    row = _lock(table_id, invite)
    origin = read_origin(request)
    guest_id = _get_guest(request, row, wish, origin)
    if row.sittings.filter(user=guest_id, left_at__isnull=True).exists():
        return guest_id
    User.objects.filter(pk=guest_id).update(adult_confirmed_at=timezone.now())
    if wish.terms is not None:
        accept_pages(user_id=guest_id, terms=wish.terms)
    take_seat(
        table_id=table_id, user_id=guest_id, amount=0, number=number, invite=invite, origin=origin
    )
    return guest_id


def _lock(table_id: int, invite: str) -> Table:
    table = lock_table(table_id)
    if table is None:
        raise TableNotFound
    row = Table.objects.get(pk=table_id)
    if not has_code(row, invite):
        raise InvitationNeeded
    if table.status is TableStatus.CLOSED:
        raise Refusal(TABLE_CLOSED)
    if not admits_guests(row):
        raise Refusal(NO_GUESTS)
    return row


def _get_guest(request: HttpRequest, row: Table, wish: GuestWish, origin: Origin) -> int:
    """Return this browser's guest under the submitted name: a new guest, or the known one, renamed."""
    known = find_guest(request.session)
    if known is None:
        _refuse_who_was_removed(row, origin)
        rate = Rate(f"guests:table:{row.pk}", AT_A_TABLE, AT_A_TABLE_SECONDS)
        guest = make_guest(request, name=wish.name, press=wish.press, at=[rate])
        _refuse_name(row, wish.name, user_id=guest.pk)
        return guest.pk
    _refuse_name(row, wish.name, user_id=known)
    if get_own_name(known) != wish.name:
        name_guest(known, wish.name)
    return known


def _refuse_who_was_removed(row: Table, origin: Origin) -> None:
    """Raise REMOVED_FROM_TABLE if a removed player had this origin.

    Otherwise a removed guest could return by another name.
    """
    away = [*(row.removed or ()), *(row.sent_away or ())]
    removed = row.sittings.filter(user__in=away)
    if any(origin.is_shared(sitting.origin) for sitting in removed):
        raise Refusal(REMOVED_FROM_TABLE)


def _refuse_name(row: Table, name: str, *, user_id: int) -> None:
    """Raise NAME_AT_THE_TABLE for a name that could be taken for a seated player's."""
    alike = row.sittings.filter(
        left_at__isnull=True, user__name_skeleton=compute_stored_skeleton(name)
    )
    if alike.exclude(user=user_id).exists():
        raise Refusal(NAME_AT_THE_TABLE)


@transaction.atomic
def ends_with_match(*, table_id: int, user_id: int) -> bool:
    """Make a guest whose time is over leave when the running match ends. Return whether the guest plays such a match.

    The match is not interrupted, because other people play it. In a lesson nobody else plays, so the result is False.
    """
    if lock_table(table_id) is None:
        return False
    sittings = Seat.objects.filter(table=table_id, user=user_id, status=SeatStatus.PLAYING)
    return bool(
        sittings.filter(
            left_at__isnull=True, table__is_lesson=False, table__status=TableStatus.PLAYING
        ).update(is_last_deal=True)
    )


_WISH: Final = "guest_wish"
_LONGEST_WISH: Final = 100


def remember_wish(session: SessionBase, name: str, error: str) -> None:
    """Remember a guest's submitted name and its refusal, for the page that shows the form again."""
    session[_WISH] = {"name": name[:_LONGEST_WISH], "error": error}


def take_wish(session: SessionBase) -> dict[str, str]:
    """Return `name` and `error` of the guest's last attempt to sit down, and forget them."""
    wish: dict[str, str] = session.pop(_WISH, None) or {"name": "", "error": ""}
    return wish
