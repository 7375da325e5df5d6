"""Money in whole numbers of the smallest unit: paise for INR, whole chips for CHIPS."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

BPS = 10_000
MAX_AMOUNT = 10**15
# Only ASCII digits: int() would also read "१२" or "1_000".
_DECIMAL = re.compile(r"(?P<whole>[0-9,]+)(?:\.(?P<fraction>[0-9]+))?", re.ASCII)
# Rupees as the site itself shows them, and as people write them: "₹500", "Rs. 500", "500/-".
_OF_RUPEES = re.compile(
    r"(?:(?:₹|rs\.?|inr)\s*)?(?P<amount>.*?)(?:\s*/-)?", re.IGNORECASE | re.DOTALL
)
_MOST_DIGITS = 16
# Digits in Indian groups (1,00,000), in groups of three (100,000), or in none.
_GROUPED = re.compile(r"[0-9]+|[0-9]{1,2}(,[0-9]{2})*,[0-9]{3}|[0-9]{1,3}(,[0-9]{3})+", re.ASCII)


class Currency(StrEnum):
    CHIPS = "CHIPS"
    INR = "INR"

    @property
    def decimals(self) -> int:
        return 2 if self is Currency.INR else 0


class AmountError(ValueError):
    """Text that is not an amount of its currency. `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def rake(gross: int, *, bps: int, cap: int | None = None) -> int:
    """Return the house's share of `gross`, rounded down: the odd unit stays with the player."""
    if gross < 0 or not 0 <= bps <= BPS or (cap is not None and cap < 0):
        raise ValueError("gross and cap must not be negative, bps must be 0 to 10000")
    share = gross * bps // BPS
    return share if cap is None else min(share, cap)


def split_evenly(total: int, parts: int) -> tuple[int, ...]:
    """Return equal shares that sum to `total`.

    If `total` cannot be divided equally, the first shares are one unit larger. The order of the recipients
    therefore matters.
    """
    if total < 0 or parts < 1:
        raise ValueError("total must not be negative and parts must be at least 1")
    share, odd = divmod(total, parts)
    return tuple(share + 1 if place < odd else share for place in range(parts))


def split_by_weight(total: int, weights: Sequence[int]) -> tuple[int, ...]:
    """Return shares in proportion to `weights` that sum to `total`.

    The largest remainders get the odd units; of equal remainders, the first.
    """
    whole = sum(weights)
    if total < 0 or whole <= 0 or min(weights) < 0:
        raise ValueError("total and weights must not be negative and one weight must be positive")
    shares = [total * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda i: (-(total * weights[i] % whole), i))
    for place in by_remainder[: total - sum(shares)]:
        shares[place] += 1
    return tuple(shares)


@dataclass(frozen=True, slots=True)
class Buckets:
    """A player's cash, or a part of it, in paise.

    The bonus may only be played. Deposits and winnings are the player's own, and only winnings may be withdrawn.
    """

    bonus: int
    deposit: int
    winnings: int

    @property
    def total(self) -> int:
        return self.bonus + self.deposit + self.winnings


def spend(amount: int, *, of: Buckets, bonus_bps: int) -> Buckets | None:
    """Return each bucket's part of `amount`, or None if the buckets hold too little.

    The bonus pays at most `bonus_bps` of it, then deposits pay, then winnings. The ledger applies the same
    rule under a lock.
    """
    if amount < 1 or not 0 <= bonus_bps <= BPS:
        raise ValueError("amount must be at least 1 and bonus_bps 0 to 10000")
    bonus = min(of.bonus, amount * bonus_bps // BPS)
    deposit = min(of.deposit, amount - bonus)
    winnings = amount - bonus - deposit
    return Buckets(bonus, deposit, winnings) if winnings <= of.winnings else None


def compute_most_to_spend(of: Buckets, *, bonus_bps: int) -> int:
    """Return the largest amount that `spend` can take from these buckets, since the bonus pays only its share."""
    own = of.deposit + of.winnings
    if bonus_bps == BPS:
        return of.total
    return min(of.total, own * BPS // (BPS - bonus_bps))


def give_back(amount: int, *, paid: Buckets) -> Buckets:
    """Split a refund of `amount` among the buckets in `paid`, in proportion to their payments."""
    if not 0 <= amount <= paid.total:
        raise ValueError("no more goes back than was paid")
    if amount == 0:
        return Buckets(0, 0, 0)
    return Buckets(*split_by_weight(amount, (paid.bonus, paid.deposit, paid.winnings)))


def parse_amount(text: str, currency: Currency) -> int:
    """Return an amount as a person types it ("12.50", "1,00,000", "₹500") in the smallest unit.

    Raises AmountError with code not_an_amount, misplaced_comma, too_many_decimals, not_positive or too_large.
    """
    text = text.strip()
    if currency is Currency.INR and (written := _OF_RUPEES.fullmatch(text)) is not None:
        text = written["amount"]
    match = _DECIMAL.fullmatch(text)
    if match is None:
        raise AmountError("not_an_amount")
    if _GROUPED.fullmatch(match["whole"]) is None:  # such as "12,50": is it 12.50 or 1,250?
        raise AmountError("misplaced_comma")
    whole = match["whole"].replace(",", "")
    if len(whole) > _MOST_DIGITS:
        raise AmountError("not_an_amount")
    fraction = match["fraction"] or ""
    if len(fraction) > currency.decimals:
        raise AmountError("too_many_decimals")
    amount = int(whole + fraction.ljust(currency.decimals, "0"))
    if amount == 0:
        raise AmountError("not_positive")
    if amount > MAX_AMOUNT:
        raise AmountError("too_large")
    return amount


def to_decimal(amount: int, currency: Currency) -> Decimal:
    """Return an amount as a number of rupees or chips, with the currency's decimals."""
    return Decimal(amount).scaleb(-currency.decimals)


def to_smallest(number: Decimal, currency: Currency) -> int:
    """Convert a number of rupees or chips to the smallest unit: the inverse of `to_decimal`."""
    return int(number.scaleb(currency.decimals))


def format_plain_amount(amount: int, currency: Currency) -> str:
    """Return an amount for programs: no groups, a point before the fraction ("-1234.50")."""
    return format_amount(amount, currency).replace(",", "")


def format_amount(amount: int, currency: Currency) -> str:
    """Return an amount in Indian groups without the currency: 1234567 chips are "12,34,567"."""
    sign = "-" if amount < 0 else ""
    whole, fraction = divmod(abs(amount), 10**currency.decimals)
    digits = str(whole)
    head, tail = digits[:-3], digits[-3:]
    groups = [head[max(end - 2, 0) : end] for end in range(len(head), 0, -2)][::-1]
    text = ",".join([*groups, tail])
    return f"{sign}{text}.{fraction:0{currency.decimals}}" if currency.decimals else sign + text


def format_shown_amount(amount: int, currency: str) -> str:
    """Return an amount for display: "₹12,34,567.00", or "12,34,567" chips. Negative amounts get a minus sign."""
    minus = "\N{MINUS SIGN}" if amount < 0 else ""
    sign = "₹" if currency == Currency.INR else ""
    return f"{minus}{sign}{format_amount(abs(amount), Currency(currency))}"
