"""The host of a private table decides when its first match begins."""

from django.db import transaction

from tables.models import Table, TableStatus
from tables.play.change import Change
from tables.play.lock import lock_table
from tables.play.seat_view import host_of
from tables.play.seats import LEAST_PLAYERS, save_seating
from tables.play.start import start_by_host
from tables.refusals import (
    MatchRunning,
    NotSeated,
    NotTheHost,
    TableNotFound,
    TableOutOfOrder,
    TooFewPlayers,
)


@transaction.atomic
def start_table(*, table_id: int, user_id: int) -> Change:
    """Start the first match of a private table in a few seconds, with the players who are there.

    Raises TableNotFound, TableOutOfOrder, NotSeated, NotTheHost, MatchRunning or TooFewPlayers; then
    nothing has changed.
    """
    table = lock_table(table_id, user_id=user_id)
    row = Table.objects.get(pk=table_id) if table is not None else None
    if table is None or row is None or not row.is_hosted:
        raise TableNotFound
    if table.is_broken:
        raise TableOutOfOrder
    if table.seat is None:
        raise NotSeated
    sittings = list(row.sittings.filter(left_at__isnull=True).select_related("user"))
    host = host_of(row, sittings)
    if host is None or host.user_id != user_id:
        raise NotTheHost
    if row.status != TableStatus.WAITING:
        raise MatchRunning
    if len(sittings) < LEAST_PLAYERS:
        raise TooFewPlayers
    start_by_host(table, row)
    return save_seating(table, row, [{"kind": "starting"}])
