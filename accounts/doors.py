"""Showing open sockets out: a message after the commit, and a look at the database in between.

The message makes it quick, the look makes it sure: Redis may lose a message, and a session also
ends by its time.
"""

import hashlib
from collections.abc import Collection, Iterable
from functools import partial
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import ApiToken, User

_AT_ONCE = 1_000
_PROGRAM = "token:"


def door_of(user_id: int) -> str:
    """The group of all sockets that a person has open with a session."""
    return f"door.{user_id}"


def key_of_token(token_id: int) -> str:
    """What takes the place of a session key for the socket of a program; no session has a colon."""
    return f"{_PROGRAM}{token_id}"


def sign_of(session_key: str) -> str:
    """What stands for a session in messages, which are no place for its key."""
    return hashlib.sha256(session_key.encode()).hexdigest()[:32]


def shut_doors(user_id: int, session_keys: Iterable[str] | None = None) -> None:
    """After the commit close the sockets of these sessions; None: all that the person has."""
    signs = None if session_keys is None else [sign_of(key) for key in session_keys]
    transaction.on_commit(partial(_tell, user_id, signs), robust=True)


@async_to_sync
async def _tell(user_id: int, signs: list[str] | None) -> None:
    layer: Any = get_channel_layer()
    await layer.group_send(door_of(user_id), {"type": "door.shut", "signs": signs})


def good_sessions(held: Collection[tuple[int, str]]) -> set[tuple[int, str]]:
    """Of pairs of a user and a session's or token's key: those that may go on as they are."""
    pairs = list(held)
    good: set[tuple[int, str]] = set()
    for start in range(0, len(pairs), _AT_ONCE):
        some = pairs[start : start + _AT_ONCE]
        users = User.objects.filter(pk__in={user for user, _key in some}, is_active=True)
        active = set(users.values_list("pk", flat=True))
        stored = Session.objects.filter(
            session_key__in=[key for _user, key in some], expire_date__gt=timezone.now()
        )
        keys = set(stored.values_list("session_key", flat=True))
        keys |= _good_tokens(key for _user, key in some)
        good.update((user, key) for user, key in some if user in active and key in keys)
    return good


def _good_tokens(keys: Iterable[str]) -> set[str]:
    ids = [int(key.removeprefix(_PROGRAM)) for key in keys if key.startswith(_PROGRAM)]
    if not ids:
        return set()
    good = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    kept = ApiToken.objects.filter(good, pk__in=ids).values_list("pk", flat=True)
    return {key_of_token(pk) for pk in kept}
