"""Numbers in addresses and searches: only numbers that the database reads the same way are accepted."""

import pytest

from core.values.numbers import LARGEST_ID, parse_number


@pytest.mark.parametrize(
    ("text", "number"), [("0", 0), ("7", 7), ("0042", 42), (str(LARGEST_ID), LARGEST_ID)]
)
def test_digits_are_read(text, number):
    assert parse_number(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        " 7",
        "7\n",
        "-1",
        "+1",
        "1_0",
        "1.0",
        "²",
        "①",
        "७",
        "\u0667",
        "\uff17",
        str(LARGEST_ID + 1),
        "9" * 5000,
    ],
)
def test_what_only_looks_like_a_number_is_none(text):
    assert parse_number(text) is None


def test_a_number_above_the_most_is_none():
    assert (parse_number("9", most=9), parse_number("10", most=9)) == (9, None)
