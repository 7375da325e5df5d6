"""Amounts in pages, with the currency that they are in."""

from django import template
from django.utils.translation import ngettext

from wallet.money import Currency, format_amount

register = template.Library()


@register.filter
def amount(value: int, currency: str) -> str:
    """80 chips; ₹1,23,456.50. Indian grouping, and no paise where there are none."""
    unit = Currency(currency)
    digits = format_amount(value, unit)
    if unit is Currency.CHIPS:
        return ngettext("%(amount)s chip", "%(amount)s chips", value) % {"amount": digits}
    return "₹" + digits.removesuffix(".00")


@register.filter
def grouped(value: int) -> str:
    """Digits alone, in Indian groups."""
    return format_amount(value, Currency.CHIPS)


@register.filter
def change(value: int, currency: str) -> str:
    """+80 chips, or with a minus sign: what was won or lost."""
    sign = "+" if value > 0 else "\N{MINUS SIGN}" if value < 0 else ""
    return sign + amount(abs(value), currency)
