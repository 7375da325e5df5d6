"""The device flow (RFC 8628): a program without a browser waits while its player answers on another device.

Requests are rows, so nothing is lost when a process or Redis dies. Each poll locks its row, so that only one of
several concurrent polls gets tokens.
"""

import secrets
from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from oauthlib.oauth2.rfc8628.grant_types import DeviceCodeGrant as Poll

from accounts.api_tokens.oauth_grants import take_unused
from accounts.models import OAuthDevice, OAuthGrant
from core.values.typed import spell_code

EXPIRES_IN_SECONDS: Final = 600
PAUSE_SECONDS: Final = 5
_LONGEST_PAUSE_SECONDS: Final = 300
_LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"


def make_user_code() -> str:
    """Make one of 20^8 codes for people to type in (RFC 8628, 6.1). It has no vowels, so it spells no words."""
    letters = [secrets.choice(_LETTERS) for _ in range(8)]
    return "".join([*letters[:4], "-", *letters[4:]])


def store_device(
    device_code: str, user_code: str, *, client_id: str, scopes: Iterable[str]
) -> None:
    """Store a program's request, which waits for the player's answer until it expires."""
    OAuthDevice.objects.create(
        client_id=client_id,
        device_code=device_code,
        user_code=_normalize(user_code),
        scope=" ".join(scopes),
        interval=PAUSE_SECONDS,
        expires=timezone.now() + timedelta(seconds=EXPIRES_IN_SECONDS),
    )


def find_device(user_code: str) -> OAuthDevice | None:
    """Return the unanswered request with this code, or None."""
    waiting = OAuthDevice.objects.filter(
        status=OAuthDevice.AUTHORIZATION_PENDING, expires__gt=timezone.now()
    )
    named = waiting.filter(user_code=_normalize(user_code)).select_related("client")
    found: OAuthDevice | None = named.first()
    return found


@transaction.atomic
def answer_device(device_id: int, *, user_id: int, scopes: Iterable[str]) -> bool:
    """Grant these scopes to the request, or deny the request if none of them was requested.

    Return False if the request was already answered or has expired. The first answer is final: a second player with the
    same code learns that the request is over.
    """
    device = OAuthDevice.objects.select_for_update().filter(pk=device_id).first()
    if device is None or device.status != device.AUTHORIZATION_PENDING or device.is_expired():
        return False
    granted = [scope for scope in device.scope.split() if scope in set(scopes)]
    if granted:
        device.status = device.AUTHORIZED
        device.grant = OAuthGrant.objects.create(
            application_id=device.client_id,
            user_id=user_id,
            code=secrets.token_urlsafe(32),  # nobody's: the device has its own
            scope=" ".join(granted),
            expires=device.expires,
        )
    else:
        device.status = device.DENIED
    device.save(update_fields=["grant", "status"])
    return True


def poll_device(device_code: str, *, client_id: str) -> tuple[str | None, OAuthGrant | None]:
    """Return the state of a request in oauthlib's words, and its locked grant if one is ready to exchange.

    If the device code was already exchanged, revokes the tokens that were issued for it. The state is None for such a
    code and for an unknown one.
    """
    found = OAuthDevice.objects.filter(client_id=client_id, device_code=device_code)
    device = found.first()
    if device is not None and device.grant_id is not None:
        # The grant's lock suffices: code that locks both rows locks the grant first.
        if device.expires <= timezone.now():
            return Poll.DEVICE_CODE_EXPIRED, None
        grant = take_unused(OAuthGrant.objects.filter(pk=device.grant_id))
        return (Poll.DEVICE_CODE_AUTHORIZED, grant) if grant is not None else (None, None)
    device = found.select_for_update().first()
    return (None if device is None else _record_poll(device)), None


def _record_poll(device: OAuthDevice) -> Any:
    """Return the state of a locked request that has no grant yet. A program that polls too early must wait longer."""
    if device.status == device.DENIED:
        return Poll.DEVICE_CODE_DENIED
    if device.is_expired():
        return Poll.DEVICE_CODE_EXPIRED
    now, pause = timezone.now(), timedelta(seconds=device.interval)
    is_early = device.last_checked is not None and now < device.last_checked + pause
    if is_early:
        device.interval = min(device.interval + PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS)
    device.last_checked = now
    device.save(update_fields=["last_checked", "interval"])
    return Poll.DEVICE_CODE_SLOW_DOWN if is_early else Poll.DEVICE_CODE_PENDING


def _normalize(user_code: str) -> str:
    """Return the code that a player typed, in small letters without dashes and spaces (RFC 8628, 6.1)."""
    return spell_code(user_code).lower()
