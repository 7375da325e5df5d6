"""The list of the player's sessions, and ending them."""

from typing import Any

from allauth.usersessions.views import ListUserSessionsView
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models.users import PlayerRequest
from accounts.sessions.services import end_sessions, list_sessions


class SessionsView(ListUserSessionsView):  # type: ignore[misc] # allauth has no types
    """allauth's page and form without its list, which makes three queries for each session."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super(ListUserSessionsView, self).get_context_data(**kwargs)
        return {**context, "sessions": list_sessions(int(self.request.user.pk or 0))}


@login_required
@require_POST
def end_session(request: PlayerRequest, session_id: int) -> HttpResponse:
    key = request.session.session_key
    if end_sessions(user_id=request.user.pk, only=[session_id], keep_key=key):
        messages.success(request, _("That device is signed out."))
    return redirect("usersessions_list")


@login_required
@require_POST
def sign_out_everywhere(request: PlayerRequest) -> HttpResponse:
    """Sign out all devices, including this one."""
    end_sessions(user_id=request.user.pk)
    logout(request)
    messages.success(request, _("You are signed out everywhere."))
    return redirect("account_login")
