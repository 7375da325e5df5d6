"""Rematches: agreement, charges, and absent players."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from core.refusals import Refusal
from tables.models import Match, Seat, SeatStatus, Table, TableStatus
from tables.play.reading import snapshot
from tables.play.start import AGREED_PAUSE
from tables.refusals import BUY_IN_OUT_OF_RANGE, MATCH_RUNNING, NO_MATCH, TABLE_CLOSED, NotSeated
from tables.seating.hosting.services import start_table
from tables.seating.selectors import list_own_tables
from tables.seating.sitting import play_again, take_seat
from tests.given import reload, require
from tests.refusals import refused
from tests.tables.driving import (
    chips_of,
    end_match,
    get_match,
    leave,
    let_time_pass,
    list_seated,
    seat_all,
    start_match,
    start_with_a_bot,
)
from tests.tables.pools import FEE
from wallet import api as wallet
from wallet.money import Currency

pytestmark = pytest.mark.django_db


@pytest.fixture
def players(make_player):
    return [make_player() for _ in range(3)]


@pytest.fixture
def pot_table(make_table, players):
    """A table for an entry fee whose match of three has just ended."""
    table = start_match(make_table(preset="pool61", entry_fee=FEE, max_seats=4), *players)
    end_match(table)
    assert reload(table).status == TableStatus.BETWEEN
    return table


@pytest.fixture
def bot_table(make_table, players):
    """A table at which a player has just finished a match against a bot."""
    table = start_with_a_bot(make_table(bots_wanted=1), players[0])
    end_match(table)
    return reload(table)


def ask_again(table, player, amount=FEE):
    change = play_again(table_id=table.pk, user_id=player.pk, amount=amount)
    table.refresh_from_db()
    return change


def expect_refusal(table, player, refusal, amount=FEE):
    before = Table.objects.filter(pk=table.pk).values().get(), chips_of(player)
    with refused(refusal):
        play_again(table_id=table.pk, user_id=player.pk, amount=amount)
    assert (Table.objects.filter(pk=table.pk).values().get(), chips_of(player)) == before


def list_asking(table):
    seen = require(snapshot(table_id=table.pk, user_id=None))
    return [chair["seat"] for chair in seen.state["seats"] if chair.get("again")]


def test_the_next_match_begins_once_all_have_asked(pot_table, players):
    pause = pot_table.deadline_at
    for number, player in enumerate(players[:2]):
        before = chips_of(player)
        change = require(ask_again(pot_table, player))
        assert [event["kind"] for event in change.events] == ["topped_up", "plays_again"]
        assert ask_again(pot_table, player) is None  # a second time
        assert chips_of(player) == before - FEE
        assert list_asking(pot_table) == list(range(number + 1))
        assert pot_table.deadline_at == pause
    ask_again(pot_table, players[2])
    assert pot_table.deadline_at < pause - timedelta(milliseconds=AGREED_PAUSE)
    let_time_pass(pot_table)
    assert Match.objects.filter(table=pot_table).count() == 2
    assert not Seat.objects.filter(plays_again=True).exists()
    assert list_asking(pot_table) == []


def test_nobody_waits_for_a_player_who_has_left(pot_table, players):
    pause = pot_table.deadline_at
    ask_again(pot_table, players[0])
    ask_again(pot_table, players[1])
    leave(pot_table, players[2])
    assert reload(pot_table).deadline_at < pause - timedelta(milliseconds=AGREED_PAUSE)


def test_a_player_who_did_not_ask_in_time_is_left_out_unpaid(pot_table, players):
    ask_again(pot_table, players[0])
    ask_again(pot_table, players[1])
    let_time_pass(pot_table)
    assert sorted(get_match(pot_table).participants) == [players[0].pk, players[1].pk]
    assert not Seat.objects.filter(user=players[2], left_at=None).exists()


def test_the_next_match_does_not_wait_for_newcomers(pot_table, players, make_player):
    take_seat(table_id=pot_table.pk, user_id=make_player().pk, amount=FEE)
    pause = pot_table.deadline_at
    for player in players:
        ask_again(pot_table, player)
    assert pot_table.deadline_at < pause
    let_time_pass(pot_table)
    assert len(get_match(pot_table).players) == 4


def test_a_changed_fee_needs_a_new_agreement(pot_table, players):
    for player in players:
        ask_again(pot_table, player)
    Table.objects.filter(pk=pot_table.pk).update(rake_bps=9_999)
    let_time_pass(pot_table)
    assert reload(pot_table).status == TableStatus.BETWEEN
    assert list_asking(pot_table) == []


def test_a_refused_rematch_changes_nothing(pot_table, players, make_player, make_table):
    expect_refusal(pot_table, players[0], BUY_IN_OUT_OF_RANGE, amount=0)
    expect_refusal(pot_table, players[0], BUY_IN_OUT_OF_RANGE, amount=FEE + 1)
    expect_refusal(pot_table, make_player(), NotSeated)
    wallet.buy_in(
        user_id=players[1].pk,
        seat_id=10**9,
        amount=chips_of(players[1]),
        currency=Currency.CHIPS,
        key="elsewhere",
    )
    expect_refusal(pot_table, players[1], Refusal)
    fresh = make_table()
    seat_all(fresh, players[2])
    expect_refusal(fresh, players[2], NO_MATCH, amount=0)
    start_match(fresh, players[0])
    expect_refusal(fresh, players[0], MATCH_RUNNING, amount=0)
    Table.objects.filter(pk=pot_table.pk).update(status=TableStatus.CLOSED)
    expect_refusal(pot_table, players[0], TABLE_CLOSED)


def test_a_rematch_for_points_needs_no_further_stack(make_table, players):
    table = start_match(make_table(), *players[:2])
    end_match(table)
    before = [chips_of(player) for player in players[:2]]
    for player in players[:2]:
        ask_again(table, player, amount=0)
    assert [chips_of(player) for player in players[:2]] == before
    let_time_pass(table)
    assert Match.objects.filter(table=table).count() == 2


def test_a_player_among_bots_agrees_alone_to_play_again(bot_table, players):
    pause = bot_table.deadline_at
    ask_again(bot_table, players[0], amount=0)
    assert bot_table.deadline_at < pause


def test_a_table_left_during_a_match_is_not_listed_as_ones_own(make_table, players):
    table = start_match(make_table(max_seats=3), *players)
    leave(table, players[0])
    assert Seat.objects.get(user=players[0], left_at=None).status == SeatStatus.LEAVING
    assert list_own_tables(players[0].pk) == []
    assert [own.id for own in list_own_tables(players[1].pk)] == [table.pk]


def mark_gone(player):
    seats = Seat.objects.filter(user=player, left_at=None)
    seats.update(away_since=Now() - timedelta(minutes=5))


@pytest.mark.parametrize("is_lesson", [True, False])
def test_bots_do_not_play_on_with_an_absent_player(bot_table, players, is_lesson):
    Table.objects.filter(pk=bot_table.pk).update(is_lesson=is_lesson)
    mark_gone(players[0])
    let_time_pass(bot_table)
    assert reload(bot_table).status == (TableStatus.CLOSED if is_lesson else TableStatus.WAITING)
    assert list_own_tables(players[0].pk) == []
    assert list_seated(bot_table) == []


def test_absent_players_are_dealt_in_at_a_paid_table(make_table, players):
    table = start_match(make_table(), *players[:2])
    end_match(table)
    for player in players[:2]:
        mark_gone(player)
    let_time_pass(table)
    assert Match.objects.filter(table=table).count() == 2


@pytest.fixture
def free_table(make_free, players):
    """A free table whose match of three has just ended."""
    table = start_match(make_free(max_seats=3), *players)
    end_match(table)
    return table


def test_an_absent_player_at_a_free_table_is_left_out(free_table, players):
    mark_gone(players[2])
    ask_again(free_table, players[1], amount=0)
    start_table(table_id=free_table.pk, user_id=players[0].pk)
    let_time_pass(free_table)
    assert sorted(get_match(free_table).participants) == [players[0].pk, players[1].pk]
    assert list_own_tables(players[2].pk) == []


def test_an_absent_player_who_asked_for_the_match_is_dealt_in(free_table, players):
    for player in players[1:]:
        ask_again(free_table, player, amount=0)
    mark_gone(players[2])
    start_table(table_id=free_table.pk, user_id=players[0].pk)
    let_time_pass(free_table)
    assert len(get_match(free_table).participants) == 3


def test_a_free_table_of_absent_players_stops(free_table, players):
    for player in players:
        mark_gone(player)
    let_time_pass(free_table)
    assert (reload(free_table).status, free_table.seats_taken) == (TableStatus.WAITING, 0)
    assert Match.objects.filter(table=free_table).count() == 1
