"""Races between real database connections."""

from collections import Counter
from functools import partial

import pytest
from django.db import transaction

from tests.together import names_of, run_at_once
from tests.wallet.seats import CHIPS, buy_in, cash_out
from wallet import api as wallet
from wallet.ledger.balances import balance
from wallet.ledger.chart import PostingLine, mint, player, seat
from wallet.ledger.checks import reconcile
from wallet.ledger.posting import Posting, post_transfers
from wallet.models import Reason
from wallet.refusals import InsufficientFunds

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _welcomed(transactional_db, settings):
    settings.WELCOME_CHIPS = 1_000
    for user_id in (1, 2, 3):
        wallet.grant_welcome_chips(user_id=user_id)


def test_money_is_spent_once():
    for attempt in range(5):
        results = run_at_once(
            *(partial(buy_in, 1, 150, 10 * attempt + seat) for seat in range(1, 5))
        )
        paid = sum(isinstance(result, Posting) for result in results)
        refused = sum(isinstance(result, InsufficientFunds) for result in results)
        assert paid + refused == 4
    assert balance(player(1, CHIPS)) == 100  # six buy-ins of 150 fit into 1000
    assert reconcile().findings == ()


def test_a_key_that_races_itself_posts_once():
    for attempt in range(5):
        results = run_at_once(*[partial(buy_in, 1, 100, attempt + 1)] * 4)
        assert Counter(type(result) for result in results) == {Posting: 4}
        assert sorted(result.replayed for result in results) == [False, True, True, True]
        assert len({result.journal_id for result in results}) == 1
        assert balance(seat(attempt + 1, CHIPS)) == 100


def test_one_of_two_contents_under_one_key_wins():
    results = run_at_once(partial(buy_in, 1, 100, 1), partial(buy_in, 1, 200, 1))
    assert names_of(results) == ["IdempotencyConflict", "Posting"]
    assert balance(seat(1, CHIPS)) in {100, 200}


def test_transfers_in_a_circle_do_not_deadlock():
    def around(source, destination, n):
        line = PostingLine(player(source, CHIPS), player(destination, CHIPS), 1, Reason.ADJUSTMENT)
        return lambda: [
            post_transfers(key=f"gift:{source}:{n}:{step}", lines=[line]) for step in range(30)
        ]

    results = run_at_once(*(around(n, n % 3 + 1, n) for n in (1, 2, 3)), around(2, 1, 4))
    assert [len(result) for result in results] == [30] * 4
    assert [balance(player(n, CHIPS)) for n in (1, 2, 3)] == [1_030, 970, 1_000]
    assert reconcile().findings == ()


def test_bots_that_take_a_seat_do_not_wait_for_each_other():
    """Each bot locks only its own part of the mint until its transaction ends."""
    with transaction.atomic():
        buy_in(None, 5, 8)
        (posting,) = run_at_once(partial(buy_in, None, 5, 9))
    assert isinstance(posting, Posting)
    assert [balance(mint(CHIPS, part)) for part in (8, 9)] == [-5, -5]
    assert reconcile().findings == ()


def test_accounts_that_two_make_at_once_are_one():
    for seat_id in range(1, 6):
        results = run_at_once(
            partial(buy_in, None, 5, seat_id),
            partial(buy_in, None, 7, seat_id, key=f"seat:{seat_id}:more"),
        )
        assert [type(result) for result in results] == [Posting] * 2
        assert balance(seat(seat_id, CHIPS)) == 12


def test_two_leave_a_seat_and_it_pays_once():
    buy_in(1, 600, 1)
    results = run_at_once(*(partial(cash_out, 1, 1, key=key) for key in ("out:1", "out:2")))
    assert sorted(results) == [0, 600]
    assert balance(player(1, CHIPS)) == 1_000
