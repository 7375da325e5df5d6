from celery import shared_task
from django.utils import timezone

from accounts.letters import send_letters as send_due_letters


@shared_task(name="accounts.send_letters")
def send_letters() -> int:
    """The number of letters that were sent."""
    return send_due_letters(now=timezone.now())
