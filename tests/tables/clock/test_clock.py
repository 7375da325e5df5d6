from functools import partial

import pytest
from django.db import transaction
from django.db.models.functions import Now

from core.threads import in_thread
from tables.live.clock import act_on_table, list_due_tables
from tables.models import Change, ChangeKind, Match, Table, TableStatus
from tables.play.lock import lock_table
from tables.seating.sitting import play_again
from tests.given import reload, require
from tests.tables.clock.running import run_clocks, wait_for_clocks
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
        seat_all(table, make_player())
        return table

    def hurry():
        row = Table.objects.filter(pk=table.pk)
        if reload(table).bot_due_at is not None:
            row.filter(bot_due_at__isnull=False).update(bot_due_at=Now())
        elif table.status == TableStatus.PLAYING:
            run_out_of_time(table)  # the turn of the idle player
        elif table.awaits_press:
            user = table.sittings.get(left_at=None, user__is_bot=False).user_id
            play_again(table_id=table.pk, user_id=user, amount=0)
        else:
            between = row.filter(deadline_at__isnull=False).exclude(status=TableStatus.PLAYING)
            between.update(deadline_at=Now())

    table = await in_thread(prepare)
    moves = Change.objects.filter(table=table, kind=ChangeKind.MOVE)
    async with run_clocks(2):
        await wait_for_clocks(lambda: len(reload(table).bot_seats) == 3)
        await wait_for_clocks(lambda: moves.count() > 5, meanwhile=hurry)
    changes = await in_thread(
        lambda: list(Change.objects.filter(table=table).values_list("kind", flat=True))
    )
    matches = await in_thread(Match.objects.filter(table=table).count)
    assert changes.count(ChangeKind.STARTED) == matches >= 1
