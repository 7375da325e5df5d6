from django import template

from wallet.money import Currency, format_amount

register = template.Library()


@register.filter
def rupees(paise: int) -> str:
    return f"₹{format_amount(paise, Currency.INR)}"


@register.filter
def amount_of(amount: int, currency: Currency) -> str:
    sign = "-" if amount < 0 else ""
    name = "₹" if currency is Currency.INR else ""
    return f"{sign}{name}{format_amount(abs(amount), currency)}"


@register.filter
def percent(bps: int) -> str:
    """ "30 %" for 3000, "12.5 %" for 1250."""
    return f"{bps / 100:g} %"
