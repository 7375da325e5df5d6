from typing import Any

import pytest
from django.db import transaction

from tests.given import the
from tests.wallet.rawsql import nothing_moves, post
from wallet import api as wallet
from wallet.ledger.balances import balance, seat_balances
from wallet.ledger.chart import player, pot
from wallet.ledger.posting import Posting
from wallet.models import Journal, Transfer
from wallet.money import Currency
from wallet.refusals import InsufficientFunds

pytestmark = pytest.mark.django_db

CHIPS = Currency.CHIPS
REFUND: dict[str, Any] = {"match_id": 42, "currency": CHIPS, "key": "match:42:refund"}


@pytest.fixture(autouse=True)
def _entered(settings):
    """Two seats have paid 100 each, and player 5 has paid once more from the wallet."""
    settings.WELCOME_CHIPS = 1_000
    wallet.grant_welcome_chips(user_id=5)
    for seat_id in (1, 2):
        wallet.buy_in(
            user_id=None, seat_id=seat_id, amount=100, currency=CHIPS, key=f"seat:{seat_id}:fund"
        )
    post(
        "match:42:entries", "SEAT,1,POT,42,CHIPS,100,ENTRY_FEE", "SEAT,2,POT,42,CHIPS,100,ENTRY_FEE"
    )
    post("match:42:entry:2", "PLAYER,5,POT,42,CHIPS,100,ENTRY_FEE")
    post("match:43:entry", "MINT,0,POT,43,CHIPS,70,ENTRY_FEE")


def test_a_cancelled_match_gives_back_what_each_has_paid():
    posting = wallet.refund_match(**REFUND)
    assert seat_balances([1, 2]) == {1: 100, 2: 100}
    assert balance(player(5, CHIPS)) == 1_000
    assert (balance(pot(42, CHIPS)), balance(pot(43, CHIPS))) == (0, 70)
    assert Journal.objects.get(pk=the(posting).journal_id).subject == "match:42"
    assert set(
        Transfer.objects.filter(journal_id=the(posting).journal_id).values_list("reason", flat=True)
    ) == {"REFUND"}


def test_once(ledger):
    first = wallet.refund_match(**REFUND)
    before = ledger()
    assert wallet.refund_match(**REFUND) == Posting(the(first).journal_id, replayed=True)
    assert ledger() == before


def test_nothing_paid_is_nothing_to_give_back(ledger):
    before = ledger()
    assert wallet.refund_match(match_id=44, currency=CHIPS, key="match:44:refund") is None
    assert wallet.refund_match(match_id=42, currency=Currency.INR, key="match:42:refund") is None
    assert ledger() == before


def test_a_pot_that_has_paid_is_not_paid_again():
    post("match:42:settle", "POT,42,SEAT,1,CHIPS,300,WINNINGS")
    with nothing_moves(InsufficientFunds), transaction.atomic():
        wallet.refund_match(**REFUND)


class TestTopUp:
    def test_brings_more_to_the_seat_once(self):
        facts: dict[str, Any] = {"user_id": 5, "seat_id": 7, "amount": 300, "currency": CHIPS}
        first, again = (
            wallet.buy_in(**facts, is_top_up=True, key="seat:7:top:1", subject="table:3")
            for _ in range(2)
        )
        assert (first.replayed, again.replayed) == (False, True)
        assert seat_balances([7]) == {7: 300}
        assert balance(player(5, CHIPS)) == 600
        assert Transfer.objects.get(journal_id=again.journal_id).reason == "TOP_UP"
