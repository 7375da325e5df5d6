"""Posting what is due. Who answers with a success has it; others are asked again, for two days.

A delivery is taken by moving its due time ahead, so that a sender that dies in the middle leaves it
to the next one: it comes at least once, and its number tells a second time from the first.
"""

import hashlib
import hmac
import http.client
import time
import urllib.error
import urllib.request
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from django.db import transaction
from django.utils import timezone

from accounts.models.webhooks import WebhookDelivery
from accounts.notifications.webhooks.outside import SCHEMES, OutsideHandler, OutsideTLSHandler

SECONDS_TO_ANSWER: Final = 10
# After each try that failed; after the last one it is given up.
PAUSES: Final = tuple(timedelta(minutes=m) for m in (1, 5, 30, 2 * 60, 6 * 60, 12 * 60, 24 * 60))
# How long a sender may take; then it has died.
_LEASE: Final = timedelta(minutes=2)
# A job takes no further one after so many seconds; the next job does.
_TAKES_FOR: Final = 30
_LONGEST_ANSWER: Final = 300


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """An address that leads elsewhere is not the one that the operator wrote down."""

    def redirect_request(self, *_arguments: Any, **_named: Any) -> None:
        return None


# An address that leads out by a proxy is looked up there: the proxy's own host is checked here.
_open = urllib.request.build_opener(_NoRedirects, OutsideHandler, OutsideTLSHandler).open


def send_due() -> int:
    """Post the webhooks that are due. Returns how many, whatever the answers."""
    until = time.monotonic() + _TAKES_FOR
    sent = 0
    while time.monotonic() < until and (taken := _take()) is not None:
        _send(taken)
        sent += 1
    return sent


def signature_of(body: bytes, secret: str, *, at: int) -> str:
    """`t=<seconds since 1970>,v1=<hex of HMAC-SHA256 over "<t>.<body>">`."""
    mark = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={mark}"


@transaction.atomic
def _take() -> WebhookDelivery | None:
    now = timezone.now()
    waiting = WebhookDelivery.objects.filter(due_at__lte=now).select_related("webhook")
    taken = waiting.select_for_update(skip_locked=True, of=("self",)).order_by("due_at").first()
    if taken is not None:
        taken.due_at = now + _LEASE
        taken.tries += 1
        taken.save(update_fields=["due_at", "tries"])
    return taken


def _send(taken: WebhookDelivery) -> None:
    has_come, answer = _post(taken)
    now = timezone.now()
    last = taken.tries > len(PAUSES)
    due_at = None if has_come or last else now + PAUSES[taken.tries - 1]
    # Only as long as nobody else has taken it, or asked for it to be sent again.
    WebhookDelivery.objects.filter(pk=taken.pk, tries=taken.tries, due_at=taken.due_at).update(
        due_at=due_at, delivered_at=now if has_come else None, answer=answer[:_LONGEST_ANSWER]
    )


def _post(taken: WebhookDelivery) -> tuple[bool, str]:
    """Post a webhook. Returns whether it was accepted, and the answer."""
    try:
        with _open(_request(taken), timeout=SECONDS_TO_ANSWER) as answer:
            return True, f"{answer.status} {_text(answer)}"
    except urllib.error.HTTPError as error:
        with error:
            return False, f"{error.code} {_text(error)}"
    except (OSError, http.client.HTTPException, ValueError) as error:
        return False, f"{type(error).__name__}: {error}"


def _request(taken: WebhookDelivery) -> urllib.request.Request:
    """Raises ValueError for what is no address."""
    if urlsplit(taken.webhook.url).scheme not in SCHEMES:
        raise ValueError("the address begins neither with http:// nor with https://")
    body = taken.body.encode()
    signature = signature_of(body, taken.webhook.secret, at=int(timezone.now().timestamp()))
    return urllib.request.Request(  # noqa: S310 - the operator's own address
        taken.webhook.url,
        data=body,
        headers={
            "Content-Type": "application/json",
            "User-Agent": "OpenRummy",
            "OpenRummy-Event": taken.event,
            "OpenRummy-Delivery": str(taken.number),
            "OpenRummy-Signature": signature,
        },
    )


def _text(answer: Any) -> str:
    return str(answer.read(_LONGEST_ANSWER).decode("utf-8", "replace")).replace("\0", "")
