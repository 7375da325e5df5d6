"""Tax deducted at source on net winnings of a financial year: India's section 194BA and rule 133.

Pure: whole numbers of paise in, whole numbers out. docs/money.md has the formulas and their source.
"""

from dataclasses import dataclass
from datetime import date, timedelta

from wallet.money import BPS

_FIRST_MONTH = 4  # the financial year begins on 1 April


@dataclass(frozen=True, slots=True)
class YearFigures:
    """The figures of a player's account in a financial year so far, in paise.

    The names are those of rule 133.
    """

    withdrawn: int = 0  # A, tax included
    deposited: int = 0  # B, the player's own money
    opening: int = 0  # C
    taxed: int = 0  # E, net winnings that tax was deducted from already


@dataclass(frozen=True, slots=True)
class TaxTerms:
    """`threshold`: net winnings up to this are taxed with the next ones."""

    rate_bps: int
    threshold: int = 0


@dataclass(frozen=True, slots=True)
class TaxedWithdrawal:
    """`net_winnings` of a withdrawal that tax is deducted from now; `net` is paid out."""

    amount: int
    net_winnings: int
    tax: int

    @property
    def net(self) -> int:
        return self.amount - self.tax


def financial_year(day: date) -> int:
    """The calendar year in which it begins: 2026 for 1 April 2026 to 31 March 2027."""
    return day.year if day.month >= _FIRST_MONTH else day.year - 1


def first_day(year: int) -> date:
    return date(year, _FIRST_MONTH, 1)


def last_day(year: int) -> date:
    return first_day(year + 1) - timedelta(days=1)


def tax_withdrawal(amount: int, *, figures: YearFigures, terms: TaxTerms) -> TaxedWithdrawal:
    """Tax on a withdrawal of `amount`, `figures` being those before it.

    No more of a withdrawal is winnings than it brings; what would be above that waits for the next
    one or for the end of the year.
    """
    if amount < 1:
        raise ValueError("a withdrawal is more than zero")
    exempt = figures.deposited + figures.opening + figures.taxed
    net_winnings = min(max(figures.withdrawn + amount - exempt, 0), amount)
    if net_winnings <= terms.threshold:
        return TaxedWithdrawal(amount, 0, 0)
    return TaxedWithdrawal(amount, net_winnings, tax_on(net_winnings, rate_bps=terms.rate_bps))


def net_winnings_at_year_end(closing: int, *, figures: YearFigures) -> int:
    """Return the untaxed winnings in the balance at the end of the year (D)."""
    exempt = figures.deposited + figures.opening + figures.taxed
    return max(figures.withdrawn + closing - exempt, 0)


def tax_on(net_winnings: int, *, rate_bps: int) -> int:
    """Never rounded up: the odd paisa stays with the player."""
    if net_winnings < 0 or not 0 <= rate_bps <= BPS:
        raise ValueError("net winnings must not be negative, a rate is 0 to 10000")
    return net_winnings * rate_bps // BPS
