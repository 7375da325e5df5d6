"""The texts of a statement's lines: reasons, and subjects with their names and pages."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Final

from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from wallet.models import Journal, Reason

# A function that returns names by number of the table or tournament. Unknown numbers are left out.
Names = Callable[[Collection[int]], Mapping[int, str]]
_NAMES: dict[str, Names] = {}


def add_names(kind: str, names: Names) -> None:
    """Register the function that names subjects of a kind, such as "table" in "table:7"."""
    _NAMES[kind] = names


def find_names(subjects: Collection[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Return a mapping from subject (kind, number) to name, without nameless subjects.

    It takes one query for each kind.
    """
    found: dict[tuple[str, str], str] = {}
    for kind, names in _NAMES.items():
        numbers = {int(number) for its, number in subjects if its == kind and number.isdecimal()}
        if numbers:
            found |= {(kind, str(number)): name for number, name in names(numbers).items()}
    return found


# The words by reason and by whether the money came in.
_WORDS: dict[tuple[Reason, bool], str | Promise] = {
    (Reason.WELCOME, True): _("Welcome chips"),
    (Reason.PRACTICE_CHIPS, True): _("Practice chips"),
    (Reason.BUY_IN, False): _("Brought to a table"),
    (Reason.TOP_UP, False): _("Topped up at a table"),
    (Reason.CASH_OUT, True): _("Taken back from a table"),
    (Reason.ENTRY_FEE, False): _("Entry fee"),
    (Reason.REFUND, True): _("Refund"),
    (Reason.WINNINGS, True): _("Winnings of a match"),
    (Reason.PRIZE, True): _("Prize of a tournament"),
    (Reason.DEPOSIT, True): _("Deposit"),
    (Reason.WITHDRAWAL, False): _("Withdrawal"),
    (Reason.TAX, False): _("Tax deducted (TDS)"),
    (Reason.BONUS, True): _("Bonus"),
    (Reason.BONUS_RELEASE, False): _("Bonus released to your winnings"),
    (Reason.BONUS_RELEASE, True): _("Bonus released by playing"),
    (Reason.BONUS_EXPIRY, False): _("Bonus expired"),
    (Reason.REVERSAL, True): _("Correction"),
    (Reason.REVERSAL, False): _("Correction"),
    (Reason.HELD_BACK, False): _("Held back: the bank wants your payment back"),
    (Reason.CORRECTION, True): _("Correction of a match"),
    (Reason.CORRECTION, False): _("Correction of a match"),
    (Reason.ADJUSTMENT, True): _("Adjustment by the house"),
    (Reason.ADJUSTMENT, False): _("Adjustment by the house"),
}
_OF_MATCH = re.compile(r"match:([0-9]+):")
# The words and page of each kind of subject ("table:7").
_SUBJECTS: dict[str, tuple[str | Promise, str]] = {
    "table": (_("Table %(number)s"), "table"),
    "match": (_("Match %(number)s"), "match"),
    "tournament": (_("Tournament %(number)s"), "tournaments:tournament"),
    "league": (_("League %(number)s"), "tournaments:league"),
    "bonus": (_("Bonus %(number)s"), ""),
    "withdrawal": (_("Details"), "wallet:withdrawal"),
    "deposit": (_("Details"), "wallet:deposit_state"),
    "tax": (_("Financial year %(number)s"), ""),
}


def describe_reason(reason: Reason, *, came_in: bool) -> str | Promise:
    return _WORDS.get((reason, came_in), _("Received") if came_in else _("Paid"))


def find_subject(journal: Journal) -> tuple[str, str]:
    """Return the kind and number of an event's subject: "match", "12"."""
    kind, _colon, number = journal.subject.partition(":")
    of_match = _OF_MATCH.match(journal.key)
    if kind == "table" and of_match:  # a cash-out at the end of a match
        kind, number = "match", of_match[1]
    elif kind == "deposit":
        number = journal.key.rpartition(":")[2]  # the URL of its page has the reference
    elif kind == "tax" and number.isdecimal():
        number = f"{number}\N{EN DASH}{(int(number) + 1) % 100:02}"
    return kind, number


# The kinds of subjects whose numbers the API returns.
TOLD: Final = ("table", "match", "tournament", "league")


def find_numbers(journal: Journal) -> dict[str, int]:
    """Return a mapping from kind to number for an event's subjects in `TOLD`.

    A cash-out, for example, has both a table and a match.
    """
    kind, _colon, number = journal.subject.partition(":")
    found = {kind: int(number)} if kind in TOLD and number.isdecimal() else {}
    if of_match := _OF_MATCH.match(journal.key):
        found["match"] = int(of_match[1])
    return found


def describe_subject(journal: Journal, names: Mapping[tuple[str, str], str]) -> tuple[str, str]:
    """Return an event's subject, by name if it has one, and the URL of its page. Both may be empty."""
    kind, number = find_subject(journal)
    if kind not in _SUBJECTS:
        return "", ""
    words, page = _SUBJECTS[kind]
    text = names.get((kind, number)) or str(words) % {"number": number}
    try:
        return text, reverse(page, args=[number]) if page else ""
    except NoReverseMatch:
        return text, ""
