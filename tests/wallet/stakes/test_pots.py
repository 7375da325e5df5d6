"""Entry fees that are paid into a pot, and pots that are won, split or refunded."""

from typing import Any

import pytest
from django.db import transaction

from games.engine.base import divide
from tests.given import require
from tests.wallet.rawsql import expect_unchanged, post
from tests.wallet.seats import CHIPS, INR, buy_in
from wallet import api as wallet
from wallet import money
from wallet.ledger import chart
from wallet.ledger.balances import balance, get_seat_balances
from wallet.ledger.posting import Posting
from wallet.models import Journal, Transfer
from wallet.refusals import InsufficientFunds

pytestmark = pytest.mark.django_db
REFUND: dict[str, Any] = {"match_id": 42, "currency": CHIPS, "key": "match:42:refund"}


def fill_pot(*, entries, fee):
    """Take the match's fee from `entries` seats, each of which has exactly that amount."""
    for seat_id in range(1, entries + 1):
        buy_in(None, fee, seat_id)
    return take_fees(range(1, entries + 1), fee)


def take_fees(seat_ids, fee=100):
    key = "match:7:entries"
    return wallet.take_entry_fees(
        match_id=7, seat_ids=seat_ids, amount=fee, currency=CHIPS, key=key
    )


def settle(shares, house_share=0):
    match: dict[str, Any] = {"match_id": 7, "table_id": 1, "currency": CHIPS, "key": "settle:7"}
    wallet.settle_pot(**match, shares=shares, house_share=house_share)


def stack(seat_id):
    return balance(chart.seat(seat_id, CHIPS))


def pot():
    return balance(chart.pot(7, CHIPS))


def test_r8_7_entry_fee_times_entries_less_the_rake():
    fill_pot(entries=6, fee=25)
    assert pot() == 150
    rake = money.rake(150, bps=1_000)
    settle({3: 150 - rake}, rake)
    assert (stack(3), pot()) == (135, 0)
    assert balance(chart.rake(1, CHIPS)) == 15


@pytest.mark.parametrize(
    ("pool", "entries", "parts", "shares"),
    [
        # R8.5, published: 150.00 of six entries with 3, 1 and 0 drops left, in paise.
        (15_000, 6, {1: 11, 2: 5, 3: 2}, {1: 9_167, 2: 4_167, 3: 1_666}),
        (528_000, 6, {1: 3, 2: 2, 3: 1}, {1: 264_000, 2: 176_000, 3: 88_000}),
    ],
)
def test_r8_5_a_split_pays_the_published_shares(pool, entries, parts, shares):
    fill_pot(entries=entries, fee=pool // entries)
    paid = divide(pool, parts)
    assert paid == shares
    settle(paid)
    assert {seat_id: stack(seat_id) for seat_id in shares} == shares
    assert pot() == 0


def test_no_fee_is_taken_if_one_seat_lacks_it():
    buy_in(None, 100, 1)
    buy_in(None, 99, 2)
    with pytest.raises(InsufficientFunds):
        take_fees([1, 2])
    assert (stack(1), stack(2), pot()) == (100, 99, 0)


def test_the_same_fees_are_taken_once():
    fill_pot(entries=2, fee=100)
    assert take_fees([1, 2]).replayed
    assert pot() == 200


@pytest.fixture
def entered(settings):
    """Two seats have paid 100 each into the pot, and player 5 has paid 100 more from the wallet."""
    settings.WELCOME_CHIPS = 1_000
    wallet.grant_welcome_chips(user_id=5)
    for seat_id in (1, 2):
        buy_in(None, 100, seat_id)
    post(
        "match:42:entries", "SEAT,1,POT,42,CHIPS,100,ENTRY_FEE", "SEAT,2,POT,42,CHIPS,100,ENTRY_FEE"
    )
    post("match:42:entry:2", "PLAYER,5,POT,42,CHIPS,100,ENTRY_FEE")
    post("match:43:entry", "MINT,0,POT,43,CHIPS,70,ENTRY_FEE")


@pytest.mark.usefixtures("entered")
class TestGivenBack:
    def test_a_cancelled_match_refunds_each_payer(self):
        posting = require(wallet.refund_match(**REFUND))
        assert get_seat_balances([1, 2]) == {1: 100, 2: 100}
        assert balance(chart.player(5, CHIPS)) == 1_000
        assert (balance(chart.pot(42, CHIPS)), balance(chart.pot(43, CHIPS))) == (0, 70)
        assert Journal.objects.get(pk=posting.journal_id).subject == "match:42"
        transfers = Transfer.objects.filter(journal_id=posting.journal_id)
        assert {transfer.reason for transfer in transfers} == {"REFUND"}

    def test_the_fees_of_a_match_are_given_back_once(self, ledger):
        first = wallet.refund_match(**REFUND)
        before = ledger()
        assert wallet.refund_match(**REFUND) == Posting(require(first).journal_id, replayed=True)
        assert ledger() == before

    def test_a_match_without_fees_has_nothing_to_give_back(self, ledger):
        before = ledger()
        assert wallet.refund_match(match_id=44, currency=CHIPS, key="match:44:refund") is None
        assert wallet.refund_match(**{**REFUND, "currency": INR}) is None
        assert ledger() == before

    def test_a_pot_that_has_paid_is_not_paid_again(self):
        post("match:42:settle", "POT,42,SEAT,1,CHIPS,300,WINNINGS")
        with expect_unchanged(InsufficientFunds), transaction.atomic():
            wallet.refund_match(**REFUND)


@pytest.mark.usefixtures("entered")
def test_a_top_up_brings_more_to_the_seat_once():
    first, again = (buy_in(5, 300, is_top_up=True, key="seat:7:top:1") for _ in range(2))
    assert (first.replayed, again.replayed) == (False, True)
    assert get_seat_balances([7]) == {7: 300}
    assert balance(chart.player(5, CHIPS)) == 600
    assert Transfer.objects.get(journal_id=again.journal_id).reason == "TOP_UP"
