"""Amounts in pages, with their currency."""

from django import template

from tables.catalog import amount_text, place_text
from wallet.money import Currency, format_amount

register = template.Library()


@register.filter
def amount(value: int, currency: str) -> str:
    """Format an amount: 80 chips; ₹1,23,456.50."""
    return amount_text(value, currency)


@register.filter
def grouped(value: int) -> str:
    """Format a number with Indian grouping."""
    return format_amount(value, Currency.CHIPS)


@register.filter
def place(value: int) -> str:
    """Format a rank: 9th in English, the number in other languages."""
    return place_text(value)


@register.filter
def change(value: int, currency: str) -> str:
    """Format a gain or a loss with its sign: +80 chips."""
    sign = "+" if value > 0 else "\N{MINUS SIGN}" if value < 0 else ""
    return sign + amount(abs(value), currency)
