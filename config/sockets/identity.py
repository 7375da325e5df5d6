"""Finds the user of a socket by the session of its browser.

Nothing is written, because a socket can set no cookie: after a change of the secret key
`django.contrib.auth.get_user` would rename the session without telling the browser, and Channels' `get_user` would
end it. After a server's failure all players reconnect at once. Each row is therefore read by a prepared statement,
on separate threads instead of the single thread that Channels would use.
"""

from datetime import datetime

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.utils.crypto import constant_time_compare

from accounts.models import User
from core.database.prepared import Prepared, read_flag
from core.threads import Threads

_threads = Threads(
    settings.ADMISSION_THREADS, name="admission", most_waiting=settings.ADMISSIONS_WAITING
)
at_the_door = _threads.run

_session = Prepared(
    "session_of_a_socket",
    """SELECT session_data FROM django_session
        WHERE session_key = $1::text AND expire_date > clock_timestamp()""",
    [bytes.decode],
)


def _read_moment(text: bytes) -> datetime:
    return datetime.fromisoformat(text.decode())


_user = Prepared(
    "user_of_a_socket",
    """SELECT id, password, language, became_bot_at, is_active FROM accounts_user
        WHERE id = $1::bigint AND is_active""",
    [int, bytes.decode, bytes.decode, _read_moment, read_flag],
)
# In the order of the model's fields.
_COLUMNS = ("id", "password", "language", "became_bot_at", "is_active")


def find_person(session_key: str) -> User | None:
    """Return the person signed in by this session. Columns that are not in `_COLUMNS` are read on demand.

    Returns None if nobody is signed in, or if the person may no longer sign in or has a new password.
    """
    stored = _session.first(session_key)
    session = {} if stored is None else SessionStore().decode(stored[0])
    if session.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
        return None
    row = _user.first(int(session[SESSION_KEY]))
    if row is None:
        return None
    user: User = User.from_db("default", _COLUMNS, row)
    signed = session.get(HASH_SESSION_KEY, "")
    hashes = (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    return user if any(constant_time_compare(signed, one) for one in hashes) else None
