"""A frozen database, which must put no table out of order."""

import asyncio
import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest
from django.db import connection

from core.threads import in_thread
from games.engine.game import guard_game
from games.indian.game import GAME
from games.indian.rules.match import Indian
from games.registry import GAMES
from tables.live import clock
from tables.models import Change, ChangeKind, Table, TableFault
from tests.given import reload
from tests.tables.clock.running import run_clocks
from tests.tables.driving import run_out_of_time, start_match
from tests.workers import wait_until

CODE = "slow"
FROZEN_SECONDS = 3


class Slow(Indian):
    """Rummy whose `expire` takes half a second."""

    is_thinking = False

    def expire(self, match, *, now, seed):
        self.is_thinking = True
        time.sleep(0.5)
        return super().expire(match, now=now, seed=seed)


@pytest.fixture
def slow(monkeypatch):
    core = Slow()
    monkeypatch.setitem(GAMES, CODE, guard_game(replace(GAME, code=CODE, core=core)))
    monkeypatch.setattr(clock, "SECONDS_BETWEEN_CHECKS", 1)
    monkeypatch.setattr(clock, "MOST_PROCESSOR_SECONDS", 1)
    return core


def list_server_processes():
    """Return the process ids of the postmaster and of the backends that serve the clock and this test."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        serving = [row[0] for row in cursor.fetchall()]
    return [_parent_of(serving[0]), *serving]


def _parent_of(process):
    # pid (name) state parent …; the name may have spaces.
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


async def test_a_frozen_database_puts_no_table_out_of_order(
    transactional_db, slow, make_player, make_table
):
    def prepare():
        table = start_match(make_table(), make_player(), make_player())
        Table.objects.filter(pk=table.pk).update(game=CODE)
        run_out_of_time(table)
        return table

    table = await in_thread(prepare)
    expiries = Change.objects.filter(table=table, kind=ChangeKind.EXPIRY)
    async with run_clocks():
        # The row is locked before the next statement.
        await asyncio.to_thread(wait_until, lambda: slow.is_thinking)
        frozen = await in_thread(list_server_processes)
        assert len(frozen) >= 4
        for process in frozen:
            os.kill(process, signal.SIGSTOP)
        try:
            await asyncio.sleep(FROZEN_SECONDS)
        finally:
            for process in frozen:
                os.kill(process, signal.SIGCONT)
        await in_thread(wait_until, expiries.exists, seconds=5)
        await asyncio.sleep(1)  # reports delayed by the database would have arrived by now
    assert await in_thread(TableFault.objects.count) == 0
    assert (await in_thread(reload, table)).broken_at is None
