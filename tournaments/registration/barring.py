"""Withdrawing frozen or self-excluded players from tournaments in which they do not play yet (R10.8)."""

from django.db import transaction
from django.db.models import Q

from tournaments.models import Entrant, EntrantState, Tournament
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.store.announcements import announce_change
from tournaments.store.fees import give_back
from tournaments.store.rows import lock_tournament
from wallet.api import is_of_barred

_NOT_PLAYING_YET = (EntrantState.REGISTERED, EntrantState.WAITING)


def list_tournaments_of_barred(*, user_id: int | None = None) -> list[int]:
    """Return the ids of tournaments in which barred players are registered or on the waiting list.

    With `user_id`, only this player is considered.
    """
    who = is_of_barred() if user_id is None else is_of_barred() & Q(user=user_id)
    entered = Entrant.objects.filter(who, state__in=_NOT_PLAYING_YET).exclude(
        tournament__status__in=[LifecycleStatus.FINISHED, LifecycleStatus.CANCELLED]
    )
    return sorted(set(entered.values_list("tournament", flat=True)))


@transaction.atomic
def release_barred(tournament_id: int) -> bool:
    """Withdraw barred entrants with a full refund, including late entrants without a seat.

    Return whether there were any.
    """
    tournament = lock_tournament(tournament_id)
    if tournament.is_over or not withdraw_barred(tournament):
        return False
    announce_change(tournament_id)
    return True


def withdraw_barred(tournament: Tournament) -> int:
    """Withdraw barred players. Return how many were withdrawn. The caller holds the tournament's lock."""
    entered = tournament.entrants.filter(is_of_barred(), state__in=_NOT_PLAYING_YET)
    # Sorted, so that two tournaments pay the same people in the same order.
    entrants = list(entered.order_by("user_id"))
    for entrant in entrants:
        if entrant.state == EntrantState.REGISTERED:
            give_back(tournament, entrant)
            tournament.seats_taken -= 1
        entrant.state = EntrantState.WITHDRAWN
        entrant.save()
    if entrants:
        tournament.save(update_fields=["seats_taken"])
    return len(entrants)
