"""The page that somebody was on their way to before they had an account: kept in their session.

`next` of the sign-in form says the same while nobody strays from the way; this outlives that.
"""

from django.contrib.sessions.backends.base import SessionBase

_KEY = "return_path"


def remember_path(session: SessionBase, path: str) -> None:
    """`path` is one of this site, with its query."""
    if session.get(_KEY) != path:
        session[_KEY] = path


def remembered_path(session: SessionBase) -> str:
    """Empty if there is none."""
    return str(session.get(_KEY, ""))


def forget_path(session: SessionBase) -> None:
    session.pop(_KEY, None)
