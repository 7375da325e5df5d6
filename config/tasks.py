"""Jobs that need every app."""

from celery import shared_task
from django.utils import timezone

from accounts.exports.services import forget_old_exports, make_exports
from config.person.account_data import account_data
from config.person.guest_removal import remove_guests as remove_old_guests


@shared_task(name="config.tend_exports")
def tend_exports() -> int:
    """Make the exports that were asked for, forget old ones; how many were made."""
    now = timezone.now()
    forget_old_exports(now=now)
    return make_exports(account_data, now=now)


@shared_task(name="config.remove_guests")
def remove_guests() -> int:
    """The number of guests who are gone."""
    return remove_old_guests(now=timezone.now())
