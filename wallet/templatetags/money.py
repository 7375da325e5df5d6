from django import template

from wallet.money import Currency, format_shown_amount

register = template.Library()


@register.filter
def rupees(paise: int) -> str:
    return format_shown_amount(paise, Currency.INR)


@register.filter
def format_amount(amount: int, currency: Currency) -> str:
    return format_shown_amount(amount, currency)


@register.filter
def percent(bps: int) -> str:
    """Return basis points in per cent: 1250 is "12.5 %"."""
    return f"{bps / 100:g} %"
