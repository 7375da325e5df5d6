"""The money of a tournament: entry fees into its prize pool, and everything out of it; the prizes of
leagues, which are the house's.

Chips of practice bots come from the mint and go back to it. One subject, "tournament:7", marks all
of a tournament's movements.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

from wallet.ledger import chart
from wallet.ledger.balance_notices import hint_lines
from wallet.ledger.chart import AccountKind, AccountRef, Line, Reason
from wallet.ledger.posting import (
    Posting,
    lines_literal,
    post_in_transaction,
    post_transfers,
    refusals,
)
from wallet.limits.services import refuse_if_barred
from wallet.models import Entry, Journal, LedgerAccount, Transfer
from wallet.money import Currency
from wallet.refusals import NothingToReverse
from wallet.stakes.buckets import pay_from_wallet


@dataclass(frozen=True, slots=True)
class Fee:
    """An entry fee to be taken; `user_id` None for a practice bot's."""

    key: str
    user_id: int | None


@dataclass(frozen=True, slots=True)
class Prize:
    """`user_id` None: what practice bots have won goes back to the mint."""

    user_id: int | None
    amount: int


def pay_tournament_fee(
    *, tournament_id: int, user_id: int, amount: int, currency: Currency, key: str
) -> Posting:
    """From the player's wallet. Raises InsufficientFunds, AccountFrozen, SelfExcluded or
    CashIsOff."""
    refuse_if_barred(user_id)
    return pay_from_wallet(
        user_id=user_id,
        destination=chart.prize_pool(tournament_id, currency),
        amount=amount,
        reason=Reason.ENTRY_FEE,
        key=key,
        subject=_subject(tournament_id),
    )


def pay_tournament_fees_in_chips(
    *, tournament_id: int, fees: Sequence[Fee], amount: int
) -> list[str]:
    """Many fees in one statement, all or none; returns the keys that were not paid before.

    Raises InsufficientFunds if one of the players has too little.
    """
    pool = chart.prize_pool(tournament_id, Currency.CHIPS)
    mint = chart.mint(Currency.CHIPS)
    lines = [
        Line(
            mint if fee.user_id is None else chart.player(fee.user_id, Currency.CHIPS),
            pool,
            amount,
            Reason.ENTRY_FEE,
        )
        for fee in fees
    ]
    return _post_each(
        keys=[fee.key for fee in fees], lines=[[line] for line in lines], about=tournament_id
    )


def pay_tournament_fee_by_ticket(
    *, tournament_id: int, satellite_id: int, amount: int, currency: Currency, key: str
) -> Posting:
    """The price of a ticket from the pool of the satellite that it was won in."""
    line = Line(
        chart.prize_pool(satellite_id, currency),
        chart.prize_pool(tournament_id, currency),
        amount,
        Reason.ENTRY_FEE,
    )
    return post_transfers(key=key, lines=[line], subject=_subject(tournament_id))


def refund_tournament_fee(*, tournament_id: int, paid_key: str) -> Posting:
    """One fee whole, to where it came from. Raises NothingToReverse if it was not paid."""
    lines = _lines_back([paid_key]).get(paid_key)
    if not lines:
        raise NothingToReverse(paid_key)
    return post_transfers(key=refund_key(paid_key), lines=lines, subject=_subject(tournament_id))


def refund_tournament_fees(*, tournament_id: int, currency: Currency, at_most: int) -> int:
    """Refund at most this many fees in one statement. Returns how many it refunded."""
    pool = chart.prize_pool(tournament_id, currency)
    account = LedgerAccount.objects.filter(
        kind=pool.kind, owner_id=pool.owner_id, currency=currency, shard=0
    ).first()
    if account is None:
        return 0
    # By the entries of the pool's account: transfers have no index by account.
    paid = list(
        Entry.objects.filter(
            account_id=account.pk, amount__gt=0, transfer__reason=Reason.ENTRY_FEE
        ).values_list("transfer__journal__key", flat=True)
    )
    keys = list(dict.fromkeys(paid))
    done = set(
        Journal.objects.filter(key__in=[refund_key(key) for key in keys]).values_list(
            "key", flat=True
        )
    )
    due = [key for key in keys if refund_key(key) not in done][:at_most]
    if due:
        by_key = _lines_back(due)
        _post_each(
            keys=[refund_key(key) for key in due],
            lines=[by_key[key] for key in due],
            about=tournament_id,
        )
    return len(due)


def settle_tournament(
    *,
    tournament_id: int,
    currency: Currency,
    prizes: Sequence[Prize],
    overlay: int,
    rake: int,
) -> None:
    """Post the house's addition, its part, and every prize in one posting.

    A refusal is a bug: it is raised without a savepoint and ends the caller's transaction.
    """
    pool = chart.prize_pool(tournament_id, currency)
    lines = []
    if overlay:
        lines.append(Line(chart.overlay(currency), pool, overlay, Reason.OVERLAY))
    if rake:
        lines.append(Line(pool, chart.house(currency), rake, Reason.RAKE))
    lines += [
        Line(pool, _purse(prize.user_id, currency), prize.amount, Reason.PRIZE)
        for prize in prizes
        if prize.amount
    ]
    if lines:
        with refusals(savepoint=False):
            post_in_transaction(
                key=f"tournament:{tournament_id}:settle",
                lines=lines,
                subject=_subject(tournament_id),
            )


def pay_league_prizes(*, league_id: int, currency: Currency, prizes: Sequence[Prize]) -> None:
    """Every prize of a league from the house, in one posting, once. A refusal is raised as above."""
    lines = [
        Line(chart.overlay(currency), _purse(prize.user_id, currency), prize.amount, Reason.PRIZE)
        for prize in prizes
        if prize.amount
    ]
    if lines:
        with refusals(savepoint=False):
            post_in_transaction(
                key=f"league:{league_id}:prizes", lines=lines, subject=f"league:{league_id}"
            )


def refund_key(paid_key: str) -> str:
    return f"{paid_key}:refund"


def _purse(user_id: int | None, currency: Currency) -> AccountRef:
    """Return the account for a prize. Cash prizes may be withdrawn."""
    if user_id is None:
        return chart.mint(currency)
    if currency is Currency.INR:
        return chart.winnings(user_id)
    return chart.player(user_id, currency)


def _subject(tournament_id: int) -> str:
    return f"tournament:{tournament_id}"


def _lines_back(keys: Sequence[str]) -> dict[str, list[Line]]:
    """By the key of the payment, the lines that undo it."""
    ends = ("source", "destination")
    parts = ("kind", "owner_id", "shard")
    fields = [f"{end}__{part}" for end in ends for part in parts]
    lines_back: dict[str, list[Line]] = {}
    rows = (
        Transfer.objects.filter(journal__key__in=keys)
        .order_by("journal_id", "line")
        .values_list("journal__key", "currency", "amount", *fields)
    )
    for key, currency, amount, *accounts in rows:
        source, destination = (
            AccountRef(AccountKind(kind), owner, Currency(currency), shard)
            for kind, owner, shard in (accounts[:3], accounts[3:])
        )
        lines_back.setdefault(key, []).append(Line(destination, source, amount, Reason.REFUND))
    return lines_back


def _post_each(*, keys: Sequence[str], lines: Sequence[list[Line]], about: int) -> list[str]:
    """A journal for each key; returns those that were new."""
    if not keys:
        return []
    events = [number for number, own in enumerate(lines, start=1) for _line in own]
    literal = lines_literal(line for own in lines for line in own)
    with (
        refusals(savepoint=connection.in_atomic_block),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            "SELECT posted_key FROM ledger_post_batch("
            "%s, %s::integer[], %s::wallet_line[], NULL, %s) WHERE NOT replayed",
            [list(keys), events, literal, _subject(about)],
        )
        posted = [row[0] for row in cursor.fetchall()]
    hint_lines(line for own in lines for line in own)
    return posted
