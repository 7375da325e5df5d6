"""The next match begins when all who stay have asked for it; at the latest with the end of the pause."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from tables.live.clock import act_on_table
from tables.models import Match, Seat, SeatStatus, Table, TableStatus
from tables.play.reading import snapshot
from tables.play.start import AGREED_PAUSE
from tables.refusals import BuyInOutOfRange, MatchRunning, NoMatch, NotSeated, Refusal, TableClosed
from tables.seating.selectors import list_own_tables
from tables.seating.sitting import leave_table, play_again, take_seat
from tests.given import reload, require
from tests.tables.driving import end_match, let_time_pass, seat_all, start_match
from wallet import api as wallet
from wallet.ledger.balances import get_player_balances
from wallet.money import Currency

pytestmark = pytest.mark.django_db
FEE = 100


@pytest.fixture
def players(make_player):
    return [make_player() for _ in range(3)]


@pytest.fixture
def pot_table(make_table, players):
    """A table for an entry fee whose match of three has just ended."""
    table = make_table(preset="pool61", point_value=0, entry_fee=FEE, max_seats=4)
    start_match(table, *players)
    end_match(table)
    assert reload(table).status == TableStatus.BETWEEN
    return table


def ask_again(table, player, amount=FEE):
    change = play_again(table_id=table.pk, user_id=player.pk, amount=amount)
    table.refresh_from_db()
    return change


def expect_refusal(table, player, refusal, amount=FEE):
    before = Table.objects.filter(pk=table.pk).values().get(), chips(player)
    with pytest.raises(refusal):
        play_again(table_id=table.pk, user_id=player.pk, amount=amount)
    assert (Table.objects.filter(pk=table.pk).values().get(), chips(player)) == before


def chips(player):
    return get_player_balances(player.pk).chips


def list_asking(table):
    seen = require(snapshot(table_id=table.pk, user_id=None))
    return [chair["seat"] for chair in seen.state["seats"] if chair.get("again")]


def test_it_begins_at_once_when_the_last_one_has_asked(pot_table, players):
    pause = pot_table.deadline_at
    for number, player in enumerate(players[:2]):
        before = chips(player)
        change = require(ask_again(pot_table, player))
        assert [event["kind"] for event in change.events] == ["topped_up", "plays_again"]
        assert chips(player) == before - FEE
        assert list_asking(pot_table) == list(range(number + 1))
        assert pot_table.deadline_at == pause
    ask_again(pot_table, players[2])
    assert pot_table.deadline_at < pause - timedelta(milliseconds=AGREED_PAUSE)
    let_time_pass(pot_table)
    assert Match.objects.filter(table=pot_table).count() == 2
    assert not Seat.objects.filter(plays_again=True).exists()
    assert list_asking(pot_table) == []


def test_a_second_press_charges_nothing(pot_table, players):
    ask_again(pot_table, players[0])
    before = chips(players[0])
    assert ask_again(pot_table, players[0]) is None
    assert chips(players[0]) == before


def test_who_leaves_keeps_nobody_waiting(pot_table, players):
    pause = pot_table.deadline_at
    ask_again(pot_table, players[0])
    ask_again(pot_table, players[1])
    leave_table(table_id=pot_table.pk, user_id=players[2].pk)
    assert reload(pot_table).deadline_at < pause - timedelta(milliseconds=AGREED_PAUSE)


def test_who_has_not_asked_when_the_pause_is_over_has_paid_nothing_and_is_left_out(
    pot_table, players
):
    ask_again(pot_table, players[0])
    ask_again(pot_table, players[1])
    let_time_pass(pot_table)
    match = Match.objects.filter(table=pot_table).latest("pk")
    assert sorted(match.participants) == [players[0].pk, players[1].pk]
    assert not Seat.objects.filter(user=players[2], left_at=None).exists()


def test_a_newcomer_is_not_waited_for(pot_table, players, make_player):
    take_seat(table_id=pot_table.pk, user_id=make_player().pk, amount=FEE)
    pause = pot_table.deadline_at
    for player in players:
        ask_again(pot_table, player)
    assert pot_table.deadline_at < pause
    let_time_pass(pot_table)
    assert len(Match.objects.filter(table=pot_table).latest("pk").players) == 4


def test_a_new_fee_asks_everybody_again(pot_table, players):
    for player in players:
        ask_again(pot_table, player)
    Table.objects.filter(pk=pot_table.pk).update(rake_bps=9_999)
    let_time_pass(pot_table)
    assert reload(pot_table).status == TableStatus.BETWEEN
    assert list_asking(pot_table) == []


def test_what_is_refused_changes_nothing(pot_table, players, make_player, make_table):
    expect_refusal(pot_table, players[0], BuyInOutOfRange, amount=0)
    expect_refusal(pot_table, players[0], BuyInOutOfRange, amount=FEE + 1)
    expect_refusal(pot_table, make_player(), NotSeated)
    wallet.buy_in(
        user_id=players[1].pk,
        seat_id=10**9,
        amount=chips(players[1]),
        currency=Currency.CHIPS,
        key="elsewhere",
    )
    expect_refusal(pot_table, players[1], Refusal)
    fresh = make_table()
    seat_all(fresh, players[2])
    expect_refusal(fresh, players[2], NoMatch, amount=0)
    Table.objects.filter(pk=pot_table.pk).update(status=TableStatus.CLOSED)
    expect_refusal(pot_table, players[0], TableClosed)


def test_in_a_match_nobody_asks_for_the_next_one(make_table, players):
    table = start_match(make_table(), *players[:2])
    expect_refusal(table, players[0], MatchRunning, amount=0)


def test_a_table_for_points_needs_no_further_stack(make_table, players):
    table = start_match(make_table(), *players[:2])
    end_match(table)
    before = [chips(player) for player in players[:2]]
    for player in players[:2]:
        ask_again(table, player, amount=0)
    assert [chips(player) for player in players[:2]] == before
    let_time_pass(table)
    assert Match.objects.filter(table=table).count() == 2


def test_with_bots_one_press_is_enough(make_table, players):
    table = make_table(bots_wanted=1, max_seats=2)
    seat_all(table, players[0])
    Table.objects.filter(pk=table.pk).update(bot_due_at=Now())
    act_on_table(table.pk)
    let_time_pass(table)
    end_match(table)
    pause = reload(table).deadline_at
    ask_again(table, players[0], amount=0)
    assert table.deadline_at < pause


def test_a_table_left_in_a_match_is_none_of_ones_own(make_table, players):
    table = start_match(make_table(max_seats=3), *players)
    leave_table(table_id=table.pk, user_id=players[0].pk)
    assert Seat.objects.get(user=players[0], left_at=None).status == SeatStatus.LEAVING
    assert list_own_tables(players[0].pk) == []
    assert [own.id for own in list_own_tables(players[1].pk)] == [table.pk]


def mark_gone(player):
    seats = Seat.objects.filter(user=player, left_at=None)
    seats.update(away_since=Now() - timedelta(minutes=5))


@pytest.mark.parametrize("is_lesson", [True, False])
def test_bots_do_not_play_on_with_who_is_gone(make_table, players, is_lesson):
    table = make_table(bots_wanted=1, max_seats=2)
    seat_all(table, players[0])
    Table.objects.filter(pk=table.pk).update(bot_due_at=Now(), is_lesson=is_lesson)
    act_on_table(table.pk)
    let_time_pass(table)
    end_match(table)
    mark_gone(players[0])
    let_time_pass(table)
    assert reload(table).status == (TableStatus.CLOSED if is_lesson else TableStatus.WAITING)
    assert list_own_tables(players[0].pk) == []
    assert not Seat.objects.filter(table=table, left_at=None).exists()


def test_people_who_are_away_are_dealt_in_where_others_play(make_table, players):
    table = start_match(make_table(), *players[:2])
    end_match(table)
    for player in players[:2]:
        mark_gone(player)
    let_time_pass(table)
    assert Match.objects.filter(table=table).count() == 2


@pytest.fixture
def free_table(make_table, players):
    """A free table whose match of three has just ended."""
    table = make_table(point_value=0, entry_fee=0, invite_code="abcdefghijkl", max_seats=3)
    start_match(table, *players)
    end_match(table)
    return table


def test_at_a_free_table_who_is_gone_is_left_out(free_table, players):
    mark_gone(players[2])
    let_time_pass(free_table)
    match = Match.objects.filter(table=free_table).latest("pk")
    assert sorted(match.participants) == [players[0].pk, players[1].pk]
    assert list_own_tables(players[2].pk) == []


def test_who_has_asked_for_the_match_is_dealt_in(free_table, players):
    ask_again(free_table, players[2], amount=0)
    mark_gone(players[2])
    let_time_pass(free_table)
    assert len(Match.objects.filter(table=free_table).latest("pk").participants) == 3


def test_a_free_table_that_all_have_left_open_deals_no_more(free_table, players):
    for player in players:
        mark_gone(player)
    let_time_pass(free_table)
    assert (reload(free_table).status, free_table.seats_taken) == (TableStatus.WAITING, 0)
    assert Match.objects.filter(table=free_table).count() == 1
