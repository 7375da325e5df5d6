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
