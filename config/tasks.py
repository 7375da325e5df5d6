"""Jobs that need several apps."""

from celery import shared_task
from django.utils import timezone

from accounts.people.exports import forget_old_exports, make_exports
from config.account_data.closing import forget_origins as forget_old_origins
from config.account_data.closing import remove_guests as remove_old_guests
from config.account_data.export import export_account_data
from config.desk.alerts import check_alerts as check_all_alerts
from config.reports.computing import compute_due


@shared_task(name="config.maintain_exports")
def maintain_exports() -> int:
    """Make the exports that players have requested, and delete old exports. Return the number made."""
    now = timezone.now()
    forget_old_exports(now=now)
    return make_exports(export_account_data, now=now)


@shared_task(name="config.remove_guests")
def remove_guests() -> int:
    """Remove a batch of old guests. Return the number removed."""
    return remove_old_guests(now=timezone.now())


@shared_task(name="config.forget_origins")
def forget_origins() -> int:
    """Empty or delete old marks of origin. Return the number of rows changed or deleted."""
    return forget_old_origins(now=timezone.now())


@shared_task(name="config.compute_reports")
def compute_reports() -> int:
    """Compute the reports. Return the number of days computed."""
    return compute_due(now=timezone.now())


@shared_task(name="config.check_alerts")
def check_alerts() -> int:
    """Check the alerts. Return the number of alerts that are on."""
    return check_all_alerts(now=timezone.now())
