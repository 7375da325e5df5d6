from typing import Any

from celery import shared_task
from django.utils import timezone

from accounts.forgetting import forget_what_has_expired as forget_expired
from accounts.letters import send_letters as send_due_letters
from accounts.push import Call
from accounts.push_sender import send


@shared_task(name="accounts.send_letters")
def send_letters() -> int:
    """The number of letters that were sent."""
    return send_due_letters(now=timezone.now())


@shared_task(name="accounts.send_push")
def send_push(*, subscription_ids: list[int], call: dict[str, Any]) -> int:
    """The number of browsers that were told; `call` has the fields of `Call`."""
    return send(subscription_ids=subscription_ids, call=Call(**call))


@shared_task(name="accounts.forget_what_has_expired")
def forget_what_has_expired() -> int:
    """The number of sessions and keys that are gone."""
    return forget_expired(now=timezone.now())
