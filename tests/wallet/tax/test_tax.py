"""Worked examples of Rule 133. Amounts are in paise unless the comment says rupees."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallet.rules import (
    TaxedWithdrawal,
    TaxTerms,
    YearFigures,
    compute_financial_year,
    compute_net_winnings_at_year_end,
    first_day,
    last_day,
    tax_on,
    tax_withdrawal,
)

TERMS = TaxTerms(rate_bps=3_000)
AMOUNTS = st.integers(0, 10**9)


@pytest.mark.parametrize(
    ("amount", "figures", "net_winnings", "tax"),
    [
        # Opening 3,000, deposited 7,000: a first withdrawal of 5,000 is the player's own money;
        # 7,000 more a week later bring 2,000 of winnings.
        (5_000, YearFigures(deposited=7_000, opening=3_000), 0, 0),
        (7_000, YearFigures(withdrawn=5_000, deposited=7_000, opening=3_000), 2_000, 600),
        # Withdrawn 5,000 of 10,000 deposited, now 7,000.
        (7_000, YearFigures(withdrawn=5_000, deposited=10_000), 2_000, 600),
        # 6,000 of winnings were taxed before: the next 6,000 above the deposits are free of tax,
        # of 10,000 only 4,000 are taxed.
        (6_000, YearFigures(withdrawn=20_000, deposited=20_000, taxed=6_000), 0, 0),
        (10_000, YearFigures(withdrawn=20_000, deposited=20_000, taxed=6_000), 4_000, 1_200),
        # Nothing deposited: all of it is won.
        (10_000, YearFigures(), 10_000, 3_000),
        # Deposits after a taxed withdrawal come first.
        (10_000, YearFigures(withdrawn=10_000, deposited=4_000, taxed=10_000), 6_000, 1_800),
    ],
)
def test_worked_examples_of_withdrawals(amount, figures, net_winnings, tax):
    taxed = tax_withdrawal(amount, figures=figures, terms=TERMS)
    assert taxed == TaxedWithdrawal(amount, net_winnings, tax)
    assert taxed.net == amount - tax


@pytest.mark.parametrize(
    ("closing", "figures", "net_winnings"),
    [
        # A year of nothing but winnings that stayed.
        (10_000, YearFigures(), 10_000),
        # Deposited 10,000, withdrew 5,000, 8,000 are left: 3,000 were won.
        (8_000, YearFigures(withdrawn=5_000, deposited=10_000), 3_000),
        # The same with 2,000 of them taxed already.
        (8_000, YearFigures(withdrawn=5_000, deposited=10_000, taxed=2_000), 1_000),
        # Opened with 5,000 and lost 1,000.
        (4_000, YearFigures(opening=5_000), 0),
        # Taxed on a withdrawal and lost afterwards: nothing is given back here.
        (0, YearFigures(withdrawn=10_000, deposited=6_000, taxed=4_000), 0),
    ],
)
def test_worked_examples_of_year_ends(closing, figures, net_winnings):
    assert compute_net_winnings_at_year_end(closing, figures=figures) == net_winnings


def test_winnings_below_the_threshold_are_taxed_later():
    terms = TaxTerms(rate_bps=3_000, threshold=10_000)
    first = tax_withdrawal(10_000, figures=YearFigures(), terms=terms)
    assert (first.net_winnings, first.tax) == (0, 0)
    second = tax_withdrawal(10_000, figures=YearFigures(withdrawn=10_000), terms=terms)
    # No more of a withdrawal is winnings than it brings; the rest waits.
    assert (second.net_winnings, second.tax) == (0, 0)
    third = tax_withdrawal(20_000, figures=YearFigures(withdrawn=20_000), terms=terms)
    assert (third.net_winnings, third.tax) == (20_000, 6_000)


def test_the_odd_paisa_stays_with_the_player():
    assert [tax_on(n, rate_bps=3_000) for n in (1, 3, 4, 333)] == [0, 0, 1, 99]


def test_the_year_begins_in_april():
    assert compute_financial_year(date(2026, 3, 31)) == 2025
    assert compute_financial_year(date(2026, 4, 1)) == 2026
    assert first_day(2026) == date(2026, 4, 1)
    assert last_day(2026) == date(2027, 3, 31)


@given(st.integers(1, 10**9), st.builds(YearFigures, AMOUNTS, AMOUNTS, AMOUNTS, AMOUNTS))
def test_a_withdrawal_always_brings_something(amount, figures):
    taxed = tax_withdrawal(amount, figures=figures, terms=TERMS)
    assert 0 <= taxed.tax <= taxed.net_winnings <= amount
    assert taxed.net > 0


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=8), AMOUNTS, AMOUNTS)
def test_one_or_several_withdrawals_are_taxed_the_same(pieces, deposited, opening):
    taxed = withdrawn = 0
    for piece in pieces:
        figures = YearFigures(withdrawn, deposited, opening, taxed)
        taxed += tax_withdrawal(piece, figures=figures, terms=TERMS).net_winnings
        withdrawn += piece
    at_once = tax_withdrawal(
        sum(pieces), figures=YearFigures(deposited=deposited, opening=opening), terms=TERMS
    )
    assert taxed == at_once.net_winnings


@pytest.mark.parametrize("amount", [0, -1])
def test_a_withdrawal_is_more_than_zero(amount):
    with pytest.raises(ValueError, match="more than zero"):
        tax_withdrawal(amount, figures=YearFigures(), terms=TERMS)


@pytest.mark.parametrize(("net_winnings", "rate_bps"), [(-1, 3_000), (1, -1), (1, 10_001)])
def test_senseless_tax_is_refused(net_winnings, rate_bps):
    with pytest.raises(ValueError, match="must not be negative"):
        tax_on(net_winnings, rate_bps=rate_bps)
