"""A table that somebody holds, and a database that goes away: an answer, no traceback."""

import logging
import os
from typing import Any

import psycopg
import pytest
from django.db import connection
from websockets.exceptions import ConnectionClosed

from core.observability.logs import LINES_A_MINUTE, ClientLimit
from core.threads import in_thread
from tables.models import Change, ChatLine, Table
from tests.given import require
from tests.tables.driving import player_at, start_match
from tests.tables.live_modules import replace_in_live
from tests.tables.socket_client import TableSocket, session_of
from tests.workers import wait_until

MOVE_ID = "3f0c8f8e-5b1c-4a52-9d5b-0d8f3f1f5a10"
DRAW = {"kind": "draw", "source": "closed"}
FRAMES: list[dict[str, Any]] = [
    {"type": "act", "id": MOVE_ID, "v": 100, "move": DRAW},
    {"type": "draft", "rev": 1, "draft": []},
    {"type": "pre_action", "move": None, "last_deal": True},
    {"type": "seed", "promise": "0" * 64, "seed": "0" * 32},
]


@pytest.fixture
def table(live_site, transactional_db, make_player, make_table):
    opened = make_table(offers_arrangement=True)
    return start_match(opened, make_player(), make_player())


def record_of(table):
    row = Table.objects.values("version", "state", "client_seeds").get(pk=table.pk)
    return row, Change.objects.filter(table=table).count(), ChatLine.objects.count()


class Holder:
    """Another connection that holds the table's row and its sittings."""

    def __init__(self, table):
        given = connection.settings_dict
        self.opened = psycopg.connect(
            os.environ["DATABASE_OWNER_URL"], dbname=given["NAME"], autocommit=False
        )
        for sql in (
            "SELECT 1 FROM tables_table WHERE id = %s FOR UPDATE",
            "SELECT 1 FROM tables_seat WHERE table_id = %s FOR UPDATE",
        ):
            self.opened.execute(sql, (table.pk,))

    def let_go(self):
        self.opened.rollback()
        self.opened.close()


@pytest.mark.own_session
async def test_a_held_row_is_answered(live_site, table, caplog, monkeypatch):
    """The tests' connections have no limits of their own, so each move sets production's."""
    replace_in_live(monkeypatch, "in_thread", limit_lock_time(in_thread))
    before = await in_thread(record_of, table)
    session = await in_thread(lambda: session_of(player_at(table, 0)))
    async with TableSocket(live_site, table.pk, session) as player:
        await player.hello()
        holder = await in_thread(Holder, table)
        for frame in FRAMES:
            await player.send(**frame)
            answer = await player.answer()
            assert answer["code"] == "table_busy", frame
            has_id = frame["type"] == "act"
            assert answer["type"] == ("rej" if has_id else "error")
        assert await in_thread(record_of, table) == before
        await player.send(type="say", phrase="hello", text="")  # waits for nobody
        assert (await player.answer())["type"] == "chat"
        await in_thread(holder.let_go)
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


async def test_a_connection_that_is_lost_lets_the_browser_come_back(live_site, table, caplog):
    """Nobody knows then if the move was stored, so it is neither acknowledged nor refused."""
    session = await in_thread(lambda: session_of(player_at(table, 0)))
    async with TableSocket(live_site, table.pk, session) as player:
        await player.hello()
        holder = await in_thread(Holder, table)
        await player.send(**FRAMES[0])
        await in_thread(end_whoever_waits)
        assert (await player.receive_until("bye", "rej", "ack"))["code"] == "try_again"
        with pytest.raises(ConnectionClosed) as closed:
            await player.receive()
        assert require(closed.value.rcvd).code == 1013
        await in_thread(holder.let_go)
    assert [one for one in caplog.records if one.exc_info] == []


def end_whoever_waits():
    """End the backend of the move that waits for the row."""
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        wait_until(lambda: owner.execute(END, (connection.settings_dict["NAME"],)).rowcount)


END = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = %s AND wait_event_type = 'Lock'"""


def test_one_client_writes_so_many_lines():
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
