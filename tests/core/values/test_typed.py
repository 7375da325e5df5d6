"""Digits and codes as people type them, with the variants of keyboards, phones and word processors."""

import pytest

from core.values.typed import spell_code, spell_digits


@pytest.mark.parametrize(
    ("text", "spelt"),
    [
        ("500", "500"),
        ("५००", "500"),
        ("৫০০", "500"),
        ("௫௦௦", "500"),
        ("\uff15\uff10\uff10", "500"),
        ("\u00a0 500\u202f", "500"),
        ("₹ १,२५,५५५.५४", "₹ 1,25,555.54"),
        ("1५", "1५"),  # digits of two scripts may be a mistake, so they stay
        ("5²", "5²"),
        ("", ""),
    ],
)
def test_digits_of_any_one_script_are_read(text, spelt):
    assert spell_digits(text) == spelt


@pytest.mark.parametrize(
    "text",
    ["123456", "123 456", "123-456", "123\u2013456", " 1 2 3 4 5 6\t", "१२३ ४५६", "\u200e123456"],
)
def test_a_code_is_read_however_it_is_parted(text):
    assert spell_code(text) == "123456"
