"""Webhooks: recorded in the transaction of their event, and delivered by a job.

Delivery is at least once. A sender leases a delivery by moving its due time ahead, so if the sender dies, the next
job delivers it. The delivery's number lets the receiver recognise a duplicate. A failed delivery is retried for two
days.
"""

import base64
import hashlib
import hmac
import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.emails.kinds import Values, register_mail_kind, render_greeting
from core.emails.texts import write_mail
from core.models.webhooks import SECRET_PREFIX, Webhook, WebhookDelivery, WebhookEvent
from core.values.hosts import to_ascii_host, to_ascii_url
from core.webhooks.outside import (
    SCHEMES,
    InnerAddress,
    OutsideHandler,
    OutsideTLSHandler,
    find_addresses,
    list_inner_hosts,
)


def record_result(
    event: WebhookEvent,
    data: Callable[[], Mapping[str, Any]],
    *,
    people: Collection[int],
    now: datetime,
) -> int:
    """Record a delivery for each active webhook of this event, and return their number.

    The operator's webhooks get every result. A player's webhook gets a result if the player is among `people`.
    `data` is called only if there is such a webhook.
    """
    concerned = Q(owner=None) | Q(owner__in=people, owner__is_active=True)
    wanting = list(Webhook.objects.filter(concerned, is_active=True, events__contains=[event]))
    if not wanting:
        return 0
    told = {"type": event.value, "timestamp": now, "data": data()}
    body = json.dumps(told, cls=DjangoJSONEncoder, separators=(",", ":"))
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(webhook=webhook, event=event, body=body, made_at=now, due_at=now)
        for webhook in wanting
    )
    return len(wanting)


def rename_in_deliveries(*, user_id: int, since: datetime, name: str) -> None:
    """Replace a person's name in all deliveries since this moment, whether pending or kept as a log."""
    lately = WebhookDelivery.objects.filter(made_at__gte=since)
    for delivery in lately.filter(body__contains=f'"id":{user_id},'):
        told = json.loads(delivery.body)
        people = [*told["data"].get("players", ()), *told["data"].get("places", ())]
        for person in people:
            if person["id"] == user_id:
                person["name"] = name
        delivery.body = json.dumps(told, separators=(",", ":"))
        delivery.save(update_fields=["body"])


def send_again(delivery: WebhookDelivery, *, now: datetime) -> None:
    """Deliver again, with a full series of attempts, whether or not the delivery had succeeded."""
    WebhookDelivery.objects.filter(pk=delivery.pk).update(
        due_at=now, tries=0, delivered_at=None, answer=""
    )


SECONDS_TO_ANSWER: Final = 10
# Players' programs must be quicker, because there are many, and one of them may be slow on purpose.
SECONDS_TO_ANSWER_A_PLAYER: Final = 5
# Pauses after each failed attempt; after the last one the delivery is given up, and a player's webhook that has
# accepted nothing meanwhile is turned off.
PAUSES: Final = tuple(timedelta(minutes=m) for m in (1, 5, 30, 2 * 60, 6 * 60, 12 * 60, 24 * 60))
# How long a sender may take before it counts as dead.
_LEASE: Final = timedelta(minutes=2)
# A job starts no further delivery after this many seconds; the next job does.
_TAKES_FOR: Final = 30
_TAKES_FOR_PLAYERS: Final = 10
_LONGEST_ANSWER: Final = 300


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses redirects, because only the entered address may be called."""

    def redirect_request(self, *_arguments: Any, **_named: Any) -> None:
        return None


# With a proxy, the proxy resolves the address; its own host is checked here.
_open_of_player, _open_of_operator = (
    urllib.request.build_opener(
        _NoRedirects, OutsideHandler(of_player=of_player), OutsideTLSHandler(of_player=of_player)
    ).open
    for of_player in (True, False)
)


def send_due(*, of_players: bool = False) -> int:
    """Post the due deliveries of the operator's webhooks or, with `of_players`, those of players' webhooks.

    Return how many were posted, whatever the responses were.
    """
    until = time.monotonic() + (_TAKES_FOR_PLAYERS if of_players else _TAKES_FOR)
    sent = 0
    while time.monotonic() < until and (taken := _take(of_players=of_players)) is not None:
        _send(taken)
        sent += 1
    return sent


def sign(body: bytes, secret: str, *, number: str, at: int) -> str:
    """Return the `webhook-signature` of Standard Webhooks: "v1," and an HMAC-SHA256 in base64.

    `number` is the delivery's, `at` the time in seconds since 1970. A secret that the operator typed without the
    prefix "whsec_" is itself the key.
    """
    key = secret.encode()
    if secret.startswith(SECRET_PREFIX):
        key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = f"{number}.{at}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


@transaction.atomic
def _take(*, of_players: bool) -> WebhookDelivery | None:
    now = timezone.now()
    # A webhook that is off, or whose owner is frozen, gets no delivery, even if some were recorded before.
    is_owned = Q(webhook__owner__is_active=True) if of_players else Q(webhook__owner=None)
    waiting = WebhookDelivery.objects.filter(
        is_owned, due_at__lte=now, webhook__is_active=True
    ).select_related("webhook__owner")
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
    # Only while no other sender has taken it, and staff have not asked for it to be sent again.
    WebhookDelivery.objects.filter(pk=taken.pk, tries=taken.tries, due_at=taken.due_at).update(
        due_at=due_at, delivered_at=now if has_come else None, answer=answer[:_LONGEST_ANSWER]
    )
    if not has_come and taken.webhook.owner_id is not None:
        _spare(taken, now, is_last=last)


def give_up_deliveries(webhook_id: int) -> None:
    """Drop a webhook's pending deliveries, because it was turned off."""
    WebhookDelivery.objects.filter(webhook=webhook_id, due_at__isnull=False).update(due_at=None)


def _spare(taken: WebhookDelivery, now: datetime, *, is_last: bool) -> None:
    """Pause a player's failing address for a minute. Turn it off if it has accepted nothing for two days.

    Without the pause, a few dead addresses with many due results would take all the time of the job. An address that
    accepts other results is not turned off.
    """
    due = WebhookDelivery.objects.filter(webhook=taken.webhook_id, due_at__lte=now)
    due.update(due_at=now + PAUSES[0])
    accepted = WebhookDelivery.objects.filter(
        webhook=taken.webhook_id, delivered_at__gte=taken.made_at
    )
    if is_last and not accepted.exists():
        _turn_off(taken.webhook)


@transaction.atomic
def _turn_off(webhook: Webhook) -> None:
    """Turn a player's dead address off, and notify the player once."""
    if not Webhook.objects.filter(pk=webhook.pk, is_active=True).update(is_active=False):
        return
    give_up_deliveries(webhook.pk)
    assert webhook.owner is not None  # noqa: S101 - the operator's are not turned off
    page = reverse("accounts:own_webhook", args=[webhook.pk])
    write_mail(
        TURNED_OFF,
        user=webhook.owner,
        hint="account",
        webhook=webhook.name,
        address=webhook.url,
        page=f"{settings.SITE_URL}{page}",
    )


def _compose_turned_off(values: Values) -> tuple[str, str]:
    lines = [
        render_greeting(values),
        "",
        _("Your webhook “%(webhook)s” is off now: its address accepted nothing for two days.")
        % values,
        "",
        values["address"],
        "",
        _("When the address answers again, save the webhook to turn it on:"),
        "",
        values["page"],
    ]
    return _("Your webhook “%(webhook)s” is off") % values, "\n".join(lines)


TURNED_OFF: Final = register_mail_kind(
    "webhook_off",
    gettext_lazy("Webhook turned off"),
    _compose_turned_off,
    webhook=gettext_lazy("the webhook's name"),
    address=gettext_lazy("the address that results are posted to"),
    page=gettext_lazy("the link to the page where the player can turn the webhook back on"),
)


def _post(taken: WebhookDelivery) -> tuple[bool, str]:
    """Post a delivery to its webhook. Return whether it was accepted, and the response or the error as text."""
    try:
        request = _request(taken)
        if taken.webhook.owner_id is None:
            opened = _open_of_operator(request, timeout=SECONDS_TO_ANSWER)
        else:
            check_players_address(taken.webhook.url)
            opened = _open_of_player(request, timeout=SECONDS_TO_ANSWER_A_PLAYER)
        with opened as answer:
            return True, f"{answer.status} {_read_text(answer)}"
    except urllib.error.HTTPError as error:
        with error:
            return False, f"{error.code} {_read_text(error)}"
    except (OSError, http.client.HTTPException, ValueError) as error:
        return False, f"{type(error).__name__}: {error}"


class UnfitAddress(ValueError):  # noqa: N818 - an expected refusal
    """An address that is not allowed for a player's webhook."""


def check_players_address(url: str) -> None:
    """Check that a player's webhook leads out of the operator's network, by https at the usual port.

    The operator's exceptions for their own webhooks do not apply. A name that cannot be resolved now is checked
    when it is used. Raises UnfitAddress.
    """
    parts, inner_hosts = urlsplit(url), list_inner_hosts(of_player=True)
    host = parts.hostname or ""
    if host in inner_hosts:
        return
    if parts.scheme != "https" or parts.port not in {None, 443} or parts.username is not None:
        raise UnfitAddress("the address begins not with https://, or names a port or a user")
    try:
        find_addresses(to_ascii_host(host), 443, inner_hosts=inner_hosts)
    except InnerAddress as error:
        raise UnfitAddress(str(error)) from error
    except OSError:
        pass


def _request(taken: WebhookDelivery) -> urllib.request.Request:
    """Build the HTTP request for a delivery. Raises ValueError for an invalid address."""
    parts = urlsplit(taken.webhook.url)
    if parts.scheme not in SCHEMES:
        raise ValueError("the address begins neither with http:// nor with https://")
    body = taken.body.encode()
    number, at = str(taken.number), int(timezone.now().timestamp())
    request = urllib.request.Request(  # noqa: S310 - the operator's own address
        to_ascii_url(taken.webhook.url),
        data=body,
        headers={
            "Content-Type": "application/json",
            "User-Agent": "OpenRummy",
            "webhook-id": number,
            "webhook-timestamp": str(at),
            "webhook-signature": sign(body, taken.webhook.secret, number=number, at=at),
        },
    )
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        request.add_header("Authorization", f"Basic {base64.b64encode(pair.encode()).decode()}")
    return request


def _read_text(answer: Any) -> str:
    return str(answer.read(_LONGEST_ANSWER).decode("utf-8", "replace")).replace("\0", "")
