from functools import partial

import pytest

from tables.live.clock import act_on_table
from tables.models import Change, Seat, SeatStatus, TableStatus
from tables.refusals import (
    ALREADY_SEATED,
    BUY_IN_OUT_OF_RANGE,
    NO_SUCH_SEAT,
    SEAT_TAKEN,
    NotSeated,
    TableNotFound,
)
from tables.seating.sitting import take_seat
from tests.given import reload, require
from tests.refusals import kind_of, refused
from tests.tables.driving import (
    BUY_IN,
    WELCOME,
    chips_of,
    drop,
    game_view,
    leave,
    let_time_pass,
    list_seated,
    seat_a_bot,
    seat_all,
    start_match,
)
from tests.together import run_at_once
from wallet.ledger import chart
from wallet.ledger.balances import balance
from wallet.money import Currency
from wallet.refusals import InsufficientFunds


def get_stack(table, number):
    seat = Seat.objects.get(table=table, number=number, left_at=None)
    return balance(chart.seat(seat.pk, Currency.CHIPS))


pytestmark = pytest.mark.django_db


def test_sitting_down_moves_the_buy_in_to_the_seat(make_player, make_table):
    table, player = make_table(), make_player()
    step = take_seat(table_id=table.pk, user_id=player.pk, number=1, amount=300)
    assert chips_of(player) == WELCOME - 300
    assert get_stack(table, 1) == 300
    assert step.version == 1
    assert step.patch["seats"][1] == {
        "seat": 1,
        "player": {"id": player.pk, "name": "Player 1", "bot": False, "face": player.shown_face},
        "stack": 300,
        "state": "waiting",
    }


@pytest.mark.parametrize(
    ("seat", "amount", "refusal"),
    [
        (0, 79, BUY_IN_OUT_OF_RANGE),
        (0, 801, BUY_IN_OUT_OF_RANGE),
        (2, 80, NO_SUCH_SEAT),
        (1, 80, SEAT_TAKEN),
    ],
)
def test_a_refused_seat_changes_nothing(make_player, make_table, seat, amount, refusal):
    table, sitter, player = make_table(), make_player(), make_player()
    seat_all(table, sitter, number=1)
    with refused(refusal):
        seat_all(table, player, number=seat, amount=amount)
    assert chips_of(player) == WELCOME
    assert Seat.objects.filter(user=player).count() == 0
    assert reload(table).version == 1


def test_a_player_without_chips_gets_no_seat(make_player, make_table):
    with pytest.raises(InsufficientFunds):
        seat_all(make_table(), make_player(chips=False))
    assert Seat.objects.count() == 0
    assert Change.objects.count() == 0


def test_a_player_sits_only_once_at_a_table(make_player, make_table):
    table, player = make_table(), make_player()
    seat_all(table, player)
    with refused(ALREADY_SEATED):
        seat_all(table, player)
    assert chips_of(player) == WELCOME - BUY_IN


def test_an_unknown_table_has_no_seat(make_player):
    with pytest.raises(TableNotFound):
        take_seat(table_id=404, user_id=make_player().pk, amount=80)


@pytest.mark.django_db(transaction=True)
def test_concurrent_players_get_the_last_seat_once(make_player, make_table):
    table = make_table()
    first, *racers = (make_player() for _ in range(3))
    seat_all(table, first)
    outcomes = run_at_once(*(partial(seat_all, table, user, number=1) for user in racers))
    assert [kind_of(outcome) for outcome in outcomes].count(SEAT_TAKEN) == 1
    assert sorted(chips_of(user) for user in racers) == [WELCOME - BUY_IN, WELCOME]
    assert len(list_seated(table)) == 2


def test_two_players_start_after_a_pause(make_player, make_table):
    table = make_table()
    seat_all(table, make_player(), make_player())
    assert reload(table).status == TableStatus.STARTING
    assert act_on_table(table.pk) is None  # the pause is not over
    kinds = [event["kind"] for event in require(let_time_pass(table)).events]
    assert kinds[:3] == ["match_started", "toss", "dealt"]
    assert game_view(table)["phase"] == "turn"


def test_leaving_before_a_deal_brings_the_stack_back(make_player, make_table):
    table, player, other = make_table(), make_player(), make_player()
    seat_all(table, player, other, amount=500)
    leave(table, player)
    assert chips_of(player) == WELCOME
    assert (reload(table).status, table.deadline_at) == (TableStatus.WAITING, None)
    with pytest.raises(NotSeated):
        leave(table, player)


def test_r5_3_leaving_a_deal_costs_a_first_drop(players, make_table):
    table = start_match(make_table(max_seats=3), *players[:3])
    leave(table, players[0])
    assert Seat.objects.get(user=players[0]).status == SeatStatus.LEAVING
    assert chips_of(players[0]) == WELCOME - 800  # the stack waits for the end of the deal
    drop(table)
    assert Seat.objects.get(user=players[0]).status == SeatStatus.LEFT
    assert chips_of(players[0]) == WELCOME - 20  # R5.2: a first drop is 20 points at 1 chip


def test_bots_join_a_waiting_player_and_leave_with_the_last(make_player, make_table):
    table, player = make_table(max_seats=4, bots_wanted=2), make_player()
    seat_all(table, player)
    for _ in range(3):
        seat_a_bot(table)
    assert Seat.objects.filter(table=table, left_at=None, user__is_bot=True).count() == 2
    leave(table, player)
    assert list_seated(table) == []
    assert (reload(table).bot_seats, table.bot_due_at) == ([], None)
