import asyncio
from functools import partial

import pytest
from django.db import transaction
from django.db.models.functions import Now

from core.threads import in_thread
from tables.live.clock import Clock, act_on_table, list_due_tables
from tables.models import Change, ChangeKind, Match, Table, TableStatus
from tables.play.lock import lock_table
from tables.seating.sitting import take_seat
from tests.given import require
from tests.tables.driving import expire_turn, game_view, run_out_of_time, seat_all
from tests.together import run_at_once


@pytest.mark.django_db
def test_only_due_tables_are_found_and_acted_on(make_player, make_table):
    early, late = make_table(), make_table()
    seat_all(early, make_player(), make_player())
    seat_all(late, make_player(), make_player())
    Table.objects.filter(pk=early.pk).update(deadline_at=Now())
    assert list_due_tables(10) == [early.pk]
    assert act_on_table(late.pk) is None
    assert require(act_on_table(early.pk)).kind == ChangeKind.STARTED
    assert list_due_tables(10) == []


@pytest.mark.django_db
def test_a_turn_that_runs_out_passes(table):
    seat = game_view(table)["turn"]
    step = expire_turn(table)
    assert require(step).events[0] == {"kind": "missed_turn", "seat": seat, "missed": 1}
    assert game_view(table)["turn"] == 1 - seat
    assert act_on_table(table.pk) is None  # the new turn has its own deadline


@pytest.mark.django_db(transaction=True)
def test_a_clock_leaves_a_table_to_the_clock_that_holds_it(make_player, make_table):
    table = make_table()
    seat_all(table, make_player(), make_player())
    Table.objects.filter(pk=table.pk).update(deadline_at=Now())
    with transaction.atomic():
        assert lock_table(table.pk) is not None
        assert run_at_once(partial(act_on_table, table.pk)) == [None]
    assert require(act_on_table(table.pk)).kind == ChangeKind.STARTED
    assert Match.objects.count() == 1


async def test_two_clocks_start_a_table_once_and_bots_play_on(
    transactional_db, make_player, make_table
):
    def prepare():
        table = make_table(max_seats=4, bots_wanted=3, bot_strength="hard")
        take_seat(table_id=table.pk, user_id=make_player().pk, amount=800)
        return table

    table = await in_thread(prepare)
    clocks = [Clock(), Clock()]
    running = [asyncio.create_task(clock.run()) for clock in clocks]
    try:
        await _wait_until(table, lambda row: len(row.bot_seats) == 3, seconds=30)
        moves = Change.objects.filter(table=table, kind=ChangeKind.MOVE)
        await _wait_until(table, lambda _row: moves.count() > 5, seconds=60, hurry=True)
    finally:
        for clock in clocks:
            clock.stop()
        await asyncio.gather(*running)
    changes = await in_thread(
        lambda: list(Change.objects.filter(table=table).values_list("kind", flat=True))
    )
    matches = await in_thread(Match.objects.filter(table=table).count)
    assert changes.count(ChangeKind.STARTED) == matches >= 1


async def _wait_until(table, reached, *, seconds, hurry=False):
    row = table
    for _ in range(seconds * 20):
        row = await in_thread(Table.objects.get, pk=table.pk)
        if await in_thread(reached, row):
            return
        if hurry and row.bot_due_at is not None:
            waiting = Table.objects.filter(pk=table.pk, bot_due_at__isnull=False)
            await in_thread(waiting.update, bot_due_at=Now())
        elif hurry and row.status == TableStatus.PLAYING:
            await in_thread(run_out_of_time, table)  # the idle person's turn
        elif hurry:
            between = Table.objects.filter(pk=table.pk, deadline_at__isnull=False)
            waiting = between.exclude(status=TableStatus.PLAYING)
            await in_thread(waiting.update, deadline_at=Now())
        await asyncio.sleep(0.05)
    raise AssertionError(f"table {table.pk} did not get there: {row.status}, {row.version}")
