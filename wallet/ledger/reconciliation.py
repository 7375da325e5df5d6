"""Does the ledger agree with itself, with its seals and with what is played?"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from wallet.models import LedgerSeal

_SQL = Path(__file__).resolve().parents[1] / "sql/checks"
_ACCOUNTS = (_SQL / "checks_of_accounts.sql").read_text()
_CHECKS = (_SQL / "checks.sql").read_text()
_CHECKS_SINCE = (_SQL / "checks_since.sql").read_text()
_SEALS = (_SQL / "seals.sql").read_text()
_SEALS_SINCE = (_SQL / "seals_since.sql").read_text()
_HEAD = "SELECT number || ':' || encode(hash, 'hex') FROM wallet_seal ORDER BY number DESC LIMIT 1"
_NO_END = 2**63 - 1
# What other applications add: they know what their accounts should hold.
_more: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Finding:
    check: str
    subject: str


@dataclass(frozen=True, slots=True)
class CurrencyTotal:
    """`circulating`: the sum of all balances above zero."""

    currency: str
    accounts: int
    circulating: int


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """`head`: the last seal, "number:hash", or "" where nothing is sealed yet."""

    totals: tuple[CurrencyTotal, ...]
    findings: tuple[Finding, ...]
    head: str


@dataclass(frozen=True, slots=True)
class SealedChain:
    findings: tuple[Finding, ...]
    head: str


def add_checks(*, name: str, path: Path) -> None:
    """Let `reconcile` also run the statement in this file; its rows are (finding, subject)."""
    _more[name] = path.read_text()


def reconcile(
    *, since: LedgerSeal | None = None, until: LedgerSeal | None = None
) -> Reconciliation:
    """Everything that is off, and each currency's totals, all of one moment.

    `since`: the history up to this seal was found sound before, and is not read again. `until`, a later
    seal, only with `since`: what came after it is left to the next one, and it is the `head`.
    """
    with _one_moment() as cursor:
        rows = _rows(cursor, _ACCOUNTS)
        for statement in (_CHECKS, _SEALS) if since is None else (_CHECKS_SINCE, _SEALS_SINCE):
            rows += _rows(cursor, _between(statement, since, until))
        for statement in _more.values():
            rows += _rows(cursor, statement)
        head = _head(cursor) if until is None else str(until)
    return Reconciliation(
        totals=tuple(_total(subject) for check, subject in sorted(rows) if check == "total"),
        findings=tuple(Finding(*row) for row in rows if row[0] != "total"),
        head=head,
    )


def _between(statement: str, since: LedgerSeal | None, until: LedgerSeal | None) -> str:
    if since is None:
        return statement
    numbers = {
        ":after": since.last_transfer_id,
        ":seal": since.number,
        ":until": _NO_END if until is None else until.last_transfer_id,
        ":last": _NO_END if until is None else until.number,
    }
    for name, number in numbers.items():
        statement = statement.replace(name, str(int(number)))
    return statement


def verify_seals() -> SealedChain:
    """The sealed chain alone, calculated again from the ledger's rows."""
    with _one_moment() as cursor:
        return SealedChain(
            findings=tuple(Finding(*row) for row in _rows(cursor, _SEALS)), head=_head(cursor)
        )


@contextmanager
def _one_moment() -> Iterator[CursorWrapper]:
    """A cursor whose statements all see the database as it is now."""
    is_first = not connection.in_atomic_block
    with transaction.atomic(), connection.cursor() as cursor:
        if is_first:  # a transaction that has begun keeps its level
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        # The limit of a page request is not meant for this: a large ledger takes its time.
        cursor.execute("SET LOCAL statement_timeout = '50min'")
        cursor.execute("SET LOCAL work_mem = '64MB'")
        yield cursor


def _rows(cursor: CursorWrapper, statement: str) -> list[tuple[str, str]]:
    cursor.execute(statement)
    rows: list[tuple[str, str]] = cursor.fetchall()
    return rows


def _head(cursor: CursorWrapper) -> str:
    cursor.execute(_HEAD)
    row = cursor.fetchone()
    return "" if row is None else str(row[0])


def _total(text: str) -> CurrencyTotal:
    currency, accounts, circulating = text.split("|")
    return CurrencyTotal(currency, int(accounts), int(circulating or 0))
