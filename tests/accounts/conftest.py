import pytest
from django.core.cache import cache

from accounts.models import User


@pytest.fixture(autouse=True)
def _fresh_rate_limits():
    """allauth counts attempts in the cache, which outlives a test."""
    cache.clear()


@pytest.fixture
def asha():
    return User.objects.create_user("asha@example.com", player_name="Asha")
