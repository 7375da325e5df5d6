"""The Celery application: jobs that may run a second late.

Turn clocks and every other deadline of live play belong to `manage.py clock`, which acts on columns
in the database; see docs/adr/0003-deadlines-are-columns.md.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.local")

app = Celery("openrummy", include=["config.tasks", "config.signs_of_life"])
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
