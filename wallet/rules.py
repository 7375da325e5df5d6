"""Pure rules of cash: the release of bonuses in chunks, and tax on net winnings. Amounts are in paise.

The tax is India's, deducted at source on the net winnings of a financial year (section 194BA and rule 133).
docs/money.md has the formulas and their source.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate

from wallet.money import BPS, split_evenly


@dataclass(frozen=True, slots=True)
class ReleaseTerms:
    """A bonus of `amount` in `chunks` equal parts.

    A part is released once the player has paid entry fees of `play_multiple` times that part.
    """

    amount: int
    chunks: int
    play_multiple: int


@dataclass(frozen=True, slots=True)
class NextChunk:
    amount: int
    to_play: int


def compute_due_amount(terms: ReleaseTerms, *, played: int) -> int:
    """Return the amount that is released once entry fees of `played` have been paid."""
    return max(
        (upto for upto in _compute_milestones(terms) if upto * terms.play_multiple <= played),
        default=0,
    )


def compute_next_chunk(terms: ReleaseTerms, *, played: int) -> NextChunk | None:
    """Return the next chunk and the play it needs, or None after the last one."""
    due = compute_due_amount(terms, played=played)
    for upto in _compute_milestones(terms):
        if upto > due:
            return NextChunk(upto - due, upto * terms.play_multiple - played)
    return None


def compute_left_of_each(balance: int, unreleased: Sequence[int]) -> tuple[int, ...]:
    """Return the unspent amount of each bonus in the account, the oldest first.

    Spent money, and money at a table, is taken from the oldest bonus.
    """
    left: list[int] = []
    for amount in reversed(unreleased):
        left.append(min(amount, balance))
        balance -= left[-1]
    return tuple(reversed(left))


def _compute_milestones(terms: ReleaseTerms) -> list[int]:
    return list(accumulate(split_evenly(terms.amount, terms.chunks)))


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
    """A tax rate. Untaxed net winnings up to `threshold` are taxed later, together with further net winnings."""

    rate_bps: int
    threshold: int = 0


@dataclass(frozen=True, slots=True)
class TaxedWithdrawal:
    """A withdrawal, the net winnings in it that are taxed now, and their tax. `net` is paid out."""

    amount: int
    net_winnings: int
    tax: int

    @property
    def net(self) -> int:
        return self.amount - self.tax


def compute_financial_year(day: date) -> int:
    """Return the calendar year in which the financial year begins: 2026 for 1 April 2026 to 31 March 2027."""
    return day.year if day.month >= _FIRST_MONTH else day.year - 1


def first_day(year: int) -> date:
    return date(year, _FIRST_MONTH, 1)


def last_day(year: int) -> date:
    return first_day(year + 1) - timedelta(days=1)


def tax_withdrawal(amount: int, *, figures: YearFigures, terms: TaxTerms) -> TaxedWithdrawal:
    """Return the tax on a withdrawal of `amount`. `figures` are the year's figures before this withdrawal.

    The taxed winnings are at most the withdrawal itself. Net winnings beyond it are taxed with the next
    withdrawal or at the end of the year.
    """
    if amount < 1:
        raise ValueError("a withdrawal is more than zero")
    exempt = figures.deposited + figures.opening + figures.taxed
    net_winnings = min(max(figures.withdrawn + amount - exempt, 0), amount)
    if net_winnings <= terms.threshold:
        return TaxedWithdrawal(amount, 0, 0)
    return TaxedWithdrawal(amount, net_winnings, tax_on(net_winnings, rate_bps=terms.rate_bps))


def compute_net_winnings_at_year_end(closing: int, *, figures: YearFigures) -> int:
    """Return the net winnings that are still untaxed at the end of the year.

    `closing` is D of rule 133: the player's own cash at that time.
    """
    exempt = figures.deposited + figures.opening + figures.taxed
    return max(figures.withdrawn + closing - exempt, 0)


def tax_on(net_winnings: int, *, rate_bps: int) -> int:
    """Return the tax, rounded down: the odd paisa stays with the player."""
    if net_winnings < 0 or not 0 <= rate_bps <= BPS:
        raise ValueError("net winnings must not be negative, a rate is 0 to 10000")
    return net_winnings * rate_bps // BPS
