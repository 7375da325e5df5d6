"""Deletes rows that have expired.

These are sessions with their push subscriptions, OAuth grants and tokens, stored responses to API requests, and
finished webhook deliveries.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.contrib.sessions.models import Session
from django.db.models import QuerySet

from accounts.models import (
    ApiRequest,
    OAuthAccessToken,
    OAuthDevice,
    OAuthGrant,
    OAuthIDToken,
    PushSubscription,
)
from accounts.push.services import live_subscriptions
from core.models import WebhookDelivery

# A program that got no answer retries within minutes.
KEYS_KEPT_FOR = timedelta(days=7)
DELIVERIES_KEPT_FOR = timedelta(days=30)
# Rows per DELETE statement: a long statement would keep the space of all deleted rows in use.
FORGOTTEN_AT_ONCE = 5_000
STATEMENTS = 200


def forget_what_has_expired(*, now: datetime) -> int:
    """Delete a batch of expired rows of each kind and return their number. The next call deletes more."""
    return sum(
        _forget(old)
        for old in (
            lambda: Session.objects.filter(expire_date__lt=now),
            _ended_subscriptions,
            lambda: ApiRequest.objects.filter(made_at__lt=now - KEYS_KEPT_FOR),
            lambda: OAuthGrant.objects.filter(expires__lt=now),
            lambda: OAuthDevice.objects.filter(expires__lt=now),
            lambda: OAuthAccessToken.objects.filter(expires__lt=now),
            # An access token ends with its ID token, which expires before it.
            lambda: OAuthIDToken.objects.filter(expires__lt=now, access_token=None),
            lambda: WebhookDelivery.objects.filter(
                made_at__lt=now - DELIVERIES_KEPT_FOR, due_at=None
            ),
        )
    )


def _ended_subscriptions() -> QuerySet[PushSubscription]:
    return PushSubscription.objects.exclude(pk__in=live_subscriptions())


def _forget(old: Callable[[], QuerySet[Any, Any]]) -> int:
    forgotten = 0
    for _statement in range(STATEMENTS):
        some = list(old().values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
        forgotten += old().filter(pk__in=some).delete()[0]
        if len(some) < FORGOTTEN_AT_ONCE:
            break
    return forgotten
