"""Keeps private pages out of caches: those of proxies, and of browsers on shared computers."""

from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_only_middleware

# Private for every client: a program sends a token in place of a cookie, and forms hold addresses.
_ALWAYS_PRIVATE: Final = ("/api/", "/accounts/", "/admin/", "/wallet/")
# The same for everybody.
_NEVER_PRIVATE: Final = frozenset(
    {"manifest", "service_worker", "offline", "favicon", "site_colours", "site_logo"}
)


@sync_only_middleware
def keep_private_answers_out(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Any:
    """Middleware: send `Cache-Control: no-store` with every response that depends on a session or a token."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if _is_private(request, response) and not _is_kept_out(response):
            response.headers["Cache-Control"] = "private, no-store"
        return response

    return handle


def _is_private(request: HttpRequest, response: HttpResponseBase) -> bool:
    resolved = request.resolver_match
    if resolved is not None and resolved.view_name in _NEVER_PRIVATE:
        return False
    # Any session cookie counts: an error page shows the player's name, too.
    has_session = settings.SESSION_COOKIE_NAME in request.COOKIES
    begins_session = settings.SESSION_COOKIE_NAME in response.cookies
    return has_session or begins_session or request.path.startswith(_ALWAYS_PRIVATE)


def _is_kept_out(response: HttpResponseBase) -> bool:
    return "no-store" in response.headers.get("Cache-Control", "")
