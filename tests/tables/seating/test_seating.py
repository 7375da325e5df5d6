from functools import partial

import pytest
from django.db.models.functions import Now

from tables.live.clock import act_on_table
from tables.models import Change, Seat, SeatStatus, Table, TableStatus
from tables.refusals import (
    AlreadySeated,
    BuyInOutOfRange,
    NoSuchSeat,
    NotSeated,
    SeatTaken,
    TableNotFound,
)
from tables.seating.sitting import leave_table, take_seat
from tests.given import reload, require
from tests.tables.driving import act, game_view, let_time_pass, seat_all, start_match
from tests.together import run_at_once
from wallet.ledger import chart
from wallet.ledger.balances import balance
from wallet.money import Currency
from wallet.refusals import InsufficientFunds

WELCOME = 10_000


def chips_of(user):
    return balance(chart.player(user.pk, Currency.CHIPS))


def stack_at(table, number):
    seat = Seat.objects.get(table=table, number=number, left_at=None)
    return balance(chart.seat(seat.pk, Currency.CHIPS))


@pytest.mark.django_db
def test_sitting_down_moves_the_buy_in_to_the_seat(make_player, make_table):
    table, player = make_table(), make_player()
    step = take_seat(table_id=table.pk, user_id=player.pk, number=1, amount=300)
    assert chips_of(player) == WELCOME - 300
    assert stack_at(table, 1) == 300
    assert step.version == 1
    assert step.patch["seats"][1] == {
        "seat": 1,
        "player": {"id": player.pk, "name": "Player 1", "bot": False, "face": player.shown_face},
        "stack": 300,
        "state": "waiting",
    }


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("seat", "amount", "refusal"),
    [(0, 79, BuyInOutOfRange), (0, 801, BuyInOutOfRange), (2, 80, NoSuchSeat), (1, 80, SeatTaken)],
)
def test_a_refused_seat_changes_nothing(make_player, make_table, seat, amount, refusal):
    table, sitter, player = make_table(), make_player(), make_player()
    take_seat(table_id=table.pk, user_id=sitter.pk, number=1, amount=80)
    with pytest.raises(refusal):
        take_seat(table_id=table.pk, user_id=player.pk, number=seat, amount=amount)
    table.refresh_from_db()
    assert chips_of(player) == WELCOME
    assert Seat.objects.filter(user=player).count() == 0
    assert table.version == 1


@pytest.mark.django_db
def test_without_the_chips_nobody_sits(make_player, make_table):
    table, player = make_table(), make_player(chips=False)
    with pytest.raises(InsufficientFunds):
        take_seat(table_id=table.pk, user_id=player.pk, amount=80)
    assert Seat.objects.count() == 0
    assert Change.objects.count() == 0


@pytest.mark.django_db
def test_nobody_sits_twice_at_a_table(make_player, make_table):
    table, player = make_table(), make_player()
    take_seat(table_id=table.pk, user_id=player.pk, amount=80)
    with pytest.raises(AlreadySeated):
        take_seat(table_id=table.pk, user_id=player.pk, amount=80)
    assert chips_of(player) == WELCOME - 80


@pytest.mark.django_db
def test_there_is_no_seat_at_no_table(make_player):
    with pytest.raises(TableNotFound):
        take_seat(table_id=404, user_id=make_player().pk, amount=80)


@pytest.mark.django_db(transaction=True)
def test_two_connections_race_for_the_last_seat(make_player, make_table):
    table = make_table()
    first, *racers = (make_player() for _ in range(3))
    take_seat(table_id=table.pk, user_id=first.pk, amount=80)
    seat = partial(take_seat, table_id=table.pk, number=1, amount=80)
    outcomes = run_at_once(*(partial(seat, user_id=user.pk) for user in racers))
    assert [isinstance(outcome, SeatTaken) for outcome in outcomes].count(True) == 1
    assert sorted(chips_of(user) for user in racers) == [WELCOME - 80, WELCOME]
    assert Seat.objects.filter(table=table, left_at=None).count() == 2


@pytest.mark.django_db
def test_two_players_start_after_a_pause(make_player, make_table):
    table = make_table()
    seat_all(table, make_player(), make_player())
    assert reload(table).status == TableStatus.STARTING
    assert act_on_table(table.pk) is None  # the pause is not over
    step = let_time_pass(table)
    assert [event["kind"] for event in require(step).events][:3] == [
        "match_started",
        "toss",
        "dealt",
    ]
    assert game_view(table)["phase"] == "turn"


@pytest.mark.django_db
def test_leaving_before_a_deal_brings_the_stack_back(make_player, make_table):
    table, player, other = make_table(), make_player(), make_player()
    seat_all(table, player, other, amount=500)
    leave_table(table_id=table.pk, user_id=player.pk)
    table.refresh_from_db()
    assert chips_of(player) == WELCOME
    assert table.status == TableStatus.WAITING
    assert table.deadline_at is None
    with pytest.raises(NotSeated):
        leave_table(table_id=table.pk, user_id=player.pk)


@pytest.mark.django_db
def test_r5_3_leaving_a_deal_costs_a_first_drop_and_the_rest_comes_back(make_player, make_table):
    table = make_table(max_seats=3)
    players = [make_player() for _ in range(3)]
    start_match(table, *players)
    leave_table(table_id=table.pk, user_id=players[0].pk)
    assert Seat.objects.get(user=players[0]).status == SeatStatus.LEAVING
    assert chips_of(players[0]) == WELCOME - 800  # the stack waits for the end of the deal
    turn = game_view(table)["turn"]
    assert act(table, turn, kind="drop").refusal is None
    assert Seat.objects.get(user=players[0]).status == SeatStatus.LEFT
    assert chips_of(players[0]) == WELCOME - 20  # R5.2: a first drop is 20 points at 1 chip


@pytest.mark.django_db
def test_bots_join_a_waiting_person_and_leave_with_him(make_player, make_table):
    table, player = make_table(max_seats=4, bots_wanted=2), make_player()
    take_seat(table_id=table.pk, user_id=player.pk, amount=80)
    for _ in range(3):
        Table.objects.filter(pk=table.pk).update(bot_due_at=Now())
        act_on_table(table.pk)
    seated = Seat.objects.filter(table=table, left_at=None)
    assert seated.filter(user__is_bot=True).count() == 2
    leave_table(table_id=table.pk, user_id=player.pk)
    assert seated.count() == 0
    assert reload(table).bot_seats == []
    assert table.bot_due_at is None
