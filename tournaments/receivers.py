"""What tournaments hear of the tables."""

from functools import partial
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from tables.games.base import Result
from tournaments import bulk
from tournaments.broadcast import announce_from_thread
from tournaments.models import RoundTable
from tournaments.news import News


def take_result(match_id: int, table_id: int, result: Result, **_signal: Any) -> None:
    """The result of a table, in the transaction of its last move; the tick does what follows."""
    round_table = RoundTable.objects.select_related("round").filter(table_id=table_id).first()
    if round_table is None:
        return
    RoundTable.objects.filter(pk=round_table.pk).update(match_id=match_id, ended_at=Now())
    bulk.give_results(
        round_table.pk,
        [(chair, rank, result.chips.get(chair, 0)) for chair, rank in result.ranks.items()],
    )
    changed = News(changed=(round_table.round.tournament_id,))
    # A hint: the move that ended the match stands, whatever becomes of it.
    transaction.on_commit(partial(announce_from_thread, changed), robust=True)
