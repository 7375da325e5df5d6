import pytest
from redis import Redis

from accounts.desk.staff_roles import Role
from config.settings.schedule import QUEUES
from tests.accounts.staff import member, office


@pytest.fixture(autouse=True)
def _no_jobs(settings):
    """Delete the jobs that other tests have left in the queues."""
    with Redis.from_url(settings.JOBS_REDIS_URL) as redis:
        redis.delete(*QUEUES)


@pytest.fixture
def boss(db):
    """A browser in which a superuser is signed in."""
    return office(member(Role.SUPERUSER))
