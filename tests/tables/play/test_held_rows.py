"""Locked rows and lost connections, which are answered without a traceback."""

import logging
import os
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.db import connection

from core.observability.logs import LINES_A_MINUTE, ClientLimit
from core.threads import in_thread
from tables.models import ChatLine
from tests.tables.live.scene import read_record
from tests.tables.live_modules import replace_in_live
from tests.together import end_waiting_backend

MOVE_ID = "3f0c8f8e-5b1c-4a52-9d5b-0d8f3f1f5a10"
DRAW = {"kind": "draw", "source": "closed"}
FRAMES: list[dict[str, Any]] = [
    {"type": "act", "id": MOVE_ID, "v": 100, "move": DRAW},
    {"type": "draft", "rev": 1, "draft": []},
    {"type": "pre_action", "move": None, "last_deal": True},
    {"type": "seed", "promise": "0" * 64, "seed": "0" * 32},
]


@contextmanager
def hold(table):
    """Lock the rows of the table and its seats from another connection."""
    database = connection.settings_dict["NAME"]
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], dbname=database) as other:
        for sql in (
            "SELECT 1 FROM tables_table WHERE id = %s FOR UPDATE",
            "SELECT 1 FROM tables_seat WHERE table_id = %s FOR UPDATE",
        ):
            other.execute(sql, (table.pk,))
        yield
        other.rollback()


@pytest.fixture
def scene(open_scene):
    return open_scene(offers_arrangement=True)


@pytest.mark.own_session
async def test_moves_at_a_locked_table_are_answered(scene, caplog, monkeypatch):
    """Each move sets production's lock timeout, which tests do not have."""
    replace_in_live(monkeypatch, "in_thread", limit_lock_time(in_thread))
    before = await in_thread(read_record, scene.table)
    async with scene.connect(0) as (player,):
        holder = hold(scene.table)
        await in_thread(holder.__enter__)
        for frame in FRAMES:
            await player.send(**frame)
            answer = await player.answer()
            assert answer["code"] == "table_busy", frame
            assert answer["type"] == ("rej" if frame["type"] == "act" else "error")
        assert await in_thread(read_record, scene.table) == before
        assert not await in_thread(ChatLine.objects.exists)
        await player.send(type="say", phrase="hello", text="")  # needs no lock of the table
        assert (await player.answer())["type"] == "chat"
        await in_thread(holder.__exit__, None, None, None)
    assert [one for one in caplog.records if one.exc_info] == []


def limit_lock_time(run):
    def with_limit(function, *args, **kwargs):
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = 200")
        try:
            return function(*args, **kwargs)
        finally:
            with connection.cursor() as cursor:
                cursor.execute("RESET lock_timeout")

    async def call(function, *args, **kwargs):
        return await run(with_limit, function, *args, **kwargs)

    return call


async def test_a_lost_database_connection_asks_the_browser_to_retry(scene, caplog):
    """The move may have been stored, so it is neither acknowledged nor refused."""
    async with scene.connect(0) as (player,):
        holder = hold(scene.table)
        await in_thread(holder.__enter__)
        await player.send(**FRAMES[0])
        await in_thread(end_waiting_backend)
        assert (await player.receive_until("bye", "rej", "ack"))["code"] == "try_again"
        assert await player.read_close_code() == 1013
        await in_thread(holder.__exit__, None, None, None)
    assert [one for one in caplog.records if one.exc_info] == []


def test_the_log_lines_of_one_client_are_limited():
    limit = ClientLimit()

    def record(client, level=logging.WARNING):
        one = logging.LogRecord("tables.live.sockets", level, "", 1, "it failed: %s", ("x",), None)
        if client:
            one.client = client
        return one

    records = [record("a") for _ in range(LINES_A_MINUTE + 30)]
    passed = [one for one in records if limit.filter(one)]
    assert len(passed) == LINES_A_MINUTE
    assert passed[-1].getMessage() == "it failed: x (no more of this client for a minute)"
    assert limit.filter(record("b"))
    assert limit.filter(record("a", logging.INFO))
    assert limit.filter(record(None))
