"""Origins of third-party web pages that may call the API and open sockets from a browser.

The caller is identified by a token, never by cookies. It is therefore safe that a page of a registered origin may
use any program's token.
"""

import re
from typing import Any
from urllib.parse import urlsplit

from corsheaders.conf import conf
from corsheaders.signals import check_request_enabled
from django.db.models import Q
from django.http import HttpRequest

from accounts.models import OAuthClient
from accounts.models.oauth import LOOPBACK
from core.values.hosts import to_ascii_host


def is_registered(origin: str) -> bool:
    """Return whether a program whose maker is not frozen has registered this origin."""
    usable = Q(owner=None) | Q(owner__is_active=True)
    found: bool = OAuthClient.objects.filter(usable, origins__contains=[origin]).exists()
    return found


def normalize_origin(text: str) -> str | None:
    """Return an origin as browsers spell it.

    Return None for a text that is not an origin, and for one that uses neither https nor an address of this
    machine.
    """
    try:
        parts = urlsplit(text.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    is_here = host in LOOPBACK or host == "localhost"
    if not host or "*" in host or parts.scheme not in ({"http", "https"} if is_here else {"https"}):
        return None
    if parts.path.strip("/") or parts.query or parts.fragment or parts.username is not None:
        return None
    try:
        ascii_host = to_ascii_host(host)
    except ValueError:
        return None
    name = f"[{ascii_host}]" if ":" in ascii_host else ascii_host
    is_usual = port is None or port == {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{name}" + ("" if is_usual else f":{port}")


def connect_receivers() -> None:
    check_request_enabled.connect(_may_call, dispatch_uid="accounts.origins_of_programs")


def _may_call(request: HttpRequest, **_named: Any) -> bool:
    origin = request.headers.get("Origin", "")
    # A page of this site calls its own origin, which needs no permission.
    is_own = origin.partition("://")[2] == request.headers.get("Host")
    return (
        bool(origin)
        and not is_own
        and re.match(conf.CORS_URLS_REGEX, request.path_info) is not None
        and is_registered(origin)
    )
