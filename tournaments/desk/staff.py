"""Staff actions on a tournament."""

from datetime import datetime

from django.db import transaction

from core.refusals import Refusal
from tournaments.models import Entrant, EntrantState, Tournament
from tournaments.refusals import NOT_BEFORE_REGISTRATION, NOT_REGISTERED, TOURNAMENT_OVER
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.store.announcements import announce_change
from tournaments.store.rows import lock_tournament, record_due


@transaction.atomic
def pause(*, tournament_id: int, now: datetime) -> Tournament:
    """Pause a tournament: no step is taken until it is resumed. Deals in play continue.

    Raises TOURNAMENT_OVER.
    """
    tournament = _lock_running(tournament_id)
    if tournament.paused_at is None:
        tournament.paused_at = now
        record_due(tournament, now=now)
        tournament.save()
    announce_change(tournament_id)
    return tournament


@transaction.atomic
def resume(*, tournament_id: int, now: datetime) -> Tournament:
    """Resume a tournament. Everything still ahead is postponed by the length of the pause.

    It also resumes a broken tournament after its repair. Raises TOURNAMENT_OVER.
    """
    tournament = _lock_running(tournament_id)
    if tournament.paused_at is not None:
        _postpone(tournament, now=now)
    tournament.paused_at = None
    tournament.broken_at, tournament.broken_reason = None, ""
    record_due(tournament, now=now)
    tournament.save()
    announce_change(tournament_id)
    return tournament


def _postpone(tournament: Tournament, *, now: datetime) -> None:
    """Postpone the times that were still in the future when the pause began."""
    assert tournament.paused_at is not None  # noqa: S101 - asked for when it is resumed
    lasted = now - tournament.paused_at
    if tournament.started_at is None and tournament.starts_at > tournament.paused_at:
        tournament.starts_at += lasted
    if tournament.late_until is not None and tournament.late_until > tournament.paused_at:
        tournament.late_until += lasted
    if tournament.next_round_at is not None and tournament.next_round_at > tournament.paused_at:
        tournament.next_round_at += lasted


@transaction.atomic
def disqualify(*, tournament_id: int, user_id: int) -> Entrant:
    """Disqualify a player, who gets no rank and no prize. The fee stays in the prize pool.

    The player's turns at a running table time out. Raises NOT_REGISTERED or TOURNAMENT_OVER.
    """
    tournament = _lock_running(tournament_id)
    entrant = Entrant.objects.filter(tournament=tournament, user_id=user_id).first()
    if entrant is None or entrant.state in {EntrantState.WITHDRAWN, EntrantState.WAITING}:
        raise Refusal(NOT_REGISTERED)
    entrant.state = EntrantState.DISQUALIFIED
    entrant.save(update_fields=["state"])
    announce_change(tournament_id)
    return entrant


def _lock_running(tournament_id: int) -> Tournament:
    tournament = lock_tournament(tournament_id)
    if tournament.is_over:
        raise Refusal(TOURNAMENT_OVER)
    return tournament


@transaction.atomic
def change_terms(*, tournament: Tournament, now: datetime) -> Tournament:
    """Save changed terms of a tournament whose registration is not open yet. Raises NOT_BEFORE_REGISTRATION."""
    stored = lock_tournament(tournament.pk)
    if stored.status != LifecycleStatus.ANNOUNCED:
        raise Refusal(NOT_BEFORE_REGISTRATION)
    record_due(tournament, now=now)
    tournament.save()
    return tournament
