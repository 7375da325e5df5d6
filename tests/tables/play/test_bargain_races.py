"""Concurrent rejoins and splits, each of which is paid once."""

import pytest

from tables.models import MatchStatus
from tables.play.move import MoveRequest, play_move
from tables.seating.sitting import take_seat
from tests.given import reload, require
from tests.tables.driving import WELCOME, chips_of, game_view, get_match, player_at
from tests.tables.pools import FEE, end_rejoin, play_to_two, pot_of
from tests.together import names_of, run_at_once
from wallet import api as wallet
from wallet.ledger.checks import reconcile
from wallet.money import Currency

pytestmark = pytest.mark.django_db(transaction=True)
CHIPS = Currency.CHIPS


@pytest.fixture
def table(make_table, make_player):
    return play_to_two(make_table, make_player)


def prepare_move(table, seat, **move):
    user_id = player_at(table, seat).pk
    return lambda: play_move(MoveRequest(table_id=table.pk, user_id=user_id, move=move))


def filter_done(results):
    return [played for played in results if played.refusal is None]


def test_a_player_who_rejoins_in_six_windows_pays_once(table):
    (seat,) = game_view(table)["match"]["waiting"]
    user = player_at(table, seat)
    results = run_at_once(*6 * [prepare_move(table, seat, kind="rejoin", accept=True)])
    assert len(filter_done(results)) == 1
    assert pot_of(get_match(table)) == 4 * FEE
    assert chips_of(user) == WELCOME - 2 * FEE
    assert game_view(table)["match"]["standings"][str(seat)]["entries"] == 2
    assert reconcile().findings == ()


def test_only_the_first_answer_to_a_rejoin_counts(table):
    (seat,) = game_view(table)["match"]["waiting"]
    user = player_at(table, seat)
    yes, no = (prepare_move(table, seat, kind="rejoin", accept=accept) for accept in (True, False))
    assert len(filter_done(run_at_once(yes, no, yes, no))) == 1
    entries = game_view(table)["match"]["standings"][str(seat)]["entries"]
    assert pot_of(get_match(table)) == (2 + entries) * FEE
    assert chips_of(user) == WELCOME - entries * FEE
    assert reconcile().findings == ()


def test_the_same_chips_pay_a_rejoin_or_another_seat(table, make_table):
    (seat,) = game_view(table)["match"]["waiting"]
    user, other = player_at(table, seat), make_table()
    free = chips_of(user)
    wallet.buy_in(
        user_id=user.pk, seat_id=999, amount=free - FEE, currency=CHIPS, key="seat:999:in"
    )
    rejoined, seated = run_at_once(
        prepare_move(table, seat, kind="rejoin", accept=True),
        lambda: take_seat(table_id=other.pk, user_id=user.pk, amount=FEE),
    )
    came_back = not isinstance(rejoined, Exception) and rejoined.refusal is None
    assert names_of([seated]) == (["InsufficientFunds"] if came_back else ["TableChange"])
    assert chips_of(user) == 0
    assert pot_of(get_match(table)) == (4 if came_back else 3) * FEE
    assert reconcile().findings == ()


def test_a_prize_is_split_only_once(table):
    end_rejoin(table)
    match = get_match(table)
    standings = game_view(table)["match"]["standings"]
    left = [int(seat) for seat, one in standings.items() if one["membership"] == "in"]
    assert len(left) == 2
    asked = run_at_once(*(prepare_move(table, seat, kind="offer_split") for seat in left * 3))
    assert len(filter_done(asked)) == 1
    waiting = game_view(table)["match"]["waiting"]
    answers = [prepare_move(table, seat, kind="answer_split", accept=True) for seat in left * 3]
    assert len(filter_done(run_at_once(*answers))) == len(waiting) == 1
    assert reload(match).status == MatchStatus.FINISHED
    assert require(match.settlement)["gross"] == 3 * FEE
    assert sum(require(match.settlement)["amounts"].values()) == -require(match.settlement)["rake"]
    assert pot_of(match) == 0
    assert reconcile().findings == ()
