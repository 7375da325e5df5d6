"""Payout tables in the notation of the administration.

"50, 30, 2x10" is 50 % to the first, 30 % to the second, 10 % each to the next two. Fixed tables have amounts
instead, with as many `decimals` as their currency.
"""

import re
from collections.abc import Sequence

from django.utils.translation import gettext as _

from tournaments.rules.payouts import InvalidPayoutTable, PayoutStep, PayoutTable, PayoutTableKind

_STEP = re.compile(
    r"(?:(?P<places>[0-9]{1,5})\s*[x*]\s*)?(?P<whole>[0-9]{1,12})(?:\.(?P<part>[0-9]{1,2}))?\s*%?",
    re.ASCII,
)


def parse_payout_table(text: str, *, kind: PayoutTableKind, decimals: int = 0) -> PayoutTable:
    """Parse a payout table. Raises InvalidPayoutTable."""
    digits, steps = _count_digits(kind, decimals), []
    for part in filter(None, (part.strip() for part in re.split(r"[,;\n]", text))):
        match = _STEP.fullmatch(part)
        if match is None or len(match["part"] or "") > digits:
            raise InvalidPayoutTable("unreadable")
        share = int(match["whole"] + (match["part"] or "").ljust(digits, "0"))
        steps.append(PayoutStep(int(match["places"] or 1), share))
    return PayoutTable(kind, tuple(steps))


def payout_text(
    payout_table: Sequence[Sequence[int]], *, kind: PayoutTableKind, decimals: int = 0
) -> str:
    """Format a payout table so that `parse_payout_table` can read it back."""
    digits = _count_digits(kind, decimals)
    return ", ".join(_step_text(places, share, digits) for places, share in payout_table)


def _count_digits(kind: PayoutTableKind, decimals: int) -> int:
    """Return the number of digits after the point. A percentage has two, because it is stored in basis points."""
    return 2 if kind is PayoutTableKind.PERCENT else decimals


def _step_text(places: int, share: int, digits: int) -> str:
    whole, part = divmod(share, 10**digits)
    amount = f"{whole}.{part:0{digits}}" if part else str(whole)
    return amount if places == 1 else f"{places}x{amount}"


def sentence_for(invalid: InvalidPayoutTable) -> str:
    """Describe the error of a payout table and how to fix it."""
    return {
        "unreadable": _("Enter shares with commas between them, as in “50, 30, 2x10”."),
        "no_steps": _(
            "Enter at least one prize, and at most 200 numbers with commas between them."
        ),
        "not_positive": _("Every prize must be more than zero."),
        "too_many_places": _("There may be no more than 50000 prizes."),
        "rises": _("A lower place must not get more than a higher one."),
        "not_the_whole_pool": _("The shares must add up to 100 percent."),
    }[invalid.code]
