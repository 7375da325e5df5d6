"""Fields of administration forms that show rupees, per cent and minutes.

The database stores whole numbers of paise, basis points and seconds.
"""

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from wallet.desk.units import AmountField, MinutesField, PercentField, UnitField
from wallet.money import BPS, MAX_AMOUNT, Currency


def amount_in(currency: Currency) -> AmountField:
    field = AmountField()
    field.currency = currency
    return field


FIELDS = {
    "rupees": amount_in(Currency.INR),
    "chips": amount_in(Currency.CHIPS),
    "per cent": PercentField(),
    "minutes": MinutesField(),
}


@pytest.mark.parametrize("name", FIELDS)
@given(data=st.data())
def test_a_formatted_value_parses_to_itself(name, data):
    most = {"per cent": BPS, "minutes": 10**8}.get(name, MAX_AMOUNT)
    kept = data.draw(st.integers(0, most))
    field = FIELDS[name]
    assert field.clean(field.prepare_value(kept)) == kept
    assert not field.has_changed(kept, field.format(kept))
    assert field.has_changed(kept + 1, field.format(kept))


@pytest.mark.parametrize(
    ("name", "text", "kept"),
    [
        ("rupees", "1,234.5", 123_450),
        ("rupees", " 0 ", 0),
        ("rupees", "₹ १,२५,५५५.५", 12_555_550),
        ("chips", "৫২৫", 525),
        ("per cent", "१२.५%", 1_250),
        ("minutes", "१:३५", 95),
        ("chips", "1,00,000", 100_000),
        ("per cent", "12.5", 1_250),
        ("per cent", "10 %", 1_000),
        ("per cent", "0.01", 1),
        ("minutes", "20", 1_200),
        ("minutes", "1:30", 90),
    ],
)
def test_texts_are_parsed_in_the_unit_of_the_field(name, text, kept):
    assert FIELDS[name].clean(text) == kept


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rupees", "1.234"),
        ("rupees", "-1"),
        ("rupees", "1१"),
        ("chips", "1.0"),
        ("per cent", "100.01"),
        ("per cent", "1.234"),
        ("minutes", "1:60"),
        ("minutes", "1.5"),
        ("minutes", ""),
    ],
)
def test_texts_outside_the_unit_are_refused(name, text):
    with pytest.raises(ValidationError):
        FIELDS[name].clean(text)
    assert FIELDS[name].has_changed(1, text)


def test_bounds_are_reported_in_the_unit_of_the_form():
    field: UnitField = MinutesField(least=60, most=600)
    assert (field.clean("1"), field.clean("10")) == (60, 600)
    for text, words in (("0:59", "Enter 1 or more."), ("10:01", "Enter 10 or less.")):
        with pytest.raises(ValidationError, match=words):
            field.clean(text)
    assert MinutesField(required=False).clean(" ") is None
