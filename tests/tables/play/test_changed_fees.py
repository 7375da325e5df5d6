"""A changed fee reaches the tables that stand: told before the match that pays it."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tables.models import Match, Seat, Table, TableStatus
from tables.play.reading import snapshot
from tables.play.start import FEE_PAUSE, follow_fee, list_tables_with_old_fee
from tables.seating.events import EventTable, EventTerms, Guest, open_event_tables
from tables.seating.hosting.private_tables import open_private
from tables.tasks import follow_fees
from tests.given import reload, require
from tests.tables.driving import (
    act,
    chips_of,
    drop,
    game_view,
    hurry_to_the_end,
    leave,
    let_time_pass,
    make_kind,
    seat_all,
    start_match,
)
from wallet.fees.services import NextFee
from wallet.fees.services import follow_fee as set_next_fee
from wallet.models import FeeSchedule
from wallet.money import Currency

pytestmark = pytest.mark.django_db
FEE = 100
WELCOME = 10_000


def change_fee(rake_bps=2_000, rake_cap=None, format="POINTS"):
    old = FeeSchedule.objects.get(game="indian", format=format, currency="CHIPS", valid_until=None)
    fee = NextFee(rake_bps, rake_cap)
    return set_next_fee(schedule_id=old.pk, fee=fee)


def fee_of(table):
    return reload(table).rake_bps, table.rake_cap


def list_fee_changes(table):
    return [
        event
        for change in table.changes.order_by("pk")
        for event in change.events
        if event["kind"] == "fee_changed"
    ]


def milliseconds_left(table):
    return (reload(table).deadline_at - timezone.now()).total_seconds() * 1000


def test_an_empty_table_takes_it_at_once(make_table):
    table, pool = make_table(), make_table(preset="pool101", entry_fee=FEE)
    change_fee(2_000, 50)
    assert list_tables_with_old_fee() == [table.pk]
    assert follow_fees() == 1
    assert (fee_of(table), fee_of(pool)) == ((2_000, 50), (1_000, None))
    assert list_fee_changes(table) == [{"kind": "fee_changed", "rake_bps": 2_000, "rake_cap": 50}]
    patch = table.changes.get().patch["table"]
    assert (patch["rake_bps"], patch["rake_cap"]) == (2_000, 50)
    shown = require(snapshot(table_id=table.pk, user_id=None)).state["table"]
    assert (shown["rake_bps"], shown["rake_cap"]) == (2_000, 50)
    assert follow_fees() == 0
    change_fee(2_000, None)  # without a cap again
    assert follow_fees() == 1
    assert fee_of(table) == (2_000, None)


def test_tables_with_the_fee_of_now_cost_no_query_each(make_table):
    counted = []
    for stakes in ((1,), (2, 4, 10, 20)):
        for stake in stakes:
            make_table(point_value=stake)
        with CaptureQueriesContext(connection) as queries:
            assert list_tables_with_old_fee() == []
        counted.append(len(queries))
    assert counted == [2, 2]


def test_each_stake_follows_its_own_schedule(make_table):
    low, high = make_table(point_value=1), make_table(point_value=10)
    old = FeeSchedule.objects.get(
        game="indian", format="POINTS", currency="CHIPS", valid_until=None
    )
    FeeSchedule.objects.filter(pk=old.pk).update(valid_until=timezone.now())
    ranges = ((0, 5, 1_000, None), (6, 10, 700, 50), (11, None, 500, None))
    for stake_from, stake_to, rake_bps, rake_cap in ranges:
        FeeSchedule.objects.create(
            game="indian", format="POINTS", stake_from=stake_from, stake_to=stake_to,
            rake_bps=rake_bps, rake_cap=rake_cap,
        )  # fmt: skip
    assert list_tables_with_old_fee() == [high.pk]
    assert follow_fees() == 1
    assert (fee_of(low), fee_of(high)) == ((1_000, None), (700, 50))
    FeeSchedule.objects.filter(stake_from=6).update(valid_until=timezone.now())
    assert list_tables_with_old_fee() == []  # none any more: the old one stays


def test_private_tables_take_it_too(make_table, make_player):
    make_table()
    template = make_kind()
    table = open_private(template_id=template.pk, user_id=make_player().pk)
    change_fee()
    follow_fees()
    assert fee_of(table) == (2_000, None)


def test_a_running_match_keeps_its_fee_and_the_next_one_is_told(make_table, make_player):
    table = start_match(make_table(), make_player(), make_player())
    change_fee(5_000)
    assert list_tables_with_old_fee() == []
    assert follow_fee(table.pk) is None
    act(table, game_view(table)["turn"], kind="drop")  # 20 points at 1 each
    match = Match.objects.get(table=table)
    settled = match.settlement
    assert (require(settled)["gross"], require(settled)["rake"], require(settled)["rake_bps"]) == (
        20,
        2,
        1_000,
    )
    assert fee_of(table) == (1_000, None)
    assert follow_fees() == 1
    assert fee_of(table) == (5_000, None)
    assert len(list_fee_changes(table)) == 1
    # What the last match was played for is shown as it was.
    assert require(Table.objects.get(pk=table.pk).settlement)["rake_bps"] == 1_000
    let_time_pass(table)
    drop(table)
    assert require(Match.objects.latest("pk").settlement)["rake"] == 10


def test_no_match_begins_for_a_fee_that_was_not_told(make_table, make_player):
    """The tick has not come, and the timer runs out: the table tells it, and waits."""
    players, table = [make_player(), make_player()], make_table()
    seat_all(table, *players)
    change_fee()
    step = let_time_pass(table)
    assert [event["kind"] for event in require(step).events] == ["fee_changed"]
    assert not Match.objects.exists()
    assert FEE_PAUSE - 3_000 < milliseconds_left(table) <= FEE_PAUSE
    assert table.status == TableStatus.STARTING
    let_time_pass(table)
    assert Match.objects.get(table=table).status == "RUNNING"
    assert len(list_fee_changes(table)) == 1


def test_who_leaves_when_told_pays_nothing(make_table, make_player):
    players = [make_player(), make_player()]
    table = make_table(preset="pool101", entry_fee=FEE)
    seat_all(table, *players, amount=FEE)
    change_fee(format="POOL")
    let_time_pass(table)
    leave(table, players[0])
    assert chips_of(players[0]) == WELCOME
    assert not Match.objects.exists()
    assert Table.objects.get(pk=table.pk).status == TableStatus.WAITING


@pytest.mark.parametrize(("preset", "format"), [("pool61", "POOL"), ("deals2", "DEALS")])
def test_matches_for_an_entry_fee_take_it_too(make_table, make_player, preset, format):
    table = make_table(preset=preset, entry_fee=FEE)
    seat_all(table, make_player(), make_player(), amount=FEE)
    change_fee(3_000, format=format)
    assert follow_fees() == 1
    let_time_pass(table)
    change_fee(9_000, format=format)
    match = hurry_to_the_end(table)
    assert require(match.settlement)["rake"] * 10 == require(match.settlement)["gross"] * 3
    assert require(match.settlement)["rake_bps"] == 3_000


def test_a_start_that_is_near_is_put_off_and_a_far_one_is_not(make_table, make_player):
    near = make_table()
    seat_all(near, make_player(), make_player())
    far = make_table(preset="pool101", entry_fee=FEE, max_seats=3)
    seat_all(far, make_player(), make_player(), amount=FEE)
    before = reload(far).deadline_at
    change_fee()
    change_fee(format="POOL")
    assert follow_fees() == 2
    assert FEE_PAUSE - 3_000 < milliseconds_left(near) <= FEE_PAUSE
    assert reload(far).deadline_at == before


def test_a_fee_of_tomorrow_waits(make_table):
    table = make_table()
    old = FeeSchedule.objects.get(game="indian", format="POINTS")
    tomorrow = timezone.now() + timedelta(days=1)
    set_next_fee(schedule_id=old.pk, fee=NextFee(2_000, None, tomorrow))
    assert list_tables_with_old_fee() == []
    assert fee_of(table) == (1_000, None)


def test_where_no_fee_is_set_any_more_the_table_keeps_the_old_one(make_table, make_player):
    table = make_table()
    seat_all(table, make_player(), make_player())
    FeeSchedule.objects.filter(format="POINTS").update(valid_until=timezone.now())
    assert list_tables_with_old_fee() == []
    let_time_pass(table)
    assert Match.objects.get(table=table).status == "RUNNING"
    assert fee_of(table) == (1_000, None)


def test_tables_of_an_event_have_no_fee(make_table, make_player):
    make_table()
    wish = EventTerms(
        game="indian",
        event_url="/tournaments/1/",
        rules=make_table().rules,
        currency=Currency.CHIPS,
        starts_at=timezone.now(),
    )
    guests = [Guest(make_player().pk), Guest(make_player().pk)]
    (table,) = open_event_tables(wish, [EventTable("Final", guests)])
    change_fee()
    assert table.pk not in list_tables_with_old_fee()
    let_time_pass(table)
    assert fee_of(table) == (0, None)
    assert Match.objects.filter(table=table).exists()
    assert Seat.objects.filter(table=table, status="PLAYING").count() == 2
