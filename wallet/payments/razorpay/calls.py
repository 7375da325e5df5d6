"""Asking Razorpay's API, and telling a final no from what may still come right.

https://razorpay.com/docs/api/ - keys by HTTP Basic, JSON both ways, errors as
{"error": {"code", "description", "reason"}}.
"""

import base64
import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings

SECONDS_TO_ANSWER: Final = 10
_API: Final = "https://api.razorpay.com"
_LONGEST_ANSWER: Final = 1_000_000
# What Razorpay says of the order itself. Wrong keys, too many requests and a request that is still
# under way are none of its faults.
_FINAL: Final = frozenset({400, 404, 422})


class Declined(Exception):  # noqa: N818 - expected: addresses are typed by people
    """Razorpay understood, and will never do it; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Unanswered(OSError):  # noqa: N818 - may still come right
    """Nobody knows whether it was done: no answer, or one that says nothing."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Keys are shown to the address that the operator wrote down, and to no other one."""

    def redirect_request(self, *_arguments: Any, **_named: Any) -> None:
        return None


_open = urllib.request.build_opener(_NoRedirects).open


def option(name: str, default: str = "") -> str:
    """PAYMENT_RAZORPAY_<name> of the environment."""
    return str(settings.PAYMENT_OPTIONS.get(f"RAZORPAY_{name}", default))


def ask(
    path: str, body: Mapping[str, Any] | None = None, *, headers: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """POST `body` to `path`, or GET it without one; what was answered. Raises Declined, or OSError."""
    keys = f"{option('KEY_ID')}:{option('KEY_SECRET')}".encode()
    request = urllib.request.Request(  # noqa: S310 - the operator's own address
        option("URL", _API) + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Content-Type": "application/json",
            "Authorization": f"Basic {base64.b64encode(keys).decode()}",
            **(headers or {}),
        },
    )
    try:
        with _open(request, timeout=SECONDS_TO_ANSWER) as answer:
            return _object(answer.read(_LONGEST_ANSWER))
    except urllib.error.HTTPError as error:
        with error:
            said = error.read(_LONGEST_ANSWER)
        if error.code in _FINAL:
            raise Declined(_reason(said)) from error
        raise Unanswered(f"{path}: {error.code} {_reason(said)}") from error
    except http.client.HTTPException as error:
        raise Unanswered(f"{path}: {error!r}") from error


def _object(said: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(said)
    except ValueError as error:
        raise Unanswered("the answer is no JSON") from error
    if not isinstance(answer, dict):
        raise Unanswered("the answer is no object")
    return answer


def _reason(said: bytes) -> str:
    """In Razorpay's words; its description only where it names no reason."""
    try:
        error = json.loads(said)["error"]
        known = [error.get(name) for name in ("reason", "description", "code")]
    except (ValueError, KeyError, TypeError, AttributeError):
        known = []
    words = [str(word) for word in known if word and word != "NA"]
    return words[0][:200] if words else "unknown"
