"""Closing sockets whose session has ended: by a message after the commit, and by regular database checks.

The message is fast but may be lost, and sessions also expire; the checks find every ended session.
"""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import connection

from core.after_commit import call_after_commit

_AT_ONCE = 1_000
_PROGRAM = "token:"
# Runs every few seconds for every socket of a process and almost always finds nothing. It passes arrays,
# because the ORM's lists would cost Python more than the rest of an idle socket.
_ENDED_SESSIONS = """
SELECT held.user_id, held.key
  FROM unnest(%s::bigint[], %s::text[]) AS held (user_id, key)
  LEFT JOIN accounts_user AS person ON person.id = held.user_id AND person.is_active
  LEFT JOIN django_session AS kept
         ON kept.session_key = held.key AND kept.expire_date > clock_timestamp()
 WHERE person.id IS NULL OR kept.session_key IS NULL"""
_ENDED_TOKENS = """
SELECT held.user_id, held.key
  FROM unnest(%s::bigint[], %s::bigint[]) AS held (user_id, key)
  LEFT JOIN accounts_user AS person ON person.id = held.user_id AND person.is_active
  LEFT JOIN accounts_apitoken AS kept
         ON kept.id = held.key
        AND (kept.expires_at IS NULL OR kept.expires_at > clock_timestamp())
 WHERE person.id IS NULL OR kept.id IS NULL"""


def revocation_group(user_id: int) -> str:
    """Return the channel group of all sockets that a user has opened with a session."""
    return f"sessions.{user_id}"


def key_of_token(token_id: int) -> str:
    """Return the key that a program's socket has instead of a session key. No session key contains a colon."""
    return f"{_PROGRAM}{token_id}"


def compute_sign(session_key: str) -> str:
    """Return a hash that identifies a session in messages, which must not contain the session key itself."""
    return hashlib.sha256(session_key.encode()).hexdigest()[:32]


def revoke_sockets(user_id: int, session_keys: Iterable[str] | None = None) -> None:
    """Close the user's sockets of these sessions after the commit, or all of them if `session_keys` is None."""
    signs = None if session_keys is None else [compute_sign(key) for key in session_keys]
    call_after_commit(_notify, user_id, signs)


@async_to_sync
async def _notify(user_id: int, signs: list[str] | None) -> None:
    layer: Any = get_channel_layer()
    await layer.group_send(revocation_group(user_id), {"type": "session.revoked", "signs": signs})


def find_ended(held: Collection[tuple[int, str]]) -> set[tuple[int, str]]:
    """Return those pairs of user id and key (of a session or token) that are no longer valid."""
    sessions = [pair for pair in held if not pair[1].startswith(_PROGRAM)]
    tokens = {
        (user, int(key.removeprefix(_PROGRAM))): (user, key)
        for user, key in held
        if key.startswith(_PROGRAM)
    }
    return _query_pairs(_ENDED_SESSIONS, sessions) | {
        tokens[row] for row in _query_pairs(_ENDED_TOKENS, list(tokens))
    }


def _query_pairs(sql: str, pairs: Sequence[tuple[int, Any]]) -> set[tuple[int, Any]]:
    rows: set[tuple[int, Any]] = set()
    with connection.cursor() as cursor:
        for start in range(0, len(pairs), _AT_ONCE):
            users, keys = zip(*pairs[start : start + _AT_ONCE], strict=True)
            cursor.execute(sql, [list(users), list(keys)])
            rows.update(cursor.fetchall())
    return rows
