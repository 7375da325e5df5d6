"""The only way from Python to the ledger: each function calls one posting function of wallet/sql.

After the commit the players' open pages are told that their balance has changed.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, connection, transaction

from core.database.prepared import Prepared, read_flag
from core.page_notices import hint_after_commit
from core.refusals import Refusal, RefusalKind
from wallet.ledger.chart import AccountRef, PostingLine
from wallet.models import AccountKind, HoldLine, Reason, Transfer
from wallet.refusals import BY_CONSTRAINT, BY_SQLSTATE, MALFORMED_POSTING

BALANCE = "balance"
_OF_PLAYERS = frozenset({AccountKind.PLAYER, AccountKind.WINNINGS, AccountKind.BONUS})


def hint_accounts(*accounts: AccountRef) -> None:
    """Tell the open pages of the players who own these accounts that a balance has changed.

    Seats, pots and the house have no pages.
    """
    hint_players({account.owner_id for account in accounts if account.kind in _OF_PLAYERS})


def hint_lines(lines: Iterable[PostingLine]) -> None:
    hint_accounts(*(account for line in lines for account in (line.source, line.destination)))


def hint_hold(hold_id: int) -> None:
    """Tell the open pages of the player whose money was held that their balance has changed."""
    sources = HoldLine.objects.filter(hold_id=hold_id, source__kind__in=_OF_PLAYERS)
    hint_players(set(sources.values_list("source__owner_id", flat=True)))


def hint_players(user_ids: set[int]) -> None:
    """Tell these players' open pages after the commit that their balance has changed.

    The hint holds no amounts. Its receiver reads them from the database, so a late or repeated hint never
    shows an old balance. A separate thread sends the hint, so the caller does not wait.
    """
    if user_ids:
        hint_after_commit(user_ids, BALANCE)


_POST = Prepared(
    "ledger_post",
    """SELECT journal_id, replayed
         FROM ledger_post($1::text, $2::wallet_line[], $3::bigint, $4::text)""",
    (int, read_flag),
)
# A single line, the most common event, needs no array. Each function recognises the other's keys.
_POST_LINE = Prepared(
    "ledger_post_line",
    """SELECT journal_id, replayed FROM ledger_post_line(
           $1::text, $2::text, $3::bigint, $4::integer, $5::text, $6::bigint, $7::integer,
           $8::text, $9::bigint, $10::text, $11::bigint, $12::text)""",
    (int, read_flag),
)


@dataclass(frozen=True, slots=True)
class Posting:
    """A posted event. `replayed` means that the key had been posted before and nothing moved now."""

    journal_id: int
    replayed: bool


@dataclass(frozen=True, slots=True)
class Swept:
    """The amount moved by a sweep. `journal_id` is None if there was nothing to move."""

    journal_id: int | None
    amount: int


def post_transfers(
    *, key: str, lines: Sequence[PostingLine], actor_id: int | None = None, subject: str = ""
) -> Posting:
    """Post all lines or none, in one round trip. Missing accounts are created.

    The same key with the same lines returns the first result. Raises InsufficientFunds, WALLET_CLOSED,
    IdempotencyConflict or MALFORMED_POSTING. Inside a transaction the call has a savepoint, so that a
    refusal leaves the caller's transaction usable.
    """
    if not lines:
        raise Refusal(MALFORMED_POSTING, detail="no lines")
    with translate_refusals(savepoint=connection.in_atomic_block):
        return post_in_transaction(key=key, lines=lines, actor_id=actor_id, subject=subject)


def post_in_transaction(
    *, key: str, lines: Sequence[PostingLine], actor_id: int | None = None, subject: str = ""
) -> Posting:
    """Post like post_transfers but without a savepoint, where a refusal is a bug.

    A refusal breaks the caller's transaction.
    """
    if len(lines) == 1:
        line = lines[0]
        row = _POST_LINE.first(
            key,
            *(line.source.kind, line.source.owner_id, line.source.shard),
            *(line.destination.kind, line.destination.owner_id, line.destination.shard),
            *(line.source.currency, line.amount, line.reason, actor_id, subject),
        )
    else:
        row = _POST.first(key, lines_literal(lines), actor_id, subject)
    if row is None:
        raise RuntimeError("a posting function answers with a row")
    hint_lines(lines)
    return Posting(*row)


def post_each(
    *, keys: Sequence[str], lines: Sequence[Sequence[PostingLine]], subject: str
) -> list[str]:
    """Post one journal for each key with its own lines, in one SQL statement, all or none.

    Return the keys that were new. Raises what post_transfers raises.
    """
    if not keys:
        return []
    events = [number for number, own in enumerate(lines, start=1) for _line in own]
    every = [line for own in lines for line in own]
    with translate_refusals(savepoint=connection.in_atomic_block), connection.cursor() as cursor:
        cursor.execute(
            "SELECT posted_key FROM ledger_post_batch("
            "%s, %s::integer[], %s::wallet_line[], NULL, %s) WHERE NOT replayed",
            [list(keys), events, lines_literal(every), subject],
        )
        posted = [row[0] for row in cursor.fetchall()]
    hint_lines(every)
    return posted


def sweep(
    *,
    key: str,
    source: AccountRef,
    destination: AccountRef,
    reason: Reason,
    actor_id: int | None = None,
    subject: str = "",
) -> Swept:
    """Move all spendable money out of `source`. An empty account posts nothing and leaves the key unused.

    A repeated key returns the amount that moved the first time. A refusal leaves the caller's transaction
    usable.
    """
    line = _format_row(source, destination, "", reason)
    with translate_refusals(savepoint=connection.in_atomic_block):
        journal_id, amount = call(
            "SELECT journal_id, amount FROM ledger_sweep(%s, %s::wallet_line, %s, %s)",
            [key, line, actor_id, subject],
        )
    hint_accounts(source, destination)
    return Swept(journal_id, amount)


def spend_cash(
    *, key: str, line: PostingLine, bonus_bps: int, actor_id: int | None, subject: str
) -> Posting:
    """Post a payment of a player's cash: from the bonus up to `bonus_bps`, from deposits, then from winnings.

    `line` names the player's deposits as its source. A refusal is the database's own error, raised without a
    savepoint: call this function within `translate_refusals`.
    """
    posting = Posting(
        *call(
            "SELECT journal_id, replayed FROM ledger_spend(%s, %s::wallet_line, %s, %s, %s)",
            [key, _line_literal(line), bonus_bps, actor_id, subject],
        )
    )
    hint_accounts(line.source)
    return posting


def reverse(
    *, key: str, journal_id: int, actor_id: int | None = None, subject: str = ""
) -> Posting:
    """Post the reversal of an event, at most once.

    Raises ALREADY_REVERSED, NOTHING_TO_REVERSE or what post_transfers raises.
    """
    with translate_refusals(savepoint=connection.in_atomic_block):
        posting = Posting(
            *call(
                "SELECT journal_id, replayed FROM ledger_reverse(%s, %s, %s, %s)",
                [key, journal_id, actor_id, subject],
            )
        )
    owners = Transfer.objects.filter(journal_id=journal_id, source__kind__in=_OF_PLAYERS)
    hint_players(set(owners.values_list("source__owner_id", flat=True)))
    return posting


def call(statement: str, parameters: list[Any]) -> tuple[Any, ...]:
    """Call one posting function and return its row."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        row: tuple[Any, ...] = cursor.fetchone()
    return row


@contextmanager
def translate_refusals(*, savepoint: bool) -> Iterator[None]:
    """Turn a refusal of the database into a Refusal. Other errors pass unchanged.

    With `savepoint`, a refusal leaves the caller's transaction usable.
    """
    try:
        if savepoint:
            with transaction.atomic():
                yield
        else:
            yield
    except DatabaseError as error:
        cause = error.__cause__
        state = getattr(cause, "sqlstate", None) or ""
        constraint = getattr(getattr(cause, "diag", None), "constraint_name", None) or ""
        refusal = BY_CONSTRAINT.get(constraint) or BY_SQLSTATE.get(state)
        if refusal is None:
            raise
        detail = str(cause).partition("\n")[0]
        if isinstance(refusal, RefusalKind):
            raise Refusal(refusal, detail=detail) from error
        raise refusal(detail=detail) from error


def lines_literal(lines: Iterable[PostingLine]) -> str:
    """Format lines as a PostgreSQL literal of type wallet_line[].

    Account kinds, currencies, reasons and whole numbers need no escaping.
    """
    return "{" + ",".join(f'"{_line_literal(line)}"' for line in lines) + "}"


def _line_literal(line: PostingLine) -> str:
    """Format one line as a PostgreSQL literal of type wallet_line."""
    return _format_row(line.source, line.destination, str(line.amount), line.reason)


def _format_row(source: AccountRef, destination: AccountRef, amount: str, reason: Reason) -> str:
    return (
        f"({source.kind},{source.owner_id:d},{source.shard:d},"
        f"{destination.kind},{destination.owner_id:d},{destination.shard:d},"
        f"{source.currency},{amount},{reason})"
    )
