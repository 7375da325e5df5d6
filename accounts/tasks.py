from typing import Any

from celery import shared_task
from django.utils import timezone

from accounts.expiry import forget_what_has_expired as forget_expired
from accounts.push.sender import send
from accounts.push.services import Call


@shared_task(name="accounts.send_push")
def send_push(*, subscription_ids: list[int], call: dict[str, Any]) -> int:
    """Send a push message and return the number of browsers reached. `call` has the fields of `Call`."""
    return send(subscription_ids=subscription_ids, call=Call(**call))


@shared_task(name="accounts.forget_what_has_expired")
def forget_what_has_expired() -> int:
    """Delete expired rows of `accounts` and return their number."""
    return forget_expired(now=timezone.now())
