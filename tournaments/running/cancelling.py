"""Calling a tournament off: at once for everybody who looks at it, and then in small steps.

Thousands of tables and refunds take their time, and every one of them is a row that somebody else
may want. So the tournament is marked first; the tick ends its tables and gives fees back a few at a
time (`wind_up`), until `wound_up_at` says that nothing is left to do.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from tables.seating.events import call_off_event_table, clear_event_tables
from tournaments.core.after_commit import Announcement
from tournaments.core.charging import free_tickets, give_some_back
from tournaments.core.locks import lock_if_free, lock_tournament
from tournaments.core.state import set_status
from tournaments.models import EntrantState, Round, RoundTable, Tournament
from tournaments.refusals import TournamentOver
from tournaments.rules.lifecycle import Status
from tournaments.running.telling import tell_of_cancelling

# What one transaction does: short enough for those who wait for one of the rows.
TABLES_AT_A_TIME = 10
REFUNDS_AT_A_TIME = 500
PEOPLE_AT_A_TIME = 200


@transaction.atomic
def cancel(*, tournament_id: int, now: datetime, reason: str) -> Announcement:
    """Raises TournamentOver; then nothing has changed."""
    tournament = lock_tournament(tournament_id)
    if tournament.is_over:
        raise TournamentOver
    return call_off(tournament, now=now, reason=reason)


def call_off(tournament: Tournament, *, now: datetime, reason: str) -> Announcement:
    """From here on nobody enters, and nothing begins. The caller holds the lock."""
    tournament.cancel_reason = reason
    tournament.ended_at = now
    tournament.paused_at = None
    tournament.broken_at, tournament.broken_reason = None, ""
    set_status(tournament, Status.CANCELLED, now=now)
    return Announcement(changed=(tournament.pk,))


def being_wound_up(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Cancelled, with tables to end or fees to give back."""
    return tournaments.filter(Q(status=Status.CANCELLED, wound_up_at=None))


@transaction.atomic
def wind_up(tournament_id: int, *, now: datetime) -> Announcement | None:
    """One step of what a cancelled tournament leaves to do; None if nothing can be done now.

    A table that somebody holds is left to a later step. Safe to run any number of times.
    """
    tournament = lock_if_free(tournament_id)
    if tournament is None or tournament.wound_up_at is not None:
        return None
    running = RoundTable.objects.filter(round__tournament=tournament, ended_at=None)
    if running.exists():
        return _end_tables(tournament, running, now)
    if give_some_back(tournament, at_most=REFUNDS_AT_A_TIME):
        return Announcement(changed=(tournament.pk,))
    if not _let_some_go(tournament):
        _clear(tournament, now)
    return Announcement(changed=(tournament.pk,))


def _end_tables(
    tournament: Tournament, running: QuerySet[RoundTable], now: datetime
) -> Announcement | None:
    """End the tables of a cancelled tournament. Returns None if all that are left are held."""
    ended = []
    for pk, table_id in running.order_by("table_id").values_list("pk", "table_id"):
        if not call_off_event_table(table_id, skip_locked=True):
            continue
        ended.append(pk)
        if len(ended) == TABLES_AT_A_TIME:
            break
    RoundTable.objects.filter(pk__in=ended).update(ended_at=now)
    return Announcement(changed=(tournament.pk,)) if ended else None


def _let_some_go(tournament: Tournament) -> bool:
    """Tell people that it was cancelled, each once; False if everybody knows it.

    Who was out already had paid, too.
    """
    staying = Q(state__in=[EntrantState.REGISTERED, EntrantState.PLAYING, EntrantState.WAITING])
    entrants = list(
        tournament.entrants.filter(staying | Q(payments__gt=0))
        .select_related("user")
        .order_by("pk")[:PEOPLE_AT_A_TIME]
    )
    tell_of_cancelling(tournament, entrants)
    told = tournament.entrants.filter(pk__in=[entrant.pk for entrant in entrants])
    free_tickets(told)
    told.filter(staying).update(state=EntrantState.WITHDRAWN)
    return bool(entrants)


def _clear(tournament: Tournament, now: datetime) -> None:
    """Every table is closed, every fee is back, everybody knows: nothing is left to do."""
    rounds = Round.objects.filter(tournament=tournament, ended_at=None)
    clear_event_tables(
        list(RoundTable.objects.filter(round__in=rounds).values_list("table_id", flat=True))
    )
    rounds.update(ended_at=now)
    tournament.wound_up_at = now
    tournament.save(update_fields=["wound_up_at"])
