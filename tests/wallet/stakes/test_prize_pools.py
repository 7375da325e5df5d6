"""A tournament's money: paid in by fees and the house, paid out as prizes, refunds and rake."""

import pytest

from tests.refusals import refused
from tests.wallet.cash_players import make_player
from tests.wallet.rawsql import post
from tests.wallet.seats import CHIPS, INR
from wallet import api as wallet
from wallet.api import Fee, Prize
from wallet.ledger import chart
from wallet.ledger.balances import balance, get_player_balances
from wallet.ledger.checks import reconcile
from wallet.models import Transfer
from wallet.money import Buckets
from wallet.refusals import NOTHING_TO_REVERSE, InsufficientFunds

pytestmark = pytest.mark.django_db


@pytest.fixture
def players():
    made = []
    for number in range(3):
        user = make_player(f"Player{number}")
        wallet.grant_welcome_chips(user_id=user.pk)
        made.append(user.pk)
    return made


def pool(number=7, currency=CHIPS):
    return balance(chart.prize_pool(number, currency))


def chips_of(user_id):
    return balance(chart.player(user_id, CHIPS))


def enter(user_id, key, *, amount=100, currency=CHIPS):
    return wallet.pay_tournament_fee(
        tournament_id=7, user_id=user_id, amount=amount, currency=currency, key=key
    )


def give_cash(user_id):
    """Give the player 1,000 paise each of bonus, deposits and winnings."""
    post(
        f"cash:{user_id}",
        f"BONUS_EXPENSE,0,BONUS,{user_id},INR,1000,ADJUSTMENT",
        f"DEPOSITS,0,PLAYER,{user_id},INR,1000,ADJUSTMENT",
        f"DEPOSITS,0,WINNINGS,{user_id},INR,1000,ADJUSTMENT",
    )


def test_a_fee_is_taken_once_and_refunded_once(players):
    for _ in range(2):
        enter(players[0], "entry:1")
    assert (chips_of(players[0]), pool()) == (9_900, 100)
    for _ in range(2):
        wallet.refund_tournament_fee(tournament_id=7, paid_key="entry:1")
    assert (chips_of(players[0]), pool()) == (10_000, 0)


def test_an_unpaid_fee_is_not_refunded(players):
    with refused(NOTHING_TO_REVERSE):
        wallet.refund_tournament_fee(tournament_id=7, paid_key="entry:1")
    assert wallet.refund_tournament_fees(tournament_id=7, currency=CHIPS, at_most=9) == 0


def test_cash_goes_back_to_the_buckets_it_came_from(players, settings):
    settings.CASH_BONUS_BPS = 1_000
    give_cash(players[0])
    enter(players[0], "entry:1", amount=1_500, currency=INR)
    assert get_player_balances(players[0]).cash == Buckets(850, 0, 650)
    wallet.refund_tournament_fee(tournament_id=7, paid_key="entry:1")
    assert get_player_balances(players[0]).cash == Buckets(1_000, 1_000, 1_000)
    assert pool(currency=INR) == 0


def test_many_fees_are_taken_together_and_a_repetition_takes_the_new_ones(players):
    fees = [Fee(f"entry:{user}", user) for user in players] + [Fee("entry:bot", None)]

    def take(some):
        return wallet.pay_tournament_fees_in_chips(tournament_id=7, fees=some, amount=100)

    assert sorted(take(fees[:2])) == sorted(fee.key for fee in fees[:2])
    assert sorted(take(fees)) == sorted(fee.key for fee in fees[2:])
    assert take([]) == []
    assert pool() == 400
    assert [chips_of(user) for user in players] == [9_900] * 3


def test_no_fee_is_taken_if_one_player_cannot_pay(players):
    fees = [Fee(f"entry:{user}", user) for user in players]
    enter(players[1], "other", amount=10_000)
    with pytest.raises(InsufficientFunds):
        wallet.pay_tournament_fees_in_chips(tournament_id=7, fees=fees, amount=100)
    assert pool() == 10_000
    assert chips_of(players[0]) == 10_000


def test_everything_is_refunded_once_and_to_everybody(players):
    for user in players:
        enter(user, f"entry:{user}")
    enter(players[0], "rebuy:1", amount=50)
    wallet.refund_tournament_fee(tournament_id=7, paid_key=f"entry:{players[2]}")
    refunded = [
        wallet.refund_tournament_fees(tournament_id=7, currency=CHIPS, at_most=2) for _ in range(3)
    ]
    assert refunded == [2, 1, 0]
    assert pool() == 0
    assert [chips_of(user) for user in players] == [10_000] * 3


def test_a_ticket_pays_from_the_satellites_pool_and_goes_back_to_it(players):
    enter(players[0], "entry:1")
    wallet.pay_tournament_fee(
        tournament_id=8,
        user_id=players[1],
        satellite_id=7,
        amount=80,
        currency=CHIPS,
        key="entry:2",
    )
    assert (pool(7), pool(8)) == (20, 80)
    wallet.refund_tournament_fees(tournament_id=8, currency=CHIPS, at_most=9)
    assert (pool(7), pool(8)) == (100, 0)


def test_the_end_pays_everything_out_and_the_ledger_balances(players):
    for user in players:
        enter(user, f"entry:{user}")
    for _ in range(2):
        wallet.settle_tournament(
            tournament_id=7,
            currency=CHIPS,
            prizes=[Prize(players[0], 400), Prize(None, 70), Prize(players[1], 0)],
            overlay=200,
            rake=30,
        )
    assert pool() == 0
    assert chips_of(players[0]) == 10_300
    assert balance(chart.overlay(CHIPS)) == -200
    assert balance(chart.house(CHIPS)) == 30
    reasons = Transfer.objects.filter(journal__key="tournament:7:settle")
    assert sorted(reasons.values_list("reason", flat=True)) == ["OVERLAY", "PRIZE", "PRIZE", "RAKE"]
    assert reconcile().findings == ()
