"""From which addresses and devices people play: as keyed hashes that nobody can turn back.

The key changes every 30 days and is deleted with the last hash made of it. So two accounts can be
compared within a key's time, and afterwards nothing can be.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from allauth.usersessions.models import UserSession
from django.db.models.functions import Now
from django.utils import timezone

from tables.models import SittingKey, SittingTrace

_KEY_DAYS: Final = 30
_BYTES: Final = 16
# A session that was used no later than this before a match ended belongs to it.
_SEEN_WITHIN: Final = timedelta(hours=6)


def note_sittings(user_ids: Iterable[int]) -> None:
    """Note where these people are signed in now. Called when a match of theirs has just ended."""
    lately = timezone.now() - _SEEN_WITHIN
    sessions = UserSession.objects.filter(user_id__in=list(user_ids), last_seen_at__gt=lately)
    places = {(row.user_id, str(row.ip), row.user_agent) for row in sessions}
    if not places:
        return
    key = key_on(timezone.now().date())
    secret = bytes(key.secret)
    rows = [
        SittingTrace(
            user_id=user_id,
            key=key,
            address_hash=_hashed(secret, "address", address),
            device_hash=_hashed(secret, "device", device),
            seen_at=Now(),
        )
        for user_id, address, device in sorted(places)
    ]
    SittingTrace.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["user", "key", "address_hash", "device_hash"],
        update_fields=["seen_at"],
    )


def key_on(day: date) -> SittingKey:
    """The key of that day's 30 days."""
    began_on = date.fromordinal(day.toordinal() // _KEY_DAYS * _KEY_DAYS)
    key, _ = SittingKey.objects.get_or_create(
        began_on=began_on, defaults={"secret": secrets.token_bytes(32)}
    )
    return key


def _hashed(secret: bytes, what: str, text: str) -> bytes:
    return hmac.digest(secret, f"{what}:{text}".encode(), hashlib.sha256)[:_BYTES]


def forget_old_sittings(oldest: datetime) -> int:
    """With the keys that no hash is left of."""
    gone = SittingTrace.objects.filter(seen_at__lt=oldest).delete()[0]
    over = oldest.date() - timedelta(days=_KEY_DAYS)
    SittingKey.objects.filter(began_on__lt=over).exclude(
        pk__in=SittingTrace.objects.values("key")
    ).delete()
    return gone


@dataclass(frozen=True, slots=True)
class Shared:
    """The addresses that two people share, those of them used from the same kind of device, and the
    number of other players at these addresses.

    A mobile network has one address for thousands.
    """

    addresses: int
    with_device: int
    others: int


def shared_places(low_id: int, high_id: int) -> Shared:
    mine, yours = (
        {
            (row.key_id, bytes(row.address_hash), bytes(row.device_hash))
            for row in SittingTrace.objects.filter(user_id=user_id)
        }
        for user_id in (low_id, high_id)
    )
    common = {place[:2] for place in mine} & {place[:2] for place in yours}
    others: set[int] = set()
    for key_id, address in common:
        users = SittingTrace.objects.filter(key_id=key_id, address_hash=address)
        others.update(users.values_list("user_id", flat=True))
    return Shared(
        len(common), len({place[:2] for place in mine & yours}), len(others - {low_id, high_id})
    )
