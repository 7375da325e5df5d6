"""A push service that tests of alerts read."""

import pytest

from accounts.push.web_push import make_private_key
from tests.accounts.push_service import push_service
from tests.workers import empty_redis


@pytest.fixture
def service(settings, monkeypatch):
    """Serve pushes for this process and for the workers that a test starts."""
    key = make_private_key()
    with push_service() as running:
        settings.VAPID_PRIVATE_KEY, settings.PUSH_SERVICES = key, [running.address]
        monkeypatch.setenv("VAPID_PRIVATE_KEY", key)
        monkeypatch.setenv("PUSH_SERVICES", running.address)
        yield running
    empty_redis()
