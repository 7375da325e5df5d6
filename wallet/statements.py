"""Which lines of which account a statement shows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from wallet.cash import cash_is_on
from wallet.chart import AccountRef, Reason, bonus, player, winnings
from wallet.money import Currency

_LONGEST_NUMBER = 18
# What a statement can be of; all but chips where cash is on.
ACCOUNTS: Mapping[str, tuple[str | Promise, Callable[[int], AccountRef]]] = {
    "chips": (_("Chips"), lambda user_id: player(user_id, Currency.CHIPS)),
    "deposits": (_("Deposits"), lambda user_id: player(user_id, Currency.INR)),
    "winnings": (_("Winnings"), winnings),
    "bonus": (_("Bonus"), bonus),
}
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
class StatementQuery:
    """What an address asks for: "?account=winnings&topic=play&before=120"."""

    account: str = "chips"
    topic: str = ""
    before: int | None = None

    @classmethod
    def read(cls, values: Mapping[str, str]) -> "StatementQuery":
        """Raises UnknownStatement."""
        query = cls(
            account=values.get("account", "chips"),
            topic=values.get("topic", ""),
            before=_number(values.get("before")),
        )
        if query.account not in accounts_shown() or query.topic not in TOPICS:
            raise UnknownStatement
        return query

    @property
    def reasons(self) -> frozenset[Reason]:
        """Empty: all."""
        return TOPICS[self.topic][1]

    def ref(self, user_id: int) -> AccountRef:
        return ACCOUNTS[self.account][1](user_id)

    def address(self, *, before: int | None = None) -> str:
        changed = replace(self, before=before)
        values = {"account": changed.account, "topic": changed.topic, "before": changed.before}
        return "?" + urlencode(
            {name: value for name, value in values.items() if value not in {"", "chips", None}}
        )


def accounts_shown() -> tuple[str, ...]:
    return tuple(ACCOUNTS) if cash_is_on() else ("chips",)


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER):
        raise UnknownStatement
    return int(text)
