"""A statement's line in words."""

import re
from collections.abc import Mapping

from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from wallet.models import Journal, Reason

# What a player's own account shows, by reason and by whether it came in.
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
    (Reason.ADJUSTMENT, True): _("Adjustment by the house"),
    (Reason.ADJUSTMENT, False): _("Adjustment by the house"),
}
_OF_MATCH = re.compile(r"match:([0-9]+):")
# The pages of what an event can be about ("table:7").
_SUBJECTS: dict[str, tuple[str | Promise, str]] = {
    "table": (_("Table %(number)s"), "tables:table"),
    "match": (_("Match %(number)s"), "match"),
    "tournament": (_("Tournament %(number)s"), "tournaments:tournament"),
    "league": (_("League %(number)s"), "tournaments:league"),
    "bonus": (_("Bonus %(number)s"), ""),
    "withdrawal": (_("Details"), "wallet:withdrawal"),
    "deposit": (_("Details"), "wallet:deposit_state"),
    "tax": (_("Financial year %(number)s"), ""),
}


def words_of(reason: Reason, *, came_in: bool) -> str | Promise:
    return _WORDS.get((reason, came_in), _("Received") if came_in else _("Paid"))


def subject_of(journal: Journal) -> tuple[str, str]:
    """Kind and number of what an event was about: "match", "12"."""
    kind, _colon, number = journal.subject.partition(":")
    of_match = _OF_MATCH.match(journal.key)
    if kind == "table" and of_match:  # what a match has paid is taken back with its end
        kind, number = "match", of_match[1]
    elif kind == "deposit":
        number = journal.key.rpartition(":")[2]  # its page goes by the reference
    elif kind == "tax" and number.isdecimal():
        number = f"{number}\N{EN DASH}{(int(number) + 1) % 100:02}"
    return kind, number


def about(journal: Journal, names: Mapping[tuple[str, str], str]) -> tuple[str, str]:
    """Return the subject of an event, by its name if it has one, and its page."""
    kind, number = subject_of(journal)
    if kind not in _SUBJECTS:
        return "", ""
    words, page = _SUBJECTS[kind]
    text = names.get((kind, number)) or str(words) % {"number": number}
    try:
        return text, reverse(page, args=[number]) if page else ""
    except NoReverseMatch:
        return text, ""
