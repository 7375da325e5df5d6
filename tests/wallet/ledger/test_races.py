"""Real connections against each other."""

from collections import Counter
from functools import partial

import pytest
from django.db import transaction

from tests.together import run_at_once
from wallet import api as wallet
from wallet.ledger.balances import balance
from wallet.ledger.chart import Line, mint, player, seat
from wallet.ledger.checks import reconcile
from wallet.ledger.posting import Posting, post_transfers
from wallet.models import Reason
from wallet.money import Currency
from wallet.refusals import InsufficientFunds

pytestmark = pytest.mark.django_db(transaction=True)

CHIPS = Currency.CHIPS


@pytest.fixture(autouse=True)
def _welcomed(transactional_db, settings):
    settings.WELCOME_CHIPS = 1_000
    for user_id in (1, 2, 3):
        wallet.grant_welcome_chips(user_id=user_id)


def buy_in(seat_id, amount, key=None):
    return lambda: wallet.buy_in(
        user_id=1, seat_id=seat_id, amount=amount, currency=CHIPS, key=key or f"seat:{seat_id}:in"
    )


def test_money_is_spent_once():
    for attempt in range(5):
        results = run_at_once(*(buy_in(10 * attempt + n, 150) for n in range(1, 5)))
        paid = sum(isinstance(result, Posting) for result in results)
        refused = sum(isinstance(result, InsufficientFunds) for result in results)
        assert paid + refused == 4
    assert balance(player(1, CHIPS)) == 100  # six buy-ins of 150 fit into 1000
    assert reconcile().findings == ()


def test_a_key_that_races_itself_posts_once():
    for attempt in range(5):
        results = run_at_once(*[buy_in(attempt + 1, 100)] * 4)
        assert Counter(type(result) for result in results) == {Posting: 4}
        assert sorted(result.replayed for result in results) == [False, True, True, True]
        assert len({result.journal_id for result in results}) == 1
        assert balance(seat(attempt + 1, CHIPS)) == 100


def test_of_two_contents_under_one_key_one_wins():
    results = run_at_once(buy_in(1, 100, "seat:1:in"), buy_in(1, 200, "seat:1:in"))
    assert sorted(type(result).__name__ for result in results) == ["IdempotencyConflict", "Posting"]
    assert balance(seat(1, CHIPS)) in {100, 200}


def test_transfers_in_a_circle_do_not_deadlock():
    def around(source, destination, n):
        line = Line(player(source, CHIPS), player(destination, CHIPS), 1, Reason.ADJUSTMENT)
        return lambda: [
            post_transfers(key=f"gift:{source}:{n}:{step}", lines=[line]) for step in range(30)
        ]

    results = run_at_once(*(around(n, n % 3 + 1, n) for n in (1, 2, 3)), around(2, 1, 4))
    assert [len(result) for result in results] == [30] * 4
    assert [balance(player(n, CHIPS)) for n in (1, 2, 3)] == [1_030, 970, 1_000]
    assert reconcile().findings == ()


def test_bots_that_take_a_seat_do_not_wait_for_each_other():
    """Each locks its part of the mint until its transaction ends."""
    fund = partial(wallet.buy_in, user_id=None, amount=5, currency=CHIPS)
    with transaction.atomic():
        fund(seat_id=8, key="seat:8:fund")
        (posting,) = run_at_once(partial(fund, seat_id=9, key="seat:9:fund"))
    assert isinstance(posting, Posting)
    assert [balance(mint(CHIPS, part)) for part in (8, 9)] == [-5, -5]
    assert reconcile().findings == ()


def test_accounts_that_two_make_at_once_are_one():
    for seat_id in range(1, 6):
        results = run_at_once(
            *(
                partial(
                    wallet.buy_in,
                    user_id=None,
                    seat_id=seat_id,
                    amount=amount,
                    currency=CHIPS,
                    key=f"seat:{seat_id}:{amount}",
                )
                for amount in (5, 7)
            )
        )
        assert [type(result) for result in results] == [Posting] * 2
        assert balance(seat(seat_id, CHIPS)) == 12


def test_two_leave_a_seat_and_it_pays_once():
    buy_in(1, 600)()
    results = run_at_once(
        *(
            lambda key=key: wallet.cash_out(seat_id=1, user_id=1, currency=CHIPS, key=key)
            for key in ("out:1", "out:2")
        )
    )
    assert sorted(results) == [0, 600]
    assert balance(player(1, CHIPS)) == 1_000
