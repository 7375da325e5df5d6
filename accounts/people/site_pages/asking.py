"""Asking players for terms that are newer than those they have accepted, at their next visit."""

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.decorators import sync_only_middleware

from accounts.people.site_pages.selectors import accepted_terms
from core.site.content import site

# In the session: the version that is known to be accepted.
_KEY: Final = "accepted_terms"
# Nobody is held up who plays, asks for help, takes their money out, signs out, or reads what to accept.
_NOT_HERE: Final = (
    *("/site/", "/accounts/", "/admin/", "/api/", "/i18n/", "/docs/", "/static/"),
    *("/tables/", "/support/", "/wallet/withdrawals/", "/offline/"),
)


@sync_only_middleware
def ask_for_terms(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Any:
    """Middleware: a page that a player opens leads to the newer terms first."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        if _is_visit(request) and _has_to_accept(request):
            query = urlencode({"next": request.get_full_path()})
            return HttpResponseRedirect(f"{reverse('accept_terms')}?{query}")
        return get_response(request)

    return handle


def note_accepted(session: SessionBase, number: int) -> None:
    session[_KEY] = number


def _is_visit(request: HttpRequest) -> bool:
    return (
        request.method in {"GET", "HEAD"}
        and settings.SESSION_COOKIE_NAME in request.COOKIES
        and "text/html" in request.headers.get("Accept", "")
        and "HX-Request" not in request.headers
        and not request.path.startswith(_NOT_HERE)
    )


def _has_to_accept(request: HttpRequest) -> bool:
    wanted = site().terms
    if not wanted or request.session.get(_KEY, 0) >= wanted:
        return False
    if not request.user.is_authenticated or request.user.is_staff:
        return False
    accepted = accepted_terms(request.user.pk)
    if accepted < wanted:
        return True
    note_accepted(request.session, accepted)
    return False
