"""The Celery application: Django brings it, and what starts processes does without."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOADED = """
import sys
import config.run.launch
print("celery" in sys.modules)
import django; django.setup()
from celery import current_app
print(current_app.main)
"""


def test_a_launcher_loads_no_celery_and_a_site_sends_by_its_own_application():
    said = subprocess.run(
        [sys.executable, "-c", LOADED],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings.local"},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert said.split() == ["False", "openrummy"]
