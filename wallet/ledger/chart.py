"""The chart of accounts: every account is one purpose of one owner in one currency."""

from dataclasses import dataclass

from wallet.models import AccountKind, Reason
from wallet.money import MAX_AMOUNT, Currency

# Accounts of the house. Their owner_id is 0.
OF_THE_HOUSE = frozenset(
    {
        AccountKind.HOUSE,
        AccountKind.BONUS_EXPENSE,
        AccountKind.OVERLAY,
        AccountKind.TDS_PAYABLE,
        AccountKind.GST_PAYABLE,
        AccountKind.DEPOSITS,
        AccountKind.WITHDRAWALS,
        AccountKind.SUSPENSE,
        AccountKind.MINT,
    }
)
# Only these accounts may go below zero. They stand for the outside world, count gifts, or wait for money that
# the provider took.
MAY_BE_NEGATIVE = frozenset(
    {
        AccountKind.MINT,
        AccountKind.DEPOSITS,
        AccountKind.BONUS_EXPENSE,
        AccountKind.OVERLAY,
        AccountKind.SUSPENSE,
        AccountKind.DISPUTED,
    }
)
CASH_ONLY = frozenset(
    {
        AccountKind.WINNINGS,
        AccountKind.BONUS,
        AccountKind.BONUS_EXPENSE,
        AccountKind.TDS_PAYABLE,
        AccountKind.GST_PAYABLE,
        AccountKind.DEPOSITS,
        AccountKind.WITHDRAWALS,
        AccountKind.DISPUTED,
    }
)
CHIPS_ONLY = frozenset({AccountKind.MINT})
MINT_PARTS = 16


@dataclass(frozen=True, slots=True)
class AccountRef:
    """A reference to an account by its purpose and owner. The ledger creates the account with its first transfer."""

    kind: AccountKind
    owner_id: int
    currency: Currency
    shard: int = 0

    def __post_init__(self) -> None:
        if (self.kind in OF_THE_HOUSE) != (self.owner_id == 0) or self.owner_id < 0:
            raise ValueError(f"{self.kind} cannot belong to owner {self.owner_id}")
        wrong = CASH_ONLY if self.currency is Currency.CHIPS else CHIPS_ONLY
        if self.kind in wrong:
            raise ValueError(f"{self.kind} holds no {self.currency}")


@dataclass(frozen=True, slots=True)
class PostingLine:
    """One transfer to be posted, `amount` in the smallest unit of the accounts' currency."""

    source: AccountRef
    destination: AccountRef
    amount: int
    reason: Reason

    def __post_init__(self) -> None:
        if self.source.currency is not self.destination.currency:
            raise ValueError("chips and cash never mix")
        if self.source == self.destination:
            raise ValueError("source and destination are the same account")
        if not 0 < self.amount <= MAX_AMOUNT:
            raise ValueError(f"an amount is between 1 and {MAX_AMOUNT}")


def player(user_id: int, currency: Currency) -> AccountRef:
    return AccountRef(AccountKind.PLAYER, user_id, currency)


def bonus(user_id: int) -> AccountRef:
    return AccountRef(AccountKind.BONUS, user_id, Currency.INR)


def bonus_expense() -> AccountRef:
    return AccountRef(AccountKind.BONUS_EXPENSE, 0, Currency.INR)


def winnings(user_id: int) -> AccountRef:
    return AccountRef(AccountKind.WINNINGS, user_id, Currency.INR)


def deposits() -> AccountRef:
    return AccountRef(AccountKind.DEPOSITS, 0, Currency.INR)


def withdrawals() -> AccountRef:
    return AccountRef(AccountKind.WITHDRAWALS, 0, Currency.INR)


def tds_payable() -> AccountRef:
    return AccountRef(AccountKind.TDS_PAYABLE, 0, Currency.INR)


def disputed(case_id: int) -> AccountRef:
    """Return the account that holds the money held back for a payment case."""
    return AccountRef(AccountKind.DISPUTED, case_id, Currency.INR)


def seat(seat_id: int, currency: Currency) -> AccountRef:
    return AccountRef(AccountKind.SEAT, seat_id, currency)


def pot(match_id: int, currency: Currency) -> AccountRef:
    return AccountRef(AccountKind.POT, match_id, currency)


def prize_pool(tournament_id: int, currency: Currency) -> AccountRef:
    return AccountRef(AccountKind.PRIZE_POOL, tournament_id, currency)


def overlay(currency: Currency) -> AccountRef:
    return AccountRef(AccountKind.OVERLAY, 0, currency)


def rake(table_id: int, currency: Currency) -> AccountRef:
    return AccountRef(AccountKind.RAKE, table_id, currency)


def house(currency: Currency) -> AccountRef:
    return AccountRef(AccountKind.HOUSE, 0, currency)


def mint(currency: Currency, owner_id: int) -> AccountRef:
    """Return the part of the mint for this player, seat, match or tournament.

    The mint has parts because a posting locks its accounts until the transaction ends, and many postings take
    chips from it at once.
    """
    return AccountRef(AccountKind.MINT, 0, currency, owner_id % MINT_PARTS)
