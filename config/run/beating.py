"""Beat's scheduler, which checks the alerts itself while no broker takes that job."""

from typing import Any

from celery.beat import PersistentScheduler, ScheduleEntry, SchedulingError
from django.db import close_old_connections
from kombu import Connection

from config.tasks import check_alerts


class AlertingScheduler(PersistentScheduler):
    """Celery's scheduler, which also reports that the broker is away.

    Every job needs the broker, even the job that sends alerts.
    """

    def _ensure_connected(self) -> Connection:
        """Do nothing, and let each job connect.

        Celery's method would wait for the broker and send nothing meanwhile.
        """
        return self.connection

    def apply_async(self, entry: ScheduleEntry, *arguments: Any, **options: Any) -> Any:
        """Send the job. Without a broker, check the alerts and raise SchedulingError."""
        try:
            return super().apply_async(entry, *arguments, **options)
        except SchedulingError:
            if entry.task == check_alerts.name:
                try:
                    check_alerts()
                finally:
                    close_old_connections()
            raise
