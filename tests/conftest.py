"""Fixtures of the whole suite. As in production, the owner migrates the database and tests use the application role."""

import gc
import os
import random
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import OperationalError, connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import TransactionTestCase
from django.utils import translation
from hypothesis import settings as hypothesis_settings
from psycopg.errors import LockNotAvailable

from config.sockets import consumers as config_consumers
from config.sockets import socket_limits
from lobby import watching
from tables.live import delayed_view, presence, sockets
from tables.play import bots, seeds
from tables.seating import sitting
from tests.config.run.embedded.migrated import migrated  # noqa: F401 - a fixture
from tests.effort import IS_FULL, share_of
from tests.live_site import serve
from tests.order import spread_waiting
from tests.play_tables import (
    PARTITIONED,
    _locks_rows_of_one_table,  # noqa: F401 - a fixture
    _statements_are_watched,  # noqa: F401 - a fixture
    partition_play_tables,
)
from tests.pooler import (
    THROUGH_POOLER,
    leave_out_own_sessions,
    pytest_report_header,  # noqa: F401 - a hook
    run_pooler_for_all,
)
from tests.skips import pytest_sessionfinish, pytest_terminal_summary  # noqa: F401 - hooks
from tests.workers import Workers, empty_redis, wait_until

hypothesis_settings.register_profile(
    "suite",
    max_examples=share_of(100),
    deadline=None,
    derandomize=bool(os.environ.get("CI")) and not IS_FULL,  # --full draws new examples in each run
)
hypothesis_settings.load_profile("suite")

# Its first use downloads open_spiel from the package index.
collect_ignore = [] if IS_FULL else ["games/gin/test_open_spiel.py"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    leave_out_own_sessions(config, items)
    spread_waiting(items)


# Imported modules and collected tests live until the end, so the garbage collector need not scan them.
gc.set_threshold(100_000)


def pytest_collection_finish() -> None:
    gc.freeze()


@pytest.fixture(autouse=True)
def _same_deals_every_time(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seed this process's random numbers for deals and bots with the test's name.

    A test that needs a deal with a discard in it then finds one in every run or in none. Servers
    and workers in separate processes still use the system's random source.
    """
    chance = random.Random(request.node.nodeid)
    monkeypatch.setattr(seeds, "secrets", SimpleNamespace(token_bytes=chance.randbytes))
    monkeypatch.setattr(bots, "secrets", SimpleNamespace(randbits=chance.getrandbits))
    monkeypatch.setattr(sitting, "secrets", SimpleNamespace(choice=chance.choice))


@pytest.fixture(autouse=True)
def _the_language_of_the_site() -> None:
    """Restore the site's default language, since a page requested by an earlier test may have changed it."""
    translation.deactivate()


@pytest.fixture(autouse=True)
def _full_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reset the rate limits: player ids repeat in every test, and all players share one address.

    Refusals are sent without the usual delay; tests of that delay set it themselves.
    """
    monkeypatch.setattr(socket_limits, "SECONDS_TO_A_REFUSAL", 0)
    monkeypatch.setattr(sockets, "SECONDS_SLOWED", 0)
    for budget in (
        sockets.FRAMES_OF_A_PLAYER,
        sockets.FRAMES_OF_AN_ADDRESS,
        sockets.HELLOS,
        sockets.QUESTIONS,
        sockets.SEATS_LOOKED_UP,
        sockets.WATCHERS_LINES,
        sockets.OPENINGS,
        socket_limits.ATTEMPTS,
        config_consumers.NEWS_REQUESTS,
        config_consumers.TABLE_UPDATES,
    ):
        budget.forget()


@pytest.fixture(autouse=True)
def _no_tables_from_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clear the caches of tables, since table ids repeat in every test."""
    monkeypatch.setattr(watching, "SECONDS_SHOWN", 0)
    delayed_view._readings.clear()
    delayed_view._standings.clear()
    presence._heard.clear()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Use the application role for every connection that is opened after the owner has migrated."""
    direct = dict(connection.settings_dict)
    if PARTITIONED:
        with django_db_blocker.unblock():
            partition_play_tables()
    with ExitStack() as until_the_end:
        if THROUGH_POOLER:
            with django_db_blocker.unblock():
                connected = until_the_end.enter_context(run_pooler_for_all())
        else:
            connected = {"OPTIONS": {"options": f"-c role={settings.DATABASE_APP_ROLE}"}}
        connection.close()
        connection.settings_dict.update(connected)
        yield
    connection.close()
    connection.settings_dict.update(direct)
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        # The threads of core/threads.py still hold connections, and the database is dropped next. The
        # owner may not terminate autovacuum workers, which end by themselves.
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            "   AND backend_type = 'client backend'"
        )


# Filled by migrations, so a flush keeps them: content types, permissions and the staff roles.
_KEPT_TABLES = {
    "django_migrations",
    "django_content_type",
    "auth_permission",
    "auth_group",
    "auth_group_permissions",
}


@cache
def _list_flushed_tables() -> list[str]:
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return [connection.ops.quote_name(name) for name in sorted(names) if name not in _KEPT_TABLES]


@cache
def _query_for_tables_with_rows() -> str:
    return " UNION ALL ".join(
        f"SELECT '{table}' WHERE EXISTS (SELECT FROM {table})"  # noqa: S608 - own tables
        for table in _list_flushed_tables()
    )


def _flush_as_owner(_case: TransactionTestCase) -> None:
    """Empty Redis and the tables that a committing test has filled, and restart the tables' sequences.

    The application role may not delete from every table, and the ledger's triggers do not let even
    the owner delete. This transaction therefore runs as the owner with triggers and foreign keys off.
    DELETE takes a tenth of the time of TRUNCATE here, which makes new files for each table and index.
    """
    wait_until(_flush_if_nobody_writes)
    empty_redis()  # presence and rate limits are keyed by ids, which repeat


def _flush_if_nobody_writes() -> bool:
    """Flush the tables, unless a server that the test left running has an open transaction.

    Return whether the tables were flushed. Waiting for that transaction while holding half of the
    locks could end in a deadlock.
    """
    try:
        with transaction.atomic():
            _flush_tables()
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            return False
        raise
    return True


def _flush_tables() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL ROLE NONE; SET LOCAL session_replication_role = replica")
        tables = ", ".join(_list_flushed_tables())
        cursor.execute(f"LOCK TABLE {tables} IN SHARE ROW EXCLUSIVE MODE NOWAIT")
        cursor.execute(_query_for_tables_with_rows())
        for (table,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {table}")  # noqa: S608 - own tables
        cursor.execute(
            "SELECT setval(format('%%I.%%I', schemaname, sequencename)::regclass, start_value, false)"
            " FROM pg_sequences WHERE last_value IS NOT NULL"
            " AND sequencename <> ALL (%s)",
            [[f"{table}_id_seq" for table in _KEPT_TABLES]],
        )


@pytest.fixture(scope="session", autouse=True)
def _owner_flushes() -> Iterator[None]:
    patch = pytest.MonkeyPatch()
    patch.setattr(TransactionTestCase, "_fixture_teardown", _flush_as_owner)
    yield
    patch.undo()


@pytest.fixture(scope="session")
def live_site(django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """Yield the address of a real server on the test database."""
    with django_db_blocker.unblock(), serve() as address:
        yield address


@pytest.fixture
def workers(transactional_db: None) -> Iterator[Workers]:
    empty_redis()  # earlier tests may have left jobs in the queues
    started = Workers()
    try:
        yield started
    finally:
        started.end()
        empty_redis()


@pytest.fixture
def other_connection(db: None) -> Iterator[BaseDatabaseWrapper]:
    """A second connection, which the database treats like one of another process."""
    other = connection.copy()
    yield other
    other.close()


@pytest.fixture
def fresh_rate_limits():
    """Clear the attempts that allauth and forms count in the cache, which is kept between tests."""
    caches["default"].clear()


@pytest.fixture
def private(settings, tmp_path):
    """An empty private storage."""
    usual = settings.STORAGES["private"]
    own = {**usual, "OPTIONS": {**usual["OPTIONS"], "location": str(tmp_path)}}
    settings.STORAGES = {**settings.STORAGES, "private": own}
    return tmp_path
