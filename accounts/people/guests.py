"""Guests: accounts without an address or a password, for a first deal or a seat at a friend's table.

A guest is a user row like any player's, so their cards and chips belong to an account, and registering makes it
permanent (docs/adr/0011-guests.md). Nobody is signed in as a guest: the session stores the guest's id. Pages of the
guest's own tables read it; every other page treats the guest as a visitor.
"""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from django.contrib.sessions.backends.base import SessionBase
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import translation
from django.utils.crypto import salted_hmac

from accounts.models import User, compute_stored_skeleton, is_name_taken
from accounts.names import NAME_LENGTHS
from accounts.refusals import TOO_MANY_GUESTS
from core.refusals import SWITCHED_OFF, Refusal
from core.site.features import GUESTS, is_on
from core.throttling import Rate, identify_household, take
from core.values.isolation import unwrap

_KEY = "guest"
PRESS_BYTES: Final = 16
LASTS: Final = timedelta(days=1)
# An IPv4 address may belong to a whole mobile carrier.
OF_AN_ADDRESS: Final = 60
OF_AN_ADDRESS_SECONDS: Final = 3_600
# Limit for the whole site: as many as the cleanup deletes easily.
A_DAY: Final = 20_000
_DAY_SECONDS: Final = 86_400
_GIVEN: Final = "Guest "
# If a name is taken, random numbers of so many digits are appended to it, in this order.
_DIGITS_TRIED: Final = (2, 3, 3, 6, 6)


def find_guest(session: SessionBase) -> int | None:
    """Return the id of this browser's guest, or None if there is none."""
    number = session.get(_KEY)
    if number is None:
        return None
    return User.objects.filter(pk=number, **_OPEN).values_list("pk", flat=True).first()


def make_guest(
    request: HttpRequest, *, name: str = "", press: str = "", at: Sequence[Rate] = ()
) -> User:
    """Make a guest, or return the guest that was already made for the same `press`.

    `press` is a secret of the submitted form, so that a form sent twice makes one guest. `name` has been checked
    (accounts/people/forms.py) and gets a number if it is taken; without a name the guest is called "Guest 123456".
    `at` adds rate limits to those of all guests. The caller calls `remember_guest` after the transaction has
    committed. Raises TOO_MANY_GUESTS or SWITCHED_OFF.
    """
    if not is_on(GUESTS):
        raise Refusal(SWITCHED_OFF)
    address = _build_address(press or secrets.token_hex(PRESS_BYTES))
    known = User.objects.filter(email=address, **_OPEN).first()
    if known is not None:
        return known
    rates = (
        Rate(f"guests:{identify_household(request)}", OF_AN_ADDRESS, OF_AN_ADDRESS_SECONDS),
        Rate("guests", A_DAY, _DAY_SECONDS),
        *at,
    )
    if not take(*rates).is_allowed:
        raise Refusal(TOO_MANY_GUESTS)
    return _make(address, name)


def remember_guest(request: HttpRequest, guest_id: int) -> None:
    """Bind the guest to this browser's session. Do not call it in a transaction that may still fail."""
    if request.session.get(_KEY) != guest_id:
        # A new session key, so that a session planted in this browser does not get the guest.
        request.session.cycle_key()
        request.session[_KEY] = guest_id


def _build_address(press: str) -> str:
    """Return an address that receives no mail, and is always the same for the same `press`."""
    return f"{salted_hmac(_KEY, press, algorithm='sha256').hexdigest()[:32]}@guests.invalid"


def get_own_name(guest_id: int) -> str:
    """Return the name that a guest has chosen, or an empty string if the site generated it."""
    name: str = User.objects.values_list("player_name", flat=True).get(pk=guest_id)
    return "" if name.startswith(_GIVEN) else unwrap(name)


def name_guest(guest_id: int, name: str) -> None:
    """Rename a guest. Adds a number if the name is taken. Raises TOO_MANY_GUESTS if all those tried are taken."""
    for spelt in _generate_spellings(name):
        if not is_name_taken(spelt, but=guest_id):
            with suppress(IntegrityError), transaction.atomic():
                skeleton = compute_stored_skeleton(spelt)
                guests = User.objects.filter(pk=guest_id, **_OPEN)
                guests.update(player_name=spelt, name_skeleton=skeleton)
                return
    raise Refusal(TOO_MANY_GUESTS)


def has_been_guest(session: SessionBase, user_id: int) -> bool:
    """Return whether the account that is being signed in to was this browser's guest until now."""
    return bool(session.get(_KEY) == user_id)


def forget_guest(session: SessionBase) -> None:
    """Unbind the guest from this browser's session, because another person uses the browser now."""
    session.pop(_KEY, None)


def lock_guest(user_id: int | None) -> bool:
    """Lock the user's row and return whether it is still a guest. The caller may then turn the guest into a player."""
    rows = User.objects.select_for_update(no_key=True).filter(pk=user_id or 0, **_OPEN)
    return rows.exists()


def list_guests_before(moment: datetime) -> list[int]:
    """Return the ids of guests who were created before this moment and have not registered, oldest first."""
    old = User.objects.filter(date_joined__lt=moment, **_OPEN).order_by("date_joined")
    return list(old.values_list("pk", flat=True))


_OPEN: Final = {"is_guest": True, "closed_at": None}


def _make(address: str, name: str) -> User:
    language = translation.get_language() or "en"
    for spelt in _generate_spellings(name):
        if name and is_name_taken(spelt):
            continue
        try:
            with transaction.atomic():
                return User.objects.create_user(
                    address, player_name=spelt, is_guest=True, language=language
                )
        except IntegrityError:
            # A concurrent submission was quicker, or the name belongs to somebody else.
            known = User.objects.filter(email=address, **_OPEN).first()
            if known is not None:
                return known
    raise Refusal(TOO_MANY_GUESTS)


def _generate_spellings(name: str) -> Iterator[str]:
    """Yield names to try: the requested one, then the same with random numbers."""
    if name:
        yield name
    for digits in _DIGITS_TRIED if name else _DIGITS_TRIED[-1:] * 5:
        number = f"{secrets.randbelow(10**digits):0{digits}d}"
        yield f"{(name or _GIVEN)[: NAME_LENGTHS.stop - 2 - digits].rstrip()} {number}"
