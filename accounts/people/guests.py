"""Guests: accounts for a first deal, before there is an address or a password.

A guest is a row like any player's, so that their cards and chips are those of an account, and
registering makes it their own (docs/adr/0011-guests.md). Nobody is signed in as a guest: the session keeps a
number, the pages of a first deal ask for it, and every other page sees a visitor.
"""

import secrets
from datetime import datetime, timedelta
from typing import Final

from django.contrib.sessions.backends.base import SessionBase
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import translation

from accounts.models import User
from accounts.refusals import SwitchedOff, TooManyGuests
from core.site.features import GUESTS, is_on
from core.throttling import Rate, household, take

_KEY = "guest"
LASTS: Final = timedelta(days=1)
# An address of IPv4 may be that of a whole carrier's telephones.
OF_AN_ADDRESS: Final = 60
OF_AN_ADDRESS_SECONDS: Final = 3_600
# On the whole site, as many as are cleaned up with ease.
A_DAY: Final = 20_000
_DAY_SECONDS: Final = 86_400
_NAMES: Final = 1_000_000
_NAMES_TRIED: Final = 5


def guest_of(session: SessionBase) -> int | None:
    """The number of this browser's guest, while it is one; None for everybody else."""
    number = session.get(_KEY)
    if number is None:
        return None
    return User.objects.filter(pk=number, **_OPEN).values_list("pk", flat=True).first()


def make_guest(request: HttpRequest) -> User:
    """A new guest, whom this browser's session remembers. Raises TooManyGuests or SwitchedOff."""
    if not is_on(GUESTS):
        raise SwitchedOff
    rates = (
        Rate(f"guests:{household(request)}", OF_AN_ADDRESS, OF_AN_ADDRESS_SECONDS),
        Rate("guests", A_DAY, _DAY_SECONDS),
    )
    if not take(*rates).is_allowed:
        raise TooManyGuests
    guest = _make()
    # A session that somebody planted in this browser does not get the guest.
    request.session.cycle_key()
    request.session[_KEY] = guest.pk
    return guest


def forget_guest(session: SessionBase) -> None:
    """This browser's player is somebody else now."""
    session.pop(_KEY, None)


def lock_guest(user_id: int | None) -> bool:
    """Return whether this is still a guest. The row is then locked, and the caller may make it a player."""
    rows = User.objects.select_for_update(no_key=True).filter(pk=user_id or 0, **_OPEN)
    return rows.exists()


def guests_before(moment: datetime) -> list[int]:
    """Those who began before this moment and did not register, the oldest first."""
    old = User.objects.filter(date_joined__lt=moment, **_OPEN).order_by("date_joined")
    return list(old.values_list("pk", flat=True))


_OPEN: Final = {"is_guest": True, "closed_at": None}


def _make() -> User:
    language = translation.get_language() or "en"
    for _attempt in range(_NAMES_TRIED):
        address = f"{secrets.token_hex(16)}@guests.invalid"
        name = f"Guest {secrets.randbelow(_NAMES):06d}"
        try:
            with transaction.atomic():
                return User.objects.create_user(
                    address, player_name=name, is_guest=True, language=language
                )
        except IntegrityError:
            continue  # the name is somebody's
    raise TooManyGuests
