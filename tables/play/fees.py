"""The fee of a table that stands: always that of its next match, and told before it begins.

Operators change fees while tables are open. A table without a running match takes the new one with
a message and time to leave; a match keeps the fee that it began with. Tables of an event have none
of their own: a tournament keeps the terms that people registered under. A lesson is free.
"""

from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from tables.models import Table, TableStatus
from tables.models.table import BETWEEN_MATCHES
from tables.play.delays import FEE_PAUSE
from tables.play.locks import CommittedChange, LockedTable, lock_table
from tables.play.occupancy import save_seating
from wallet.fees.selectors import FeeTerms, fee_for, fees_at
from wallet.money import Currency
from wallet.refusals import NoFeeSchedule

_OF_A_FEE = ("game", "format", "currency", "point_value", "entry_fee", "rake_bps", "rake_cap")


def tables_with_old_fee() -> list[int]:
    """Tables that may take another fee now."""
    old = Q()
    fee_of = fees_at(timezone.now())
    for facts in _between_matches().order_by().values(*_OF_A_FEE).distinct():
        table = Table(**facts)
        stake = table.point_value or table.entry_fee
        fee = fee_of(table.game, table.format, Currency(table.currency), stake)
        if fee is not None and _differs(table, fee):
            old |= Q(**facts)
    if not old.children:
        return []
    return list(_between_matches().filter(old).order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def follow_fee(table_id: int) -> CommittedChange | None:
    """Take the fee of now; None if it is the same, a match runs, or somebody else is at it."""
    table = lock_table(table_id, skip_locked=True)
    if table is None or table.status in {TableStatus.PLAYING, TableStatus.CLOSED}:
        return None
    return take_new_fee(table, Table.objects.get(pk=table_id))


def take_new_fee(table: LockedTable, row: Table) -> CommittedChange | None:
    """Give a table the current fee and announce it. Returns None if it has that fee already.

    A match that was about to begin waits for players who want to leave. The caller has locked the
    table, and no match runs at it. If no fee is set any more, the old one stays until there is a
    new one.
    """
    fee = None if row.is_of_event or row.is_lesson else _fee_of(row)
    if fee is None or not _differs(row, fee):
        return None
    row.rake_bps, row.rake_cap = fee.rake_bps, fee.rake_cap
    Table.objects.filter(pk=row.pk).update(rake_bps=fee.rake_bps, rake_cap=fee.rake_cap)
    if table.deadline is not None:
        table.set_deadline(max(table.deadline, table.now + FEE_PAUSE))
    event: dict[str, Any] = {
        "kind": "fee_changed",
        "rake_bps": fee.rake_bps,
        "rake_cap": fee.rake_cap,
    }
    return save_seating(table, row, [event])


def _between_matches() -> QuerySet[Table]:
    return Table.objects.filter(BETWEEN_MATCHES, is_lesson=False)


def _fee_of(row: Table) -> FeeTerms | None:
    try:
        return fee_for(
            game=row.game,
            format=row.format,
            currency=Currency(row.currency),
            stake=row.point_value or row.entry_fee,
            at=timezone.now(),
        )
    except NoFeeSchedule:
        return None


def _differs(row: Table, fee: FeeTerms) -> bool:
    return (row.rake_bps, row.rake_cap) != (fee.rake_bps, fee.rake_cap)
