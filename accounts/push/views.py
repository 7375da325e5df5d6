"""Views that turn push messages on and off for a browser. The page in the browser sends JSON."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from accounts.models.users import PlayerRequest
from accounts.push.services import (
    BrowserSubscription,
    push_is_on,
    renew,
    subscribe,
    unsubscribe,
    unsubscribe_everywhere,
)
from accounts.refusals import SubscriptionUnusable
from core.values.sent_json import BadJSON, read_json

LONGEST_BODY = 4_096


@login_required
@require_POST
def push_on(request: PlayerRequest) -> HttpResponse:
    """Subscribe with the output of `PushSubscription.toJSON()`. Answers 204, or 400 with the reason."""
    if not push_is_on():
        raise Http404
    try:
        subscribe(user=request.user, browser=_read_browser(request, _read(request)))
    except (KeyError, TypeError, SubscriptionUnusable):
        return JsonResponse({"detail": str(SubscriptionUnusable.message)}, status=400)
    return HttpResponse(status=204)


@csrf_exempt  # a service worker has no token; the browser itself says whose worker it is
@require_POST
def push_renew(request: PlayerRequest) -> HttpResponse:
    """Replace a subscription that the push service has ended: `{"old": endpoint, "new": PushSubscription.toJSON()}`.

    The service worker calls it. Answers 204, or 404 if the player had turned messages off.
    """
    if request.headers.get("Sec-Fetch-Site") != "same-origin":
        raise PermissionDenied
    if not push_is_on() or not request.user.is_authenticated:
        raise Http404
    try:
        sent = _read(request)
        browser = _read_browser(request, sent["new"])
        was_on = renew(user=request.user, old_endpoint=str(sent["old"]), browser=browser)
    except (KeyError, TypeError, SubscriptionUnusable):
        return JsonResponse({"detail": str(SubscriptionUnusable.message)}, status=400)
    return HttpResponse(status=204 if was_on else 404)


@login_required
@require_POST
def push_off(request: PlayerRequest) -> HttpResponse:
    """Unsubscribe: `{"endpoint": ...}`. Answers 204 whether or not it was subscribed."""
    try:
        endpoint = str(_read(request)["endpoint"])
    except (KeyError, TypeError, SubscriptionUnusable):
        return JsonResponse({"detail": str(SubscriptionUnusable.message)}, status=400)
    unsubscribe(user=request.user, endpoint=endpoint)
    return HttpResponse(status=204)


@login_required
@require_POST
def push_off_everywhere(request: PlayerRequest) -> HttpResponse:
    unsubscribe_everywhere(user=request.user)
    messages.success(request, _("Messages are turned off on all devices."))
    return redirect("accounts:notices")


def _read_browser(request: PlayerRequest, sent: Any) -> BrowserSubscription:
    """Read the output of `PushSubscription.toJSON()`. Raises KeyError or TypeError."""
    return BrowserSubscription(
        endpoint=str(sent["endpoint"]),
        p256dh=str(sent["keys"]["p256dh"]),
        auth=str(sent["keys"]["auth"]),
        user_agent=request.headers.get("User-Agent", ""),
        session_key=request.session.session_key or "",
    )


def _read(request: PlayerRequest) -> Any:
    if len(request.body) > LONGEST_BODY:
        raise SubscriptionUnusable
    try:
        return read_json(request.body)
    except BadJSON as error:
        raise SubscriptionUnusable from error
