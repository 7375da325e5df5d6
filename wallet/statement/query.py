"""The choice of a statement's account, topic and days, for its page, its file and the API."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from urllib.parse import urlencode

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.values.local_days import compute_day_start
from core.values.numbers import parse_number
from wallet.cash import cash_is_on
from wallet.ledger.chart import AccountRef, bonus, player, winnings
from wallet.ledger.entries import PAGE_LENGTH, find_numbers_between, read_statement_page
from wallet.models import Reason
from wallet.money import Currency
from wallet.statement.columns import StatementLine, build_line
from wallet.statement.texts import find_names, find_subject

# The accounts of a statement. All but chips need cash to be on.
ACCOUNTS: Mapping[str, tuple[str | Promise, Callable[[int], AccountRef]]] = {
    "chips": (_("Chips"), lambda user_id: player(user_id, Currency.CHIPS)),
    "deposits": (_("Deposits"), lambda user_id: player(user_id, Currency.INR)),
    "winnings": (_("Winnings"), winnings),
    "bonus": (_("Bonus"), bonus),
}
# The API's names for them.
API_ACCOUNTS = {"chips": "chips", "deposit": "deposits", "winnings": "winnings", "bonus": "bonus"}
TOPICS: Mapping[str, tuple[str | Promise, frozenset[Reason]]] = {
    "": (_("Everything"), frozenset()),
    "play": (
        _("Tables and tournaments"),
        frozenset(
            {
                Reason.BUY_IN,
                Reason.TOP_UP,
                Reason.CASH_OUT,
                Reason.ENTRY_FEE,
                Reason.REFUND,
                Reason.WINNINGS,
                Reason.PRIZE,
            }
        ),
    ),
    "gifts": (
        _("Gifts"),
        frozenset(
            {
                Reason.WELCOME,
                Reason.PRACTICE_CHIPS,
                Reason.BONUS,
                Reason.BONUS_RELEASE,
                Reason.BONUS_EXPIRY,
            }
        ),
    ),
    "payments": (_("Payments"), frozenset({Reason.DEPOSIT, Reason.WITHDRAWAL, Reason.TAX})),
}


class UnknownStatement(ValueError):  # noqa: N818 - somebody made up an address
    pass


@dataclass(frozen=True, slots=True)
class StatementLines:
    """A page of a statement's lines, newest first. `older` is the value of `before` for the next page, or None."""

    lines: tuple[StatementLine, ...]
    older: int | None


@dataclass(frozen=True, slots=True)
class StatementQuery:
    """A parsed query string: "?account=winnings&topic=play&from=2026-04-01&before=120".

    `first_day` and `last_day` are whole days in the site's time zone.
    """

    account: str = "chips"
    topic: str = ""
    before: int | None = None
    first_day: date | None = None
    last_day: date | None = None

    @classmethod
    def read(cls, values: Mapping[str, str]) -> "StatementQuery":
        """Read the query string. Raises UnknownStatement."""
        query = cls(
            account=values.get("account", "chips"),
            topic=values.get("topic", ""),
            before=_number(values.get("before")),
            first_day=_parse_day(values.get("from", "")),
            last_day=_parse_day(values.get("until", "")),
        )
        if query.account not in list_visible_accounts() or query.topic not in TOPICS:
            raise UnknownStatement
        return query

    @property
    def reasons(self) -> frozenset[Reason]:
        """Return the transfer reasons that belong to the topic.

        An empty set, for the topic "Everything", means that no reason is filtered out.
        """
        return TOPICS[self.topic][1]

    def ref(self, user_id: int) -> AccountRef:
        return ACCOUNTS[self.account][1](user_id)

    @property
    def has_days(self) -> bool:
        return self.first_day is not None or self.last_day is not None

    def numbers(self, user_id: int) -> range:
        """Return the numbers of all entries of these days, whatever their topic."""
        return find_numbers_between(self.ref(user_id), since=self.since, until=self.until)

    def lines(
        self, user_id: int, *, numbers: range | None = None, length: int = PAGE_LENGTH
    ) -> StatementLines:
        """Return the page of lines that the query asks for.

        Pass the result of the method `numbers` if the caller already has it.
        """
        if numbers is None and self.has_days:
            numbers = self.numbers(user_id)
        ref = self.ref(user_id)
        page = read_statement_page(
            ref, before=self.before, length=length, reasons=self.reasons, numbers=numbers
        )
        names = find_names({find_subject(entry.transfer.journal) for entry in page.entries})
        lines = tuple(build_line(entry, ref.currency, names) for entry in page.entries)
        return StatementLines(lines, page.older)

    @property
    def since(self) -> datetime | None:
        return None if self.first_day is None else compute_day_start(self.first_day)

    @property
    def until(self) -> datetime | None:
        """Return the midnight after the last day, or None if no last day was chosen."""
        return (
            None if self.last_day is None else compute_day_start(self.last_day + timedelta(days=1))
        )

    def elsewhere(self, *, account: str | None = None, topic: str = "") -> str:
        """Return the query string for another account or topic and the same days, beginning at the newest line."""
        return replace(self, account=account or self.account, topic=topic).address()

    def address(self, *, before: int | None = None) -> str:
        values = {
            "account": self.account,
            "topic": self.topic,
            "from": self.first_day,
            "until": self.last_day,
            "before": before,
        }
        return "?" + urlencode(
            {name: value for name, value in values.items() if value not in {"", "chips", None}}
        )


def list_visible_accounts() -> tuple[str, ...]:
    return tuple(ACCOUNTS) if cash_is_on() else ("chips",)


def _parse_day(text: str) -> date | None:
    """Return the day, or None for an empty field. Raises UnknownStatement."""
    if not text:
        return None
    # Years that every calendar and time zone can take.
    if not (text.isascii() and len(text) == len("2026-04-01") and "2000" <= text < "2200"):
        raise UnknownStatement
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UnknownStatement from error


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    number = parse_number(text)
    if number is None:
        raise UnknownStatement
    return number
