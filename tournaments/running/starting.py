"""From registration to the first round, or to a cancellation."""

from datetime import datetime, timedelta

from tournaments.core import bulk
from tournaments.core.after_commit import Announcement
from tournaments.core.randomness import chance_of
from tournaments.core.state import set_status
from tournaments.core.texts import TOO_FEW
from tournaments.models import EntrantState, Tournament
from tournaments.registration.services import end_waiting
from tournaments.rules.lifecycle import Status
from tournaments.running.barring import withdraw_barred
from tournaments.running.bots import let_bots_in
from tournaments.running.cancelling import call_off
from tournaments.running.rounds import begin_round


def start(tournament: Tournament, *, now: datetime) -> Announcement:
    """R10.3: with too few players everybody is refunded, else they are drawn and seated.

    The caller holds the tournament's lock.
    """
    withdraw_barred(tournament)
    let_bots_in(tournament)
    entrants = list(
        tournament.entrants.filter(state=EntrantState.REGISTERED)
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    if len(entrants) < tournament.min_entrants:
        return call_off(tournament, now=now, reason=TOO_FEW)
    places = tournament.format_rules.draw(len(entrants), rng=chance_of(tournament, "draw"))
    bulk.give_seedings(zip(entrants, places, strict=True))
    tournament.started_at = now
    if tournament.late_seconds:
        tournament.late_until = now + timedelta(seconds=tournament.late_seconds)
    else:
        end_waiting(tournament)
    announcement = begin_round(tournament, now=now)
    set_status(tournament, Status.PLAYING, now=now)
    return announcement
