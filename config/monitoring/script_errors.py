"""Logs script errors from players' browsers, within rate limits for each household and for the whole site.

A record says where the script failed and nothing about the player. It has the page's name instead of its address,
locations in our own files, and the first words of the message.
"""

import json
import logging
import re
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from accounts.sessions.devices import name_device
from core import throttling
from core.throttling import Rate

logger = logging.getLogger(__name__)

LONGEST_BODY: Final = 4_096
LONGEST_MESSAGE: Final = 200
PLACES: Final = 8
OF_A_HOUSEHOLD: Final = 5
OF_THE_SITE: Final = 60
_SECONDS: Final = 60
_PLACE = re.compile(r"/static/(js/[\w./-]{1,100}\.js):(\d{1,6}):(\d{1,6})", re.ASCII)
# Parts that may identify a person or grant access: addresses, keys, quoted values, long numbers.
_PERSONAL = re.compile(r"\S*[@/]\S*|[\w-]{20,}|\d{3,}|\"[^\"]*\"|'[^']*'|“[^”]*”")
_UNPRINTABLE = re.compile(r"[^\x20-\x7e]+")


@csrf_exempt  # it changes nothing; a page of another site cannot send JSON here
@require_POST
def script_error(request: HttpRequest) -> HttpResponse:
    """Log `{"message", "stack", "page"}`. Answers 204, 400 for anything else, and 429 above the rate limit."""
    if request.content_type != "application/json" or len(request.body) > LONGEST_BODY:
        return HttpResponse(status=400)
    household = f"script-error:{throttling.identify_household(request)}"
    taken = throttling.take(
        Rate(household, OF_A_HOUSEHOLD, _SECONDS), Rate("script-error", OF_THE_SITE, _SECONDS)
    )
    if not taken.is_allowed:
        return HttpResponse(status=429)
    try:
        sent = json.loads(request.body)
    except (ValueError, RecursionError):
        return HttpResponse(status=400)
    if not isinstance(sent, dict):
        return HttpResponse(status=400)
    logger.warning(
        "a script failed: %s; page: %s; at: %s; browser: %s",
        _read_message(sent.get("message")),
        _page(sent.get("page")),
        " < ".join(_list_places(sent.get("stack"))) or "unknown",
        _UNPRINTABLE.sub("?", name_device(request.headers.get("User-Agent", ""))),
    )
    return HttpResponse(status=204)


def _read_message(sent: Any) -> str:
    words = _PERSONAL.sub("…", str(sent)[: LONGEST_MESSAGE * 2])
    return _UNPRINTABLE.sub("?", words)[:LONGEST_MESSAGE]


def _page(sent: Any) -> str:
    """Return the URL name for the address of one of our pages, or "unknown".

    The address itself is not logged, because it may contain a key.
    """
    try:
        return resolve(str(sent)).view_name or "unknown"
    except Resolver404:
        return "unknown"


def _list_places(sent: Any) -> list[str]:
    found = _PLACE.findall(str(sent))[:PLACES]
    return [f"{path}:{line}:{column}" for path, line, column in found]
