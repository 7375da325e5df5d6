"""Checks of the database that must hold after any fault. Of the clients, only acknowledged moves are used."""

from collections.abc import Iterable, Sequence

from django.db import connection, transaction

from bench.chaos.players import Player
from tables.models import Change, Match, Table, TableFault, TableStatus
from tests.tables.replaying import replay
from wallet.ledger.checks import reconcile


def check(players: Sequence[Player]) -> list[str]:
    """Return a sentence for each problem found; none if all is well."""
    try:
        faults = TableFault.objects.filter(resolved_at=None)
        return [
            *_moves(players),
            *_replays(players),
            *(f"ledger: {one.check}: {one.subject}" for one in reconcile().findings),
            *(f"table {one.table_id} is out of order: {one.error}" for one in faults),
            *(f"secret: {secret}" for player in players for secret in player.secrets),
        ]
    finally:
        connection.close()


def _moves(players: Iterable[Player]) -> list[str]:
    wrong = []
    for player in players:
        stored: dict[str, list[int | None]] = {}
        acked = list(player.acked)  # the player plays on meanwhile
        ids = [move_id for move_id, _ in acked]
        rows = Change.objects.filter(table_id=player.table_id, move_id__in=ids)
        for stored_id, version in rows.values_list("move_id", "version"):
            stored.setdefault(str(stored_id), []).append(version)
        for move_id, answered in acked:
            found = stored.get(move_id)
            if found is None:
                wrong.append(f"lost: move {move_id}, acknowledged as version {answered}")
            elif found != [answered]:
                wrong.append(f"doubled: move {move_id} of version {answered} is stored as {found}")
        versions = [answered for _, answered in acked]
        if versions != sorted(versions):
            wrong.append(f"table {player.table_id}: moves acknowledged out of order")
    return wrong


def _replays(players: Iterable[Player]) -> list[str]:
    wrong = []
    for table_id in sorted({player.table_id for player in players}):
        with transaction.atomic():
            table = Table.objects.select_for_update(no_key=True).get(pk=table_id)
            if table.state is None or table.status != TableStatus.PLAYING:
                continue
            match = Match.objects.select_related("table").get(pk=table.match_id or 0)
            if replay(match) != bytes(table.state):
                wrong.append(f"table {table_id}: match {match.pk} replays to another state")
    return wrong
