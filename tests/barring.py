"""Fixtures for the two ways in which a player is barred from play: self-exclusion and freezing."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.people.closing import freeze
from wallet.limits.services import exclude_oneself
from wallet.refusals import ACCOUNT_FROZEN, SELF_EXCLUDED

__all__ = ["bar", "bar_unheard", "way"]


def exclude(user):
    exclude_oneself(user_id=user.pk, until=timezone.now() + timedelta(days=2))


def freeze_by_staff(user):
    freeze(user_id=user.pk, staff_id=0, reason="A stolen card.")


WAYS = {"excluded": (exclude, SELF_EXCLUDED), "frozen": (freeze_by_staff, ACCOUNT_FROZEN)}


@pytest.fixture(params=WAYS)
def way(request):
    return WAYS[request.param]


@pytest.fixture
def bar(way, django_capture_on_commit_callbacks):
    """Return a function that bars a player and runs the on-commit callbacks."""

    def bar_user(user):
        with django_capture_on_commit_callbacks(execute=True):
            way[0](user)

    return bar_user


@pytest.fixture
def bar_unheard(way):
    """Return a function that bars a player without the on-commit callbacks, as if the process died then."""
    return way[0]
