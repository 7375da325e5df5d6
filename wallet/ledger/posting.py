"""The one way from Python to the ledger: each service calls one posting function of wallet/sql."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, connection, transaction

from core.database.prepared import Prepared, read_flag
from wallet.ledger.balance_notices import hint_accounts, hint_lines
from wallet.ledger.chart import AccountRef, Line
from wallet.models import Reason
from wallet.refusals import BY_CONSTRAINT, BY_SQLSTATE, MalformedPosting

_POST = Prepared(
    "ledger_post",
    """SELECT journal_id, replayed
         FROM ledger_post($1::text, $2::wallet_line[], $3::bigint, $4::text)""",
    (int, read_flag),
)
# One line, the commonest event, goes without an array; both functions answer to each other's keys.
_POST_LINE = Prepared(
    "ledger_post_line",
    """SELECT journal_id, replayed FROM ledger_post_line(
           $1::text, $2::text, $3::bigint, $4::integer, $5::text, $6::bigint, $7::integer,
           $8::text, $9::bigint, $10::text, $11::bigint, $12::text)""",
    (int, read_flag),
)


@dataclass(frozen=True, slots=True)
class Posting:
    """`replayed`: the key was posted before, nothing moved now."""

    journal_id: int
    replayed: bool


@dataclass(frozen=True, slots=True)
class Swept:
    """The amount moved. Without a journal there was nothing to move."""

    journal_id: int | None
    amount: int


def post_transfers(
    *, key: str, lines: Sequence[Line], actor_id: int | None = None, subject: str = ""
) -> Posting:
    """All lines or none, in one round trip; accounts that do not exist yet are made.

    The same key with the same lines answers as the first time. Raises InsufficientFunds,
    AccountClosed, IdempotencyConflict or MalformedPosting. Inside a transaction a savepoint is set
    around the call, so that a refusal leaves the caller's transaction usable.
    """
    if not lines:
        raise MalformedPosting("no lines")
    with refusals(savepoint=connection.in_atomic_block):
        return post_in_transaction(key=key, lines=lines, actor_id=actor_id, subject=subject)


def post_in_transaction(
    *, key: str, lines: Sequence[Line], actor_id: int | None = None, subject: str = ""
) -> Posting:
    """post_transfers without a savepoint: for callers to whom a refusal is a bug.

    A refusal breaks the transaction around it, which is what such a caller wants.
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


def post_each(*, keys: Sequence[str], lines: Sequence[Sequence[Line]], subject: str) -> list[str]:
    """Post one journal for each key with its own lines, in one statement, all or none.

    Return the keys that were new. Raises what post_transfers raises.
    """
    if not keys:
        return []
    events = [number for number, own in enumerate(lines, start=1) for _line in own]
    every = [line for own in lines for line in own]
    with refusals(savepoint=connection.in_atomic_block), connection.cursor() as cursor:
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
    """All that may be spent of `source`; nothing there posts nothing and leaves the key free.

    A repeated key answers with the amount of the first time. A refusal leaves the caller's
    transaction usable.
    """
    line = _row(source, destination, "", reason)
    with refusals(savepoint=connection.in_atomic_block):
        journal_id, amount = call(
            "SELECT journal_id, amount FROM ledger_sweep(%s, %s::wallet_line, %s, %s)",
            [key, line, actor_id, subject],
        )
    hint_accounts(source, destination)
    return Swept(journal_id, amount)


def call(statement: str, parameters: list[Any]) -> tuple[Any, ...]:
    """One posting function; the row it answers with."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        row: tuple[Any, ...] = cursor.fetchone()
    return row


@contextmanager
def refusals(*, savepoint: bool) -> Iterator[None]:
    """Turns what the database refuses into a WalletRefusal; other errors pass as they are."""
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
        raise refusal(str(cause).partition("\n")[0]) from error


def lines_literal(lines: Iterable[Line]) -> str:
    """PostgreSQL's text of wallet_line[]. Its parts are words of the chart and whole numbers, so
    nothing needs escaping."""
    return "{" + ",".join(f'"{line_literal(line)}"' for line in lines) + "}"


def line_literal(line: Line) -> str:
    """PostgreSQL's text of one wallet_line."""
    return _row(line.source, line.destination, str(line.amount), line.reason)


def _row(source: AccountRef, destination: AccountRef, amount: str, reason: Reason) -> str:
    return (
        f"({source.kind},{source.owner_id:d},{source.shard:d},"
        f"{destination.kind},{destination.owner_id:d},{destination.shard:d},"
        f"{source.currency},{amount},{reason})"
    )
