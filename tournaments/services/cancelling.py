"""Calling a tournament off: everybody gets everything back."""

from datetime import datetime

from django.db import transaction

from tables.services.events import call_off_event_table, clear_event_tables
from tournaments.lifecycle import Status
from tournaments.locks import lock_tournament
from tournaments.models import EntrantState, Round, RoundTable, Tournament
from tournaments.news import News
from tournaments.refusals import TournamentOver
from tournaments.services.charging import give_all_back
from tournaments.situations import set_status


@transaction.atomic
def cancel(*, tournament_id: int, now: datetime, reason: str) -> News:
    """Raises TournamentOver; then nothing has changed."""
    tournament = lock_tournament(tournament_id)
    if tournament.is_over:
        raise TournamentOver
    return call_off(tournament, now=now, reason=reason)


def call_off(tournament: Tournament, *, now: datetime, reason: str) -> News:
    """Refund every fee and ticket, and end what is being played. The caller holds the lock."""
    running = RoundTable.objects.filter(round__tournament=tournament, ended_at=None)
    # In one order everywhere, as each of them is locked.
    steps = [
        call_off_event_table(table_id)
        for table_id in running.order_by("table_id").values_list("table_id", flat=True)
    ]
    running.update(ended_at=now)
    rounds = Round.objects.filter(tournament=tournament, ended_at=None)
    clear_event_tables(
        list(RoundTable.objects.filter(round__in=rounds).values_list("table_id", flat=True))
    )
    rounds.update(ended_at=now)
    give_all_back(tournament)
    tournament.entrants.filter(
        state__in=[EntrantState.REGISTERED, EntrantState.PLAYING, EntrantState.WAITING]
    ).update(state=EntrantState.WITHDRAWN)
    tournament.cancel_reason = reason
    tournament.ended_at = now
    tournament.paused_at = None
    tournament.broken_at, tournament.broken_reason = None, ""
    set_status(tournament, Status.CANCELLED, now=now)
    return News(changed=(tournament.pk,), steps=tuple(step for step in steps if step is not None))
