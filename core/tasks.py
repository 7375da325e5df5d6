import requests
from celery import shared_task
from django.utils import timezone

from core import sms
from core.emails.sending import send_emails as send_due_emails
from core.site.content import refresh_site as refresh_cached_site
from core.site.notices import refresh_notices
from core.webhooks.delivery import send_due


@shared_task(name="core.send_emails")
def send_emails() -> int:
    """Send due e-mails and return their number."""
    return send_due_emails(now=timezone.now())


@shared_task(name="core.send_webhooks")
def send_webhooks() -> int:
    """Post due results to the operator's webhooks. Return the number of deliveries."""
    return send_due()


@shared_task(name="core.send_webhooks_of_players")
def send_webhooks_of_players() -> int:
    """Post due results to players' webhooks. Return the number of deliveries."""
    return send_due(of_players=True)


@shared_task(name="core.refresh_site")
def refresh_site() -> int:
    """Refresh the cached site and its announcements. Return the number of current and future announcements."""
    refresh_cached_site()
    return len(refresh_notices())


@shared_task(
    name="core.send_sms",
    autoretry_for=(requests.RequestException,),
    retry_backoff=2,
    max_retries=3,
    ignore_result=True,
)
def send_sms(number: str, text: str) -> None:
    """Send a text message. If the provider fails, retry after some seconds."""
    sms.send_sms(number, text)
