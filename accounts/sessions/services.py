"""The sessions of signed-in users: recording their use, listing and ending them."""

import hashlib
from collections.abc import Callable, Collection
from datetime import timedelta
from typing import Any

from allauth.account.signals import password_changed, password_set
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import transaction
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_only_middleware
from redis.exceptions import RedisError

from accounts.models import PastSession, PushSubscription, User
from accounts.sessions.revocation import revoke_sockets

# Update "last seen" at most this often, so that not every request writes.
NOTED_EVERY_SECONDS = 300
# Long enough for a page that is only being read: its sockets do not update "last seen".
HERE_FOR = timedelta(minutes=30)
# Ended sessions kept for each player.
PAST_SESSIONS_KEPT = 10


@sync_only_middleware
def keep_newer_sessions(get_response: Callable[[HttpRequest], HttpResponse]) -> Any:
    """Middleware: do not let a response to a script or a service worker delete the session cookie.

    Such a request may carry the session key from before a sign-in in the same browser. It finds no session, so
    Django deletes the cookie, which by then is that of the new session.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        cookie = response.cookies.get(settings.SESSION_COOKIE_NAME)
        is_in_background = request.headers.get("Sec-Fetch-Mode", "navigate") != "navigate"
        if is_in_background and cookie is not None and not cookie.value:
            del response.cookies[settings.SESSION_COOKIE_NAME]
        return response

    return middleware


@sync_only_middleware
def record_sessions(get_response: Callable[[HttpRequest], HttpResponse]) -> Any:
    """Middleware: record the device, address and time of a session's use."""

    def middleware(request: HttpRequest) -> HttpResponse:
        key = request.session.session_key
        if key and request.user.is_authenticated and _is_due(key):
            UserSession.objects.create_from_request(request)
        return get_response(request)

    return middleware


def _is_due(session_key: str) -> bool:
    sign = hashlib.sha256(session_key.encode()).hexdigest()
    try:
        return cache.add(f"session-seen:{sign}", 1, NOTED_EVERY_SECONDS)
    except RedisError:
        return False  # the list is a few minutes older then


def is_anybody_here() -> bool:
    """Return whether a signed-in person has used the site within the last half hour."""
    return bool(UserSession.objects.filter(last_seen_at__gt=Now() - HERE_FOR).exists())


def list_sessions(user_id: int) -> list[UserSession]:
    """Return the user's valid sessions, last used first. Invalid ones become past sessions."""
    sessions = list(UserSession.objects.filter(user_id=user_id).order_by("-last_seen_at"))
    stored = Session.objects.filter(
        session_key__in=[session.session_key for session in sessions], expire_date__gt=Now()
    )
    user = User.objects.get(pk=user_id)
    # A session from before a password change still exists, but signs nobody in.
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    good = {row.pk for row in stored if row.get_decoded().get(HASH_SESSION_KEY) in hashes}
    if over := [session for session in sessions if session.session_key not in good]:
        _move_to_past(user_id, over)
    return [session for session in sessions if session.session_key in good]


@transaction.atomic
def end_sessions(
    *, user_id: int, only: Collection[int] | None = None, keep_key: str | None = None
) -> int:
    """Sign the user out everywhere, or only of the sessions with the ids `only`.

    The session `keep_key` stays signed in. Ends the push subscriptions of the ended sessions' browsers, and closes the
    sockets of these sessions after the commit. Returns the number of ended sessions.
    """
    sessions = UserSession.objects.filter(user_id=user_id).exclude(session_key=keep_key or "")
    if only is not None:
        sessions = sessions.filter(pk__in=only)
    ended = list(sessions)
    keys = [session.session_key for session in ended]
    number, _by_model = Session.objects.filter(session_key__in=keys).delete()
    if ended:
        _move_to_past(user_id, ended)
    subscriptions = PushSubscription.objects.filter(user_id=user_id)
    if only is not None:
        subscriptions = subscriptions.filter(session_key__in=keys)
    elif keep_key:
        subscriptions = subscriptions.exclude(session_key=keep_key)
    subscriptions.delete()
    # A session without a row may have sockets, too.
    revoke_sockets(user_id, None if only is None and keep_key is None else keys)
    return number


@transaction.atomic
def _move_to_past(user_id: int, sessions: Collection[UserSession]) -> None:
    """Turn these sessions into past sessions, of which only the player's latest are kept."""
    names = ("ip", "user_agent", "created_at", "last_seen_at")
    PastSession.objects.bulk_create(
        PastSession(user_id=user_id, **{name: getattr(session, name) for name in names})
        for session in sessions
    )
    UserSession.objects.filter(pk__in=[session.pk for session in sessions]).delete()
    past = PastSession.objects.filter(user_id=user_id)
    kept = past.order_by("-last_seen_at", "-pk").values("pk")[:PAST_SESSIONS_KEPT]
    past.exclude(pk__in=kept).delete()


class SessionsAdapter(DefaultUserSessionsAdapter):  # type: ignore[misc] # allauth has no types
    """The adapter with which allauth's page signs out the other sessions."""

    def end_sessions(self, sessions: Any) -> None:
        by_user: dict[int, list[int]] = {}
        for session in sessions:
            by_user.setdefault(session.user_id, []).append(session.pk)
        for user_id, ids in by_user.items():
            end_sessions(user_id=user_id, only=ids)


def end_session(request: HttpRequest | None, user: User | None, **_signal: Any) -> None:
    """Close the sockets of the session that is being signed out, and end its browser's push subscription."""
    key = request.session.session_key if request is not None else None
    if user is not None and key is not None:
        PushSubscription.objects.filter(user_id=user.pk, session_key=key).delete()
        revoke_sockets(user.pk, [key])


def follow_session(request: HttpRequest, user: User, **_signal: Any) -> None:
    """Move this browser's push subscription to the new session key, which a sign-in has just created.

    If the subscription belongs to another player, who has not signed out here, delete it.
    """
    before = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    if before:
        here = PushSubscription.objects.filter(session_key=before)
        here.exclude(user_id=user.pk).delete()
        here.update(session_key=request.session.session_key or "")


def end_other_sessions(request: HttpRequest, user: User, **_signal: Any) -> None:
    """End the player's other sessions after a password change."""
    is_own = request.user.is_authenticated and request.user.pk == user.pk
    if is_own:
        follow_session(request, user)
    end_sessions(user_id=user.pk, keep_key=request.session.session_key if is_own else None)


def connect_receivers() -> None:
    """Connect the signal receivers for sign-in, sign-out and password changes.

    The receiver for a forgotten password is in accounts/people/first_proof.py.
    """
    user_logged_in.connect(follow_session, dispatch_uid="accounts.follow_session")
    user_logged_out.connect(end_session, dispatch_uid="accounts.end_session")
    for signal in (password_changed, password_set):
        signal.connect(end_other_sessions, dispatch_uid="accounts.end_other_sessions")
