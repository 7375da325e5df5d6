"""The Celery application, for jobs that may run a second late.

Turn clocks and every other deadline of live play belong to `manage.py clock`, which acts on columns in the
database; see docs/adr/0003-deadlines-are-columns.md.
"""

import gc
import os
import sys
from typing import Any

from celery import Celery
from celery.signals import worker_before_create_process, worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.local")

app = Celery("openrummy", include=["config.tasks", "config.monitoring.metrics"])
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def check_the_login(**_signal: Any) -> None:
    """Check the worker's database login before the first job. Exits if it is wrong."""
    # Import after the settings and apps are loaded.
    from wallet.api import WrongLoginError, refuse_to_serve_with_a_wrong_login  # noqa: PLC0415

    try:
        refuse_to_serve_with_a_wrong_login()
    except WrongLoginError as error:
        sys.exit(f"openrummy: {error}")


@worker_before_create_process.connect
def share_memory(**_signal: Any) -> None:
    """Exempt the parent's objects from garbage collection, which would copy their memory into each child process."""
    gc.collect()  # what is frozen is never collected, and this comes again whenever a process is replaced
    gc.freeze()
