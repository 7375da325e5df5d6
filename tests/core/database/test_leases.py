import re
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from core.database.leases import Job, lease
from core.models import Lease
from tests.programs import ROOT
from tests.together import run_at_once

pytestmark = pytest.mark.django_db


def test_a_lease_has_one_holder_and_can_be_taken_afterwards():
    for _ in range(2):
        with lease(Job.SENDING_EMAILS) as first, lease(Job.SENDING_EMAILS) as second:
            assert (first, second) == (True, False)
    assert not Lease.objects.exists()


def test_jobs_do_not_wait_for_each_other():
    with lease(Job.SENDING_EMAILS), lease(Job.TELLING_ABSENT) as is_alone:
        assert is_alone


def test_a_job_that_fails_gives_its_lease_back():
    with pytest.raises(ZeroDivisionError), lease(Job.SENDING_EMAILS):
        _ = 1 / 0
    assert not Lease.objects.exists()


def test_a_dead_process_keeps_a_job_until_its_deadline():
    Lease.objects.create(job=Job.SENDING_EMAILS, until=Now() + timedelta(minutes=1))
    with lease(Job.SENDING_EMAILS) as is_alone:
        assert not is_alone
    Lease.objects.update(until=Now() - timedelta(seconds=1))
    with lease(Job.SENDING_EMAILS) as is_alone:
        assert is_alone


def test_a_process_that_outlives_its_lease_leaves_the_next_one_its_own():
    with lease(Job.SENDING_EMAILS):
        Lease.objects.update(until=Now() - timedelta(seconds=1))
        second = lease(Job.SENDING_EMAILS)
        assert second.__enter__()
    with lease(Job.SENDING_EMAILS) as third:
        assert not third
    second.__exit__(None, None, None)
    assert not Lease.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_one_of_many_concurrent_processes_gets_the_lease(transactional_db):
    leases = [lease(Job.SENDING_EMAILS) for _ in range(4)]
    assert sorted(run_at_once(*[lease.__enter__ for lease in leases])) == 3 * [False] + [True]
    assert Lease.objects.count() == 1


def test_no_lock_outlives_its_transaction():
    """Through a pooler, a session-level lock would stay on a server session after its client has left."""
    apps = [
        "accounts",
        "config",
        "core",
        "history",
        "lobby",
        "players",
        "tables",
        "tournaments",
        "wallet",
    ]
    sources = [
        path for app in apps for path in (ROOT / app).rglob("*") if path.suffix in {".py", ".sql"}
    ]
    locks = [
        (path, lock)
        for path in sources
        for lock in re.findall(r"pg_(?:try_)?advisory_\w*lock\w*", path.read_text())
    ]
    assert len(locks) >= 5
    assert [(path, lock) for path, lock in locks if "_xact_" not in lock] == []
