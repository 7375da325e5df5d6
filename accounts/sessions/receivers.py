"""The consequences of signing out and of a new password."""

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from django.contrib.auth.signals import user_logged_out
from django.http import HttpRequest

from accounts.models import User
from accounts.sessions.revocation import revoke_sockets
from accounts.sessions.services import end_sessions


def close_sockets(request: HttpRequest | None, user: User | None, **_signal: Any) -> None:
    """Of the session that is being signed out."""
    key = request.session.session_key if request is not None else None
    if user is not None and key is not None:
        revoke_sockets(user.pk, [key])


def end_other_sessions(request: HttpRequest, user: User, **_signal: Any) -> None:
    """After a new password nobody with the old one stays signed in."""
    is_own = request.user.is_authenticated and request.user.pk == user.pk
    end_sessions(user_id=user.pk, keep_key=request.session.session_key if is_own else None)


def connect() -> None:
    user_logged_out.connect(close_sockets, dispatch_uid="accounts.close_sockets")
    for signal in (password_changed, password_set, password_reset):
        signal.connect(end_other_sessions, dispatch_uid="accounts.end_other_sessions")
