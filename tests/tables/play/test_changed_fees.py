"""Changes of the service fee, which are announced before the first match that pays the new fee."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tables.models import Match, Seat, TableStatus
from tables.play.reading import snapshot
from tables.play.start import FEE_PAUSE, follow_fee, list_tables_with_old_fee
from tables.seating.hosting.private_tables import open_private
from tables.tasks import follow_fees
from tests.given import reload, require
from tests.tables.driving import (
    WELCOME,
    chips_of,
    drop,
    hurry_to_the_end,
    leave,
    let_time_pass,
    make_event_terms,
    make_kind,
    open_event_table,
    seat_all,
)
from tests.tables.pools import FEE
from wallet.fees.services import NextFee
from wallet.fees.services import follow_fee as set_next_fee
from wallet.models import FeeSchedule

pytestmark = pytest.mark.django_db


def change_fee(rake_bps=2_000, rake_cap=None, format="POINTS"):
    old = FeeSchedule.objects.get(game="indian", format=format, currency="CHIPS", valid_until=None)
    fee = NextFee(rake_bps, rake_cap)
    return set_next_fee(schedule_id=old.pk, fee=fee)


def get_fee(table):
    return reload(table).rake_bps, table.rake_cap


def list_fee_changes(table):
    return [
        event
        for change in table.changes.order_by("pk")
        for event in change.events
        if event["kind"] == "fee_changed"
    ]


def get_milliseconds_left(table):
    return (reload(table).deadline_at - timezone.now()).total_seconds() * 1000


def test_an_empty_table_takes_a_new_fee_at_once(make_table):
    table, pool = make_table(), make_table(preset="pool101", entry_fee=FEE)
    change_fee(2_000, 50)
    assert list_tables_with_old_fee() == [table.pk]
    assert follow_fees() == 1
    assert (get_fee(table), get_fee(pool)) == ((2_000, 50), (1_000, None))
    assert list_fee_changes(table) == [{"kind": "fee_changed", "rake_bps": 2_000, "rake_cap": 50}]
    patch = table.changes.get().patch["table"]
    assert (patch["rake_bps"], patch["rake_cap"]) == (2_000, 50)
    shown = require(snapshot(table_id=table.pk, user_id=None)).state["table"]
    assert (shown["rake_bps"], shown["rake_cap"]) == (2_000, 50)
    assert follow_fees() == 0
    change_fee(2_000, None)  # without a cap again
    assert follow_fees() == 1
    assert get_fee(table) == (2_000, None)


def test_the_queries_of_the_fee_tick_do_not_grow(make_table):
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
    assert (get_fee(low), get_fee(high)) == ((1_000, None), (700, 50))
    FeeSchedule.objects.filter(stake_from=6).update(valid_until=timezone.now())
    assert list_tables_with_old_fee() == []  # the schedule has ended: the old fee stays


def test_private_tables_take_a_new_fee(make_table, make_player):
    make_table()
    template = make_kind()
    table = open_private(template_id=template.pk, user_id=make_player().pk)
    change_fee()
    follow_fees()
    assert get_fee(table) == (2_000, None)


def test_a_running_match_keeps_its_fee_and_the_next_is_announced(table):
    change_fee(5_000)
    assert list_tables_with_old_fee() == []
    assert follow_fee(table.pk) is None
    drop(table)  # 20 points at 1 each
    settled = require(Match.objects.get(table=table).settlement)
    assert (settled["gross"], settled["rake"], settled["rake_bps"]) == (20, 2, 1_000)
    assert get_fee(table) == (1_000, None)
    assert follow_fees() == 1
    assert get_fee(table) == (5_000, None)
    assert len(list_fee_changes(table)) == 1
    # The last match is shown with its old fee.
    assert require(reload(table).settlement)["rake_bps"] == 1_000
    let_time_pass(table)
    drop(table)
    assert require(Match.objects.latest("pk").settlement)["rake"] == 10


def test_no_match_begins_for_a_fee_not_announced(make_table, make_player):
    """The match is due before the periodic job runs. The table announces the fee and postpones the start."""
    players, table = [make_player(), make_player()], make_table()
    seat_all(table, *players)
    change_fee()
    step = let_time_pass(table)
    assert [event["kind"] for event in require(step).events] == ["fee_changed"]
    assert not Match.objects.exists()
    assert FEE_PAUSE - 3_000 < get_milliseconds_left(table) <= FEE_PAUSE
    assert table.status == TableStatus.STARTING
    let_time_pass(table)
    assert Match.objects.get(table=table).status == "RUNNING"
    assert len(list_fee_changes(table)) == 1


def test_a_player_who_leaves_at_a_new_fee_pays_nothing(make_table, players):
    table = make_table(preset="pool101", entry_fee=FEE)
    seat_all(table, *players[:2])
    change_fee(format="POOL")
    let_time_pass(table)
    leave(table, players[0])
    assert chips_of(players[0]) == WELCOME
    assert not Match.objects.exists()
    assert reload(table).status == TableStatus.WAITING


@pytest.mark.parametrize(("preset", "format"), [("pool61", "POOL"), ("deals2", "DEALS")])
def test_matches_for_an_entry_fee_take_a_new_fee(make_table, make_player, preset, format):
    table = make_table(preset=preset, entry_fee=FEE)
    seat_all(table, make_player(), make_player())
    change_fee(3_000, format=format)
    assert follow_fees() == 1
    let_time_pass(table)
    change_fee(9_000, format=format)
    settled = require(hurry_to_the_end(table).settlement)
    assert (settled["rake"] * 10, settled["rake_bps"]) == (settled["gross"] * 3, 3_000)


def test_a_new_fee_postpones_only_a_near_start(make_table, make_player):
    near = make_table()
    seat_all(near, make_player(), make_player())
    far = make_table(preset="pool101", entry_fee=FEE, max_seats=3)
    seat_all(far, make_player(), make_player())
    before = reload(far).deadline_at
    change_fee()
    change_fee(format="POOL")
    assert follow_fees() == 2
    assert FEE_PAUSE - 3_000 < get_milliseconds_left(near) <= FEE_PAUSE
    assert reload(far).deadline_at == before


def test_a_fee_of_tomorrow_waits(make_table):
    table = make_table()
    old = FeeSchedule.objects.get(game="indian", format="POINTS")
    tomorrow = timezone.now() + timedelta(days=1)
    set_next_fee(schedule_id=old.pk, fee=NextFee(2_000, None, tomorrow))
    assert list_tables_with_old_fee() == []
    assert get_fee(table) == (1_000, None)


def test_a_table_keeps_its_fee_when_the_schedule_ends(make_table, make_player):
    table = make_table()
    seat_all(table, make_player(), make_player())
    FeeSchedule.objects.filter(format="POINTS").update(valid_until=timezone.now())
    assert list_tables_with_old_fee() == []
    let_time_pass(table)
    assert Match.objects.get(table=table).status == "RUNNING"
    assert get_fee(table) == (1_000, None)


def test_tables_of_an_event_have_no_fee(make_table, make_player):
    terms = make_event_terms(rules=make_table().rules)
    table = open_event_table(terms, make_player(), make_player())
    change_fee()
    assert table.pk not in list_tables_with_old_fee()
    let_time_pass(table)
    assert get_fee(table) == (0, None)
    assert Match.objects.filter(table=table).exists()
    assert Seat.objects.filter(table=table, status="PLAYING").count() == 2
