"""Amounts in pages, with the currency that they are in."""

from django import template

from tables.catalog import amount_text, place_text
from wallet.money import Currency, format_amount

register = template.Library()


@register.filter
def amount(value: int, currency: str) -> str:
    """80 chips; ₹1,23,456.50."""
    return amount_text(value, currency)


@register.filter
def grouped(value: int) -> str:
    """Digits alone, in Indian groups."""
    return format_amount(value, Currency.CHIPS)


@register.filter
def place(value: int) -> str:
    """9th; the number alone where the language is not English."""
    return place_text(value)


@register.filter
def change(value: int, currency: str) -> str:
    """+80 chips, or with a minus sign: what was won or lost."""
    sign = "+" if value > 0 else "\N{MINUS SIGN}" if value < 0 else ""
    return sign + amount(abs(value), currency)
