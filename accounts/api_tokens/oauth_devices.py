"""The device flow (RFC 8628): a program without a browser waits while its player answers elsewhere.

Requests are rows, so nothing is lost when a process or Redis dies. Each poll locks its row, so that only one
of several concurrent polls gets tokens.
"""

import secrets
from collections.abc import Iterable
from datetime import timedelta
from enum import StrEnum
from typing import Final

from allauth.core.internal.cryptokit import normalize_user_code
from django.db import transaction
from django.utils import timezone
from oauthlib.oauth2.rfc8628.grant_types import DeviceCodeGrant

from accounts.api_tokens.oauth_grants import hash_secret, take_unused
from accounts.models import OAuthDevice, OAuthGrant

EXPIRES_IN_SECONDS: Final = 600
PAUSE_SECONDS: Final = 5
_LONGEST_PAUSE_SECONDS: Final = 300


class Poll(StrEnum):
    """oauthlib's names for the answers to a poll."""

    AUTHORIZED = DeviceCodeGrant.DEVICE_CODE_AUTHORIZED
    PENDING = DeviceCodeGrant.DEVICE_CODE_PENDING
    SLOW_DOWN = DeviceCodeGrant.DEVICE_CODE_SLOW_DOWN
    EXPIRED = DeviceCodeGrant.DEVICE_CODE_EXPIRED
    DENIED = DeviceCodeGrant.DEVICE_CODE_DENIED


def store_device(
    device_code: str, user_code: str, *, client_id: str, scopes: Iterable[str]
) -> None:
    """Store a program's request until the player answers or it expires."""
    OAuthDevice.objects.create(
        client_id=client_id,
        device_hash=hash_secret(device_code),
        user_code_hash=_hash_user_code(user_code),
        scopes=list(scopes),
        pause_seconds=PAUSE_SECONDS,
        expires_at=timezone.now() + timedelta(seconds=EXPIRES_IN_SECONDS),
    )


def find_device(user_code: str) -> OAuthDevice | None:
    """Return the unanswered request with this code, or None."""
    waiting = OAuthDevice.objects.filter(grant=None, denied_at=None, expires_at__gt=timezone.now())
    return (
        waiting.filter(user_code_hash=_hash_user_code(user_code)).select_related("client").first()
    )


@transaction.atomic
def answer_device(device_id: int, *, user_id: int, scopes: Iterable[str]) -> bool:
    """Grant these scopes to the request, or deny it if there are none. Return False if it is over.

    The first answer counts: a second player with the same code learns that the request is over.
    """
    now = timezone.now()
    device = OAuthDevice.objects.select_for_update().filter(pk=device_id).first()
    if device is None or device.grant_id or device.denied_at or device.expires_at <= now:
        return False
    granted = [scope for scope in device.scopes if scope in set(scopes)]
    if granted:
        device.grant = OAuthGrant.objects.create(
            client_id=device.client_id,
            user_id=user_id,
            code_hash=hash_secret(secrets.token_urlsafe(32)),  # nobody's: the device has its own
            scopes=granted,
            expires_at=device.expires_at,
        )
    else:
        device.denied_at = now
    device.save(update_fields=["grant", "denied_at"])
    return True


def poll_device(device_code: str, *, client_id: str) -> tuple[Poll | None, OAuthGrant | None]:
    """Return the state of a request, and its locked grant if one is ready to exchange.

    Ends the tokens of a device code that was already exchanged. Return None for an unknown code.
    """
    found = OAuthDevice.objects.filter(client_id=client_id, device_hash=hash_secret(device_code))
    device = found.first()
    if device is not None and device.grant_id is not None:
        # The grant's lock suffices: code that locks both rows locks the grant first.
        if device.expires_at <= timezone.now():
            return Poll.EXPIRED, None
        grant = take_unused(OAuthGrant.objects.filter(pk=device.grant_id))
        return (Poll.AUTHORIZED, grant) if grant is not None else (None, None)
    device = found.select_for_update().first()
    return (None if device is None else _note_poll(device)), None


def _note_poll(device: OAuthDevice) -> Poll:
    """Return the state of a locked request without a grant. Polling too early lengthens the pause."""
    now = timezone.now()
    if device.denied_at is not None:
        return Poll.DENIED
    if device.expires_at <= now:
        return Poll.EXPIRED
    pause = timedelta(seconds=device.pause_seconds)
    is_early = device.polled_at is not None and now < device.polled_at + pause
    if is_early:
        device.pause_seconds = min(device.pause_seconds + PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS)
    device.polled_at = now
    device.save(update_fields=["polled_at", "pause_seconds"])
    return Poll.SLOW_DOWN if is_early else Poll.PENDING


def _hash_user_code(user_code: str) -> str:
    return hash_secret(normalize_user_code(user_code))
