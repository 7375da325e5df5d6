"""The scheduler of beat, which checks the alerts itself while no broker takes the job that would."""

from typing import Any

from celery.beat import PersistentScheduler, ScheduleEntry, SchedulingError
from django.db import close_old_connections
from kombu import Connection

from config.tasks import check_alerts


class AlertingScheduler(PersistentScheduler):
    """Celery's own. Without it the broker's absence would be told by nobody, as every job needs the broker."""

    def _ensure_connected(self) -> Connection:
        """Leave it to each job to connect: Celery waits here for the broker, and has no turn until it is there."""
        return self.connection

    def apply_async(self, entry: ScheduleEntry, *arguments: Any, **options: Any) -> Any:
        """Send the job. Raises SchedulingError without a broker; the alerts have been checked by then."""
        try:
            return super().apply_async(entry, *arguments, **options)
        except SchedulingError:
            if entry.task == check_alerts.name:
                try:
                    check_alerts()
                finally:
                    close_old_connections()
            raise
