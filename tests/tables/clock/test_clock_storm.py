"""An overloaded clock, which postpones no deadline and waits for no locked row."""

import threading
import time
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts.people.bots import get_practice_bots
from core.threads import in_thread
from tables.live import clock as clock_module
from tables.live.clock import act_on_table
from tables.models import Change, ChangeKind, ClockOutage, Table
from tables.play import faults
from tables.play.lock import lock_table
from tables.seating.events import EventTable, Guest, open_event_tables
from tests.pooler import THROUGH_POOLER
from tests.tables.clock.running import run_clocks, wait_for_clocks
from tests.tables.driving import make_event_terms, run_out_of_time, start_match

BOTS_TABLES = 240
SLOWER = 0.1


@pytest.fixture
def slow(monkeypatch):
    """Slow every act down by 100 ms, and treat two seconds without a heartbeat as an outage.

    The pooler has three sessions, one of which is held, so a heartbeat waits in its queue behind 24 acts.
    """

    def slowly(table_id):
        time.sleep(SLOWER)
        return act_on_table(table_id)

    monkeypatch.setattr(clock_module, "act_on_table", slowly)
    monkeypatch.setattr(faults, "LONGEST_SILENCE_SECONDS", 4 if THROUGH_POOLER else 2)


def open_all():
    """Open the tables of a tournament round, which all start now."""
    began = timezone.now() - timedelta(seconds=1)
    terms = make_event_terms(starts_at=began, bot_strength="easy")
    guests = [Guest(bot.pk, is_bot=True) for bot in get_practice_bots()[:2]]
    return open_event_tables(terms, [EventTable(f"1.{n}", guests) for n in range(BOTS_TABLES)])


def hold(table, released):
    with transaction.atomic():
        lock_table(table.pk)
        released.wait(30)
    connection.close()


async def test_an_overloaded_clock_postpones_nothing_and_serves_people_first(
    slow, transactional_db, make_player, make_table
):
    people = await in_thread(
        lambda: [start_match(make_table(), make_player(), make_player()) for _ in range(4)]
    )
    bots = await in_thread(open_all)
    await in_thread(faults.store_heartbeat)
    released = threading.Event()
    holder = threading.Thread(target=hold, args=[bots[0], released])
    holder.start()
    began = Change.objects.filter(table__in=bots, kind=ChangeKind.STARTED)
    missed = Change.objects.filter(table__in=people, kind=ChangeKind.EXPIRY)
    try:
        async with run_clocks():
            for table in people:
                await in_thread(run_out_of_time, table)
            await wait_for_clocks(lambda: began.count() == BOTS_TABLES - 1)
            # Deadlines of people come before moves of bots that were due earlier.
            last_missed = max(await in_thread(lambda: list(missed.values_list("pk", flat=True))))
            moves = Change.objects.filter(table__in=bots, kind=ChangeKind.MOVE)
            assert await in_thread(moves.filter(pk__lt=last_missed).count) < BOTS_TABLES
            assert await in_thread(missed.count) == len(people)
            # All tables but the locked one have begun.
            assert await in_thread(began.filter(table=bots[0]).count) == 0
            released.set()
            await wait_for_clocks(lambda: began.count() == BOTS_TABLES)
    finally:
        released.set()
        holder.join()
    assert await in_thread(ClockOutage.objects.count) == 0
    assert not await in_thread(Change.objects.filter(kind=ChangeKind.POSTPONED).exists)
    assert await in_thread(Table.objects.filter(broken_at=None).count) == BOTS_TABLES + len(people)
