"""Stalled transactions, which the database server ends."""

import asyncio
import time
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import InternalError, connection

from config.errors import is_busy
from core.observability import tracing
from core.threads import in_thread
from tables.live import clock
from tables.live.clock import FAILED_REST_SECONDS, Clock
from tables.models import Doing, Table, TableFault
from tables.play import split_offers
from tables.play.split_offers import open_split_offers
from tests.given import reload
from tests.tables.driving import act, game_view, run_out_of_time, start_match, state_of
from tests.tables.pools import bring_offer_forward, end_rejoin, play_to_two

pytestmark = pytest.mark.own_session
PATIENCE_MS = 200
STALL_SECONDS = 0.6


def lose_patience():
    """Make the server end this connection's idle transactions early."""
    with connection.cursor() as cursor:
        cursor.execute("SET idle_in_transaction_session_timeout = %s", [PATIENCE_MS])


@pytest.fixture(autouse=True)
def _patient_again(transactional_db):
    yield
    connection.close()


def stall(work):
    def work_late(*args, **kwargs):
        time.sleep(STALL_SECONDS)
        return work(*args, **kwargs)

    return work_late


def read_state(table):
    return state_of(reload(table)), table.version, table.broken_at, TableFault.objects.count()


def test_a_stalled_move_is_undone_and_may_be_repeated(monkeypatch, make_table, make_player):
    table = start_match(make_table(), make_player(), make_player())
    before, seat = read_state(table), game_view(table)["turn"]
    usual = tracing.open_span

    @contextmanager
    def stalls_before_commit(name, **facts):
        with usual(name, **facts):
            if name == "commit":
                time.sleep(STALL_SECONDS)
            yield

    lose_patience()
    with monkeypatch.context() as patch:
        patch.setattr(tracing, "open_span", stalls_before_commit)
        with pytest.raises(InternalError) as ended:
            act(table, seat, kind="draw", source="closed")
    cause: Any = ended.value.__cause__
    assert cause.sqlstate == "25P03"
    assert is_busy(ended.value)  # pages answer 503 with Retry-After
    assert read_state(table) == before
    assert act(table, seat, kind="draw", source="closed").refusal is None


def test_a_stalled_offer_waits_for_the_next_tick(monkeypatch, make_table, make_player):
    table = play_to_two(make_table, make_player)
    end_rejoin(table)
    bring_offer_forward(table)
    before = read_state(table)
    lose_patience()
    with monkeypatch.context() as patch:
        # The next statement goes through a cursor.
        patch.setattr(split_offers, "_propose", stall(lambda _table: Table.objects.count()))
        assert open_split_offers() == 0
    assert read_state(table) == before
    assert open_split_offers() == 1
    assert game_view(table)["phase"] == "split"


def test_the_clock_retries_a_stalled_deadline(monkeypatch, make_table, make_player):
    table = start_match(make_table(), make_player(), make_player())
    run_out_of_time(table)
    before = read_state(table)

    def impatient_and_stalled(table_id):
        lose_patience()
        try:
            with monkeypatch.context() as patch:
                patch.setattr(clock, "expire_deadline", stall(lambda *_: count_tables()))
                return clock.act_on_table(table_id)
        finally:
            connection.close()

    async def try_once():
        return await Clock()._do(impatient_and_stalled, table.pk, Doing.DEADLINE)

    assert asyncio.run(try_once()) == FAILED_REST_SECONDS
    assert read_state(table) == before
    asyncio.run(in_thread(clock.act_on_table, table.pk))
    assert read_state(table)[1] > before[1]


def count_tables():
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM tables_table")
