"""The Celery application: Django's set-up loads it, but the launcher does not need it."""

import os

from tests.programs import run_python

LOADED = """
import sys
import config.run.launch
print("celery" in sys.modules)
import django; django.setup()
from celery import current_app
print(current_app.main)
"""


def test_the_launcher_loads_no_celery_and_the_site_configures_it():
    local = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings.local"}
    said = run_python("-c", LOADED, env=local, check=True)
    assert said.stdout.split() == ["False", "openrummy"]
