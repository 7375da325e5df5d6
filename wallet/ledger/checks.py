"""Sealing the ledger's history, and checking that the ledger agrees with itself, its seals and the games."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from core.database.references import check_of_references
from wallet.models import LedgerCheck, LedgerSeal
from wallet.refusals import WithdrawalsFrozen

_SQL = Path(__file__).resolve().parents[1] / "sql/checks"
_ACCOUNTS = (_SQL / "checks_of_accounts.sql").read_text()
_CHECKS = (_SQL / "checks.sql").read_text()
_CHECKS_SINCE = (_SQL / "checks_since.sql").read_text()
_SEALS = (_SQL / "seals.sql").read_text()
_SEALS_SINCE = (_SQL / "seals_since.sql").read_text()
_HEAD = "SELECT number || ':' || encode(hash, 'hex') FROM wallet_seal ORDER BY number DESC LIMIT 1"
_NO_END = 2**63 - 1
# Statements of other apps, which know what their accounts should hold.
_more: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class LedgerFinding:
    check: str
    subject: str


@dataclass(frozen=True, slots=True)
class CurrencyTotal:
    """The number of accounts in a currency, and the sum of all balances above zero (`circulating`)."""

    currency: str
    accounts: int
    circulating: int


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """The result of a check. `head` is the newest seal checked, "number:hash", or "" if nothing is sealed yet."""

    totals: tuple[CurrencyTotal, ...]
    findings: tuple[LedgerFinding, ...]
    head: str


@dataclass(frozen=True, slots=True)
class SealedChain:
    findings: tuple[LedgerFinding, ...]
    head: str


def add_checks(*, name: str, path: Path) -> None:
    """Have every check also run the SQL statement in this file. Its rows are (finding, subject)."""
    _more[name] = path.read_text()


def reconcile(
    *, since: LedgerSeal | None = None, until: LedgerSeal | None = None
) -> Reconciliation:
    """Return all findings and each currency's totals, all from one snapshot.

    With `since`, skip the history up to this seal, which an earlier check found sound. With `until`, a later
    seal, leave the transfers after it to the next check; this seal becomes the `head`. `until` needs `since`.
    """
    with _open_snapshot() as cursor:
        rows = _fetch_rows(cursor, _ACCOUNTS)
        for statement in (_CHECKS, _SEALS) if since is None else (_CHECKS_SINCE, _SEALS_SINCE):
            rows += _fetch_rows(cursor, _bound_statement(statement, since, until))
        for statement in (*_more.values(), check_of_references()):
            rows += _fetch_rows(cursor, statement)
        head = _fetch_head(cursor) if until is None else str(until)
    return Reconciliation(
        totals=tuple(_total(subject) for check, subject in sorted(rows) if check == "total"),
        findings=tuple(LedgerFinding(*row) for row in rows if row[0] != "total"),
        head=head,
    )


def _bound_statement(statement: str, since: LedgerSeal | None, until: LedgerSeal | None) -> str:
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
    """Verify only the chain of seals, by recomputing it from the ledger's rows."""
    with _open_snapshot() as cursor:
        return SealedChain(
            findings=tuple(LedgerFinding(*row) for row in _fetch_rows(cursor, _SEALS)),
            head=_fetch_head(cursor),
        )


@contextmanager
def _open_snapshot() -> Iterator[CursorWrapper]:
    """Open a cursor whose statements all see one snapshot."""
    is_first = not connection.in_atomic_block
    with transaction.atomic(), connection.cursor() as cursor:
        if is_first:  # a transaction that has begun keeps its level
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        # A large ledger needs more time than a page request may take.
        cursor.execute("SET LOCAL statement_timeout = '50min'")
        cursor.execute("SET LOCAL work_mem = '64MB'")
        yield cursor


def _fetch_rows(cursor: CursorWrapper, statement: str) -> list[tuple[str, str]]:
    cursor.execute(statement)
    rows: list[tuple[str, str]] = cursor.fetchall()
    return rows


def _fetch_head(cursor: CursorWrapper) -> str:
    cursor.execute(_HEAD)
    row = cursor.fetchone()
    return "" if row is None else str(row[0])


def _total(text: str) -> CurrencyTotal:
    currency, accounts, circulating = text.split("|")
    return CurrencyTotal(currency, int(accounts), int(circulating or 0))


def get_last_ledger_check() -> LedgerCheck | None:
    return LedgerCheck.objects.order_by("-checked_at", "-pk").first()


def ledger_is_sound() -> bool:
    """Return whether the newest check found nothing. A ledger that was never checked is sound."""
    last = get_last_ledger_check()
    return last is None or not last.found


def refuse_while_frozen() -> None:
    """Raise WithdrawalsFrozen while the newest check has findings."""
    if not ledger_is_sound():
        raise WithdrawalsFrozen


log = logging.getLogger(__name__)

SEALED_AT_ONCE = 1_000
_BATCHES = 100
_FINDINGS_KEPT = 50
# A part of this many transfers takes a few of the fifty minutes that a statement may run. The next run continues
# where this one ends.
CHECKED_AT_ONCE = 1_000_000
SECONDS_A_RUN = 3_000


def seal_ledger() -> int:
    """Seal the transfers that can be sealed now. Return how many.

    Concurrent calls seal each transfer once. The next call seals the rest.
    """
    sealed = 0
    for _batch in range(_BATCHES):
        with connection.cursor() as cursor:
            cursor.execute("SELECT ledger_seal(%s)", [SEALED_AT_ONCE])
            (transfers,) = cursor.fetchone()
        if not transfers:
            break
        sealed += transfers
    return sealed


def check_ledger() -> Reconciliation:
    """Check the whole ledger and store the result.

    Findings stop withdrawals and fail /ledgerz until a later check finds nothing. The newest seal is logged,
    so that a copy of the seal can be kept outside the database.
    """
    return _store(reconcile())


def check_recent() -> Reconciliation:
    """Check the transfers since the previous check, in parts if there are many.

    Return the result of the last part checked. If the previous check has findings, check the whole ledger,
    because a shorter check could miss them. Also check the whole ledger if there is no seal to begin at. The next call
    continues after the last complete part.
    """
    stops = time.monotonic() + SECONDS_A_RUN
    while True:
        since = _get_last_sound_seal()
        until = None if since is None else _end_of_part(since)
        result = _store(reconcile(since=since, until=until))
        if until is None or result.findings or time.monotonic() > stops:
            return result


def _end_of_part(since: LedgerSeal) -> LedgerSeal | None:
    """Return the seal at which the next part ends, or None if the remaining transfers fit into one part."""
    later = LedgerSeal.objects.filter(number__gt=since.number).order_by("-number")
    last = since.last_transfer_id + CHECKED_AT_ONCE
    if not later.filter(last_transfer_id__gt=last).exists():
        return None
    return later.filter(last_transfer_id__lte=last).first() or later.last()


def _get_last_sound_seal() -> LedgerSeal | None:
    last = LedgerCheck.objects.order_by("-checked_at", "-pk").first()
    if last is None or last.found or not last.head:
        return None
    number, _colon, hash_ = last.head.partition(":")
    return LedgerSeal.objects.filter(number=int(number), hash=bytes.fromhex(hash_)).first()


def is_in_the_chain(number: int, head: str) -> bool:
    """Return whether seal `number` exists and `head` is its text, "number:hash". `head` may be any text."""
    seal = LedgerSeal.objects.filter(number=number).first()
    return seal is not None and str(seal) == head


def _store(result: Reconciliation) -> Reconciliation:
    LedgerCheck.objects.create(
        found=len(result.findings),
        findings=[asdict(finding) for finding in result.findings[:_FINDINGS_KEPT]],
        head=result.head,
    )
    for finding in result.findings:
        log.error("ledger: %s: %s", finding.check, finding.subject)
    log.info("ledger checked: %s findings, last seal %s", len(result.findings), result.head)
    return result
