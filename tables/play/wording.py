"""The texts of games (`games/engine/wording.py`), and amounts, in the language of the reader."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, ngettext, pgettext

from games.engine.base import Text
from wallet.money import Currency, format_amount


def translated(text: Text) -> str:
    """The text in the active language, with its values filled in."""
    words = pgettext(text.context, text.message) if text.context else gettext(text.message)
    return words % text.values if text.values else words


def in_language(value: Any) -> Any:
    """Return the value with every text in it, also in lists and by key, in the active language."""
    if isinstance(value, Text):
        return translated(value)
    if isinstance(value, Mapping):
        return {key: in_language(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [in_language(part) for part in value]
    return value


def amount_text(value: int, currency: str) -> str:
    """80 chips; ₹1,23,456.50. Indian grouping, and no paise where there are none."""
    unit = Currency(currency)
    digits = format_amount(value, unit)
    if unit is Currency.CHIPS:
        return ngettext("%(amount)s chip", "%(amount)s chips", value) % {"amount": digits}
    return "₹" + digits.removesuffix(".00")
