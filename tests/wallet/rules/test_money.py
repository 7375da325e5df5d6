import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallet.money import (
    MAX_AMOUNT,
    AmountError,
    Currency,
    format_amount,
    parse_amount,
    rake,
    split_by_weight,
    split_evenly,
)

amounts = st.integers(0, MAX_AMOUNT)


@pytest.mark.parametrize(
    ("gross", "bps", "cap", "share"),
    [
        (824, 1_000, None, 82),
        (75, 1_000, None, 7),
        (9, 1_000, None, 0),
        (100_000, 1_500, 5_000, 5_000),
        (0, 1_000, None, 0),
        (824, 0, None, 0),
        (824, 10_000, None, 824),
    ],
)
def test_rake_is_rounded_down_and_capped(gross, bps, cap, share):
    assert rake(gross, bps=bps, cap=cap) == share


@pytest.mark.parametrize(
    "arguments", [{"gross": -1, "bps": 1}, {"gross": 1, "bps": -1}, {"gross": 1, "bps": 10_001}]
)
def test_rake_refuses_nonsense(arguments):
    with pytest.raises(ValueError, match="must not be negative"):
        rake(**arguments)


def test_the_odd_units_go_to_the_first():
    assert split_evenly(30_300, 3) == (10_100, 10_100, 10_100)
    assert split_evenly(100, 3) == (34, 33, 33)
    assert split_evenly(2, 3) == (1, 1, 0)


def test_weights_share_by_largest_remainder():
    assert split_by_weight(100, [1, 1, 1]) == (34, 33, 33)
    assert split_by_weight(10, [5, 3, 2]) == (5, 3, 2)
    assert split_by_weight(1, [1, 2]) == (0, 1)
    assert split_by_weight(7, [0, 1]) == (0, 7)


@given(amounts, st.integers(1, 1_000))
def test_even_parts_sum_to_the_whole(total, parts):
    shares = split_evenly(total, parts)
    assert sum(shares) == total
    assert max(shares) - min(shares) <= 1


@given(amounts, st.lists(st.integers(0, 10**9), min_size=1, max_size=20).filter(any))
def test_weighted_parts_sum_to_the_whole_within_one_unit(total, weights):
    shares = split_by_weight(total, weights)
    assert sum(shares) == total
    whole = sum(weights)
    for share, weight in zip(shares, weights, strict=True):
        assert 0 <= share * whole - total * weight + whole <= 2 * whole


@pytest.mark.parametrize(
    ("text", "currency", "amount"),
    [
        ("12.50", Currency.INR, 1_250),
        ("12.5", Currency.INR, 1_250),
        ("1,00,000", Currency.INR, 10_000_000),
        ("12,34,567.50", Currency.INR, 123_456_750),
        ("1,234,567", Currency.CHIPS, 1_234_567),
        ("1,250", Currency.INR, 125_000),
        (" 800 ", Currency.CHIPS, 800),
        ("0.01", Currency.INR, 1),
        ("₹500", Currency.INR, 50_000),
        ("₹ 1,00,000.50", Currency.INR, 10_000_050),
        ("Rs. 500", Currency.INR, 50_000),
        ("rs 500/-", Currency.INR, 50_000),
        ("INR\u00a0500", Currency.INR, 50_000),
    ],
)
def test_amounts_as_people_type_them(text, currency, amount):
    assert parse_amount(text, currency) == amount


@pytest.mark.parametrize(
    ("text", "currency", "code"),
    [
        ("", Currency.INR, "not_an_amount"),
        ("-5", Currency.INR, "not_an_amount"),
        ("1e3", Currency.CHIPS, "not_an_amount"),
        ("1_000", Currency.CHIPS, "not_an_amount"),
        ("१२", Currency.CHIPS, "not_an_amount"),
        ("٣", Currency.CHIPS, "not_an_amount"),
        ("₹-500", Currency.INR, "not_an_amount"),
        ("-₹500", Currency.INR, "not_an_amount"),
        ("₹", Currency.INR, "not_an_amount"),
        ("₹₹5", Currency.INR, "not_an_amount"),
        ("memo 500", Currency.INR, "not_an_amount"),
        ("$500", Currency.INR, "not_an_amount"),
        ("₹500", Currency.CHIPS, "not_an_amount"),
        ("NaN", Currency.INR, "not_an_amount"),
        ("9" * 16, Currency.CHIPS, "too_large"),
        ("9" * 17, Currency.CHIPS, "not_an_amount"),
        (",", Currency.INR, "misplaced_comma"),
        ("12,50", Currency.INR, "misplaced_comma"),
        ("12,5", Currency.INR, "misplaced_comma"),
        ("1,2,3", Currency.CHIPS, "misplaced_comma"),
        (",250", Currency.CHIPS, "misplaced_comma"),
        ("250,", Currency.CHIPS, "misplaced_comma"),
        ("1,,000", Currency.CHIPS, "misplaced_comma"),
        ("1234,567", Currency.CHIPS, "misplaced_comma"),
        ("1,234,56,789", Currency.CHIPS, "misplaced_comma"),
        ("1.250,00", Currency.INR, "not_an_amount"),
        ("12.5,0", Currency.INR, "not_an_amount"),
        ("12.345", Currency.INR, "too_many_decimals"),
        ("12.0", Currency.CHIPS, "too_many_decimals"),
        ("0", Currency.CHIPS, "not_positive"),
        ("0.00", Currency.INR, "not_positive"),
        ("999999999999999", Currency.INR, "too_large"),
    ],
)
def test_texts_that_are_no_amounts_are_refused(text, currency, code):
    with pytest.raises(AmountError) as refusal:
        parse_amount(text, currency)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [
        (0, Currency.CHIPS, "0"),
        (1_234_567, Currency.CHIPS, "12,34,567"),
        (-100_000, Currency.CHIPS, "-1,00,000"),
        (123_456_750, Currency.INR, "12,34,567.50"),
        (5, Currency.INR, "0.05"),
    ],
)
def test_amounts_are_written_in_indian_groups(amount, currency, text):
    assert format_amount(amount, currency) == text


@given(st.integers(1, MAX_AMOUNT), st.sampled_from(Currency))
def test_a_formatted_amount_parses_to_itself(amount, currency):
    if amount < 10**15:
        assert parse_amount(format_amount(amount, currency), currency) == amount
