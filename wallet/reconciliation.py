"""Does the ledger agree with itself?"""

from dataclasses import dataclass
from pathlib import Path

from django.db import connection, transaction

_CHECKS = (Path(__file__).parent / "sql" / "checks.sql").read_text()


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
    totals: tuple[CurrencyTotal, ...]
    findings: tuple[Finding, ...]


def reconcile() -> Reconciliation:
    """Everything that is off, and each currency's totals, all of one moment."""
    with transaction.atomic(), connection.cursor() as cursor:
        # The limit of a page request is not meant for this: a large ledger takes its time.
        cursor.execute("SET LOCAL statement_timeout = '10min'")
        cursor.execute(_CHECKS)
        rows: list[tuple[str, str]] = cursor.fetchall()
    return Reconciliation(
        totals=tuple(_total(subject) for check, subject in sorted(rows) if check == "total"),
        findings=tuple(Finding(*row) for row in rows if row[0] != "total"),
    )


def _total(text: str) -> CurrencyTotal:
    currency, accounts, circulating = text.split("|")
    return CurrencyTotal(currency, int(accounts), int(circulating or 0))
