from typing import Any

from celery import shared_task
from django.utils import timezone

from accounts.exports.forgetting import forget_what_has_expired as forget_expired
from accounts.notifications.emails import send_emails as send_due_emails
from accounts.notifications.site.content import refresh_site
from accounts.notifications.site_notices import refresh_notices as refresh_all_notices
from accounts.notifications.webhooks.sending import send_due
from accounts.people.name_skeletons import fill_name_skeletons
from accounts.push.sender import send
from accounts.push.services import Call


@shared_task(name="accounts.send_emails")
def send_emails() -> int:
    """The number of emails that were sent."""
    return send_due_emails(now=timezone.now())


@shared_task(name="accounts.send_push")
def send_push(*, subscription_ids: list[int], call: dict[str, Any]) -> int:
    """The number of browsers that were told; `call` has the fields of `Call`."""
    return send(subscription_ids=subscription_ids, call=Call(**call))


@shared_task(name="accounts.forget_what_has_expired")
def forget_what_has_expired() -> int:
    """The number of sessions and keys that are gone."""
    return forget_expired(now=timezone.now())


@shared_task(name="accounts.send_webhooks")
def send_webhooks() -> int:
    """The number of results that were posted."""
    return send_due()


@shared_task(name="accounts.refresh_notices")
def refresh_notices() -> int:
    """Refresh the announcements. Returns how many are shown now or later.

    The operator's texts about the site are read again too, and names without a skeleton get one.
    """
    fill_name_skeletons()
    refresh_site()
    return len(refresh_all_notices())
