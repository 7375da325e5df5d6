"""Lists by amount, written in rupees."""

from core.administration.lists import Bound, RangeFilter
from wallet.money import AmountError, Currency, parse_amount


class RupeeRange(RangeFilter):
    def low(self, text: str) -> Bound | None:
        return _paise(text)

    def beyond(self, text: str) -> Bound | None:
        amount = _paise(text)
        return None if amount is None else amount + 1


def _paise(text: str) -> int | None:
    try:
        return parse_amount(text, Currency.INR)
    except AmountError:
        return None
