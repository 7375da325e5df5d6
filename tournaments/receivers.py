"""Receivers of signals from tables and accounts."""

from typing import Any

from django.db.models.functions import Now

from accounts.people.bot_accounts import becoming_bot
from accounts.people.closing import player_barred
from accounts.refusals import NoBotAccount
from games.engine.base import Result
from games.registry import get_game
from tables.models import Table
from tables.play.finish import match_finished
from tournaments.models import Entrant, RoundTable
from tournaments.registration.barring import list_tournaments_of_barred, release_barred
from tournaments.store import rows
from tournaments.store.announcements import announce_change


def take_result(match_id: int, table_id: int, result: Result, **_signal: Any) -> None:
    """Store a table's result in the transaction of its last move. The tick acts on it later."""
    round_table = RoundTable.objects.select_related("round").filter(table_id=table_id).first()
    if round_table is None:
        return
    RoundTable.objects.filter(pk=round_table.pk).update(match_id=match_id, ended_at=Now())
    is_pool = _is_pool(table_id)
    rows.give_results(
        round_table.pk,
        [
            (chair, rank, None, result.points[chair])
            if is_pool
            else (chair, rank, result.scores.get(chair, 0), None)
            for chair, rank in result.ranks.items()
        ],
    )
    announce_change(round_table.round.tournament_id)


def _is_pool(table_id: int) -> bool:
    """Return whether the table's match ends by elimination, as in pool rummy (R10.13)."""
    code, rules = Table.objects.values_list("game", "rules").get(pk=table_id)
    game = get_game(code)
    return game.money.find_exit_score(game.rules.load(rules)) is not None


def withdraw(user_id: int, **_signal: Any) -> None:
    """Withdraw a barred player from all tournaments in which they do not play yet. The tick repeats failed attempts."""
    for tournament_id in list_tournaments_of_barred(user_id=user_id):
        release_barred(tournament_id)


def refuse_entrant(user_id: int, **_signal: Any) -> None:
    """Raise NoBotAccount if the account has ever entered a tournament: it cannot become a BOT account."""
    if Entrant.objects.filter(user=user_id).exists():
        raise NoBotAccount


def connect() -> None:
    becoming_bot.connect(refuse_entrant, dispatch_uid="tournaments.refuse_entrant")
    match_finished.connect(take_result)
    player_barred.connect(withdraw, dispatch_uid="tournaments.withdraw")
