"""The signals of tables and people that tournaments react to."""

from functools import partial
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from accounts.people.closing import player_barred
from games.engine.base import Result
from tables.play.finish import match_finished
from tournaments.core import bulk
from tournaments.core.after_commit import Announcement, together
from tournaments.live.broadcast import announce_from_thread
from tournaments.models import RoundTable
from tournaments.running.barring import let_barred_go, tournaments_of_barred


def take_result(match_id: int, table_id: int, result: Result, **_signal: Any) -> None:
    """The result of a table, in the transaction of its last move; the tick does what follows."""
    round_table = RoundTable.objects.select_related("round").filter(table_id=table_id).first()
    if round_table is None:
        return
    RoundTable.objects.filter(pk=round_table.pk).update(match_id=match_id, ended_at=Now())
    bulk.give_results(
        round_table.pk,
        [(chair, rank, result.scores.get(chair, 0)) for chair, rank in result.ranks.items()],
    )
    announcement = Announcement(changed=(round_table.round.tournament_id,))
    # A hint: the move that ended the match stands without it.
    transaction.on_commit(partial(announce_from_thread, announcement), robust=True)


def withdraw(user_id: int, **_signal: Any) -> None:
    """Withdraw a player who may no longer play. The tick repeats what fails here."""
    ids = tournaments_of_barred(user_id=user_id)
    announce_from_thread(together([let_barred_go(tournament_id) for tournament_id in ids]))


def connect() -> None:
    match_finished.connect(take_result)
    player_barred.connect(withdraw, dispatch_uid="tournaments.withdraw")
