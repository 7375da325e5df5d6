"""Invitations to clubs for visitors: they register or sign in first, and then become members.

Pressing *Join* is remembered in the browser's session and takes effect at the next sign-in there.
"""

from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from core.refusals import Refusal
from players.clubs.services import join
from tables.models import BELONGS

_KEY: Final = "club_invitation"
# Time to register. Later, somebody else may sit at this browser.
LASTS: Final = timedelta(hours=1)


def remember_invitation(session: SessionBase, *, club_id: int, invite: str, now: datetime) -> None:
    session[_KEY] = {"club": club_id, "invite": invite, "until": (now + LASTS).timestamp()}


def follow_invitation(sender: Any, request: HttpRequest | None, user: User, **_more: Any) -> None:
    """Let a player who has just signed in join the club for which they pressed *Join*."""
    session = getattr(request, "session", None)
    found = None if session is None else session.pop(_KEY, None)
    if request is None or found is None or timezone.now().timestamp() > found["until"]:
        return
    try:
        role = join(club_id=found["club"], user_id=user.pk, invite=found["invite"])
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return
    if role in BELONGS:
        messages.success(request, _("You are a member of the club now."))


def connect() -> None:
    user_logged_in.connect(follow_invitation, dispatch_uid="players.follow_invitation")
