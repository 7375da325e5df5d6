"""Pages through a PgBouncer that has no free session, or that cannot connect to its server."""

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError, connections
from django.test import Client

from tests.pooler import POOL_SIZE, Pooler, needs_pgbouncer, run_pooler_for_tests
from tests.tables.play.test_frozen_database import list_server_processes

pytestmark = [pytest.mark.django_db(transaction=True), needs_pgbouncer]


@contextmanager
def use_connection(connection: Any) -> Iterator[None]:
    """Use another connection in this thread within the block."""
    usual = connections["default"]
    connections["default"] = connection
    try:
        yield
    finally:
        connection.close()
        connections["default"] = usual


def connect_through(pooler: Pooler) -> Any:
    usual: Any = connections["default"]
    return type(usual)({**usual.settings_dict, **pooler.address, "OPTIONS": {}}, alias="default")


@pytest.fixture
def crowded():
    """Connect this thread through a pooler whose sessions are all taken."""
    with run_pooler_for_tests(query_wait_timeout="1") as pooler, ExitStack() as until_the_end:
        for _ in range(POOL_SIZE):
            holder = connect_through(pooler)
            until_the_end.callback(holder.close)
            until_the_end.enter_context(holder.cursor()).execute("BEGIN; SELECT 1")
        with use_connection(connect_through(pooler)):
            yield


@pytest.fixture
def cut_off():
    """Connect this thread through a pooler whose frozen server accepts no connection."""
    postmaster = list_server_processes()[0]
    with run_pooler_for_tests(query_wait_timeout="3", server_connect_timeout="1") as pooler:
        first, second = connect_through(pooler), connect_through(pooler)
        for one in (first, second):
            with one.cursor() as cursor:
                cursor.execute("SELECT 1")
        pooler.ask("RECONNECT")
        pooler.ask("WAIT_CLOSE")
        os.kill(postmaster, signal.SIGSTOP)
        try:
            with pytest.raises(OperationalError), first.cursor() as cursor:
                cursor.execute("SELECT 1")  # from now on the pooler refuses every client at once
            first.close()
            with use_connection(second):
                yield
        finally:
            os.kill(postmaster, signal.SIGCONT)


@pytest.fixture
def visitor():
    client = Client(raise_request_exception=False)
    client.cookies[settings.SESSION_COOKIE_NAME] = "a" * 32
    return client


def assert_refused(visitor):
    for path in ("/wallet/", "/api/v1/wallet/"):
        answer = visitor.get(path)
        assert (path, answer.status_code, answer["Retry-After"]) == (path, 503, "5")


def test_an_exhausted_pooler_answers_503(visitor, crowded):
    assert_refused(visitor)


def test_a_pooler_cut_off_from_its_server_answers_503(visitor, cut_off, caplog):
    assert_refused(visitor)
    assert "server_login_retry" in caplog.text
    assert {record.levelname for record in caplog.records} == {"WARNING"}
