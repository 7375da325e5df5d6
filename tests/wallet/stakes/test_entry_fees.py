"""Entry fees into a pot and the pot out again, with the published examples."""

import pytest

from games.engine.base import divide
from wallet import api as wallet
from wallet import money
from wallet.ledger import chart
from wallet.ledger.balances import balance
from wallet.money import Currency
from wallet.refusals import InsufficientFunds

pytestmark = pytest.mark.django_db
INR = Currency.INR
CHIPS = Currency.CHIPS


def fill_pot(*, entries, fee):
    """A match of so many seats, each of which has brought its fee."""
    for seat_id in range(1, entries + 1):
        wallet.buy_in(
            user_id=None, seat_id=seat_id, amount=fee, currency=CHIPS, key=f"fund:{seat_id}"
        )
    wallet.take_entry_fees(
        match_id=7,
        seat_ids=range(1, entries + 1),
        amount=fee,
        currency=CHIPS,
        key="match:7:entries",
    )


def stack(seat_id):
    return balance(chart.seat(seat_id, CHIPS))


def pot():
    return balance(chart.pot(7, CHIPS))


def test_r8_7_entry_fee_times_entries_less_the_rake():
    fill_pot(entries=6, fee=25)
    assert pot() == 150
    rake = money.rake(150, bps=1_000)
    wallet.settle_pot(
        match_id=7,
        table_id=1,
        currency=CHIPS,
        shares={3: 150 - rake},
        house_share=rake,
        key="settle",
    )
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
    wallet.settle_pot(
        match_id=7, table_id=1, currency=CHIPS, shares=paid, house_share=0, key="settle"
    )
    assert {seat_id: stack(seat_id) for seat_id in shares} == shares
    assert pot() == 0


def test_one_seat_without_its_fee_stops_all():
    for seat_id, amount in ((1, 100), (2, 99)):
        wallet.buy_in(
            user_id=None, seat_id=seat_id, amount=amount, currency=CHIPS, key=f"fund:{seat_id}"
        )
    with pytest.raises(InsufficientFunds):
        wallet.take_entry_fees(match_id=7, seat_ids=[1, 2], amount=100, currency=CHIPS, key="one")
    assert (stack(1), stack(2), pot()) == (100, 99, 0)


def test_the_same_fees_are_taken_once():
    fill_pot(entries=2, fee=100)
    again = wallet.take_entry_fees(
        match_id=7, seat_ids=[1, 2], amount=100, currency=CHIPS, key="match:7:entries"
    )
    assert again.replayed
    assert pot() == 200
