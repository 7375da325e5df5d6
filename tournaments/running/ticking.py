"""The tick: look at the database and do what is due, one tournament at a time.

Any number of workers may run it, any number of times. Each step locks its tournament, looks again
and acts in a transaction of its own: a worker that dies halfway has done nothing.
"""

import logging
import time
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from core.site.notices import play_rests
from tables.play.lock import DATABASE_FAILED
from tournaments.core import bulk
from tournaments.core.after_commit import Announcement, together
from tournaments.core.locks import lock_if_free
from tournaments.core.state import set_status, state_of
from tournaments.models import (
    Entrant,
    EntrantState,
    Round,
    RoundTable,
    Tournament,
    TournamentTemplate,
)
from tournaments.registration.services import end_waiting, promote_waiting
from tournaments.rules.lifecycle import Due, Status, due
from tournaments.running.advancing import advance
from tournaments.running.cancelling import being_wound_up, wind_up
from tournaments.running.finishing import finish
from tournaments.running.rounds import begin_round, end_round, seat_latecomers
from tournaments.running.scheduling import announced_starts, is_behind, make_scheduled
from tournaments.running.starting import start

logger = logging.getLogger(__name__)

# A tournament takes this many steps in one tick at most; the next tick goes on.
_MOST_STEPS = 6
# A cancelled tournament keeps a tick for so long at most.
_SECONDS_TO_WIND_UP = 3


def tick() -> Announcement:
    """Everything that is due now."""
    return together([*_make_all(), *_act_on_all(), *_wind_up_all()])


def _wind_up_all() -> list[Announcement]:
    """Wind up cancelled tournaments, after everything that people wait for."""
    cancelled = being_wound_up(Tournament.objects.all()).order_by("ended_at")
    announcements: list[Announcement] = []
    for pk in cancelled.values_list("pk", flat=True):
        until = time.monotonic() + _SECONDS_TO_WIND_UP
        try:
            while time.monotonic() < until and (announcement := wind_up(pk, now=timezone.now())):
                announcements.append(announcement)
        except Exception:  # the next tick goes on; one does not stop the others
            logger.exception("tournament %s could not be wound up", pk)
    return announcements


def _make_all() -> list[Announcement]:
    """One template that cannot be followed does not stop the others."""
    now = timezone.now()
    announced = announced_starts(now=now)
    open_ones = TournamentTemplate.objects.filter(is_open=True).exclude(schedule="")
    announcements = []
    for template in open_ones.order_by("pk"):
        try:
            if not is_behind(template, announced, now=now):
                continue
            made = make_scheduled(template_id=template.pk, now=timezone.now())
        except Exception:  # a tick's loop: the next template has its turn
            logger.exception("template %s: no tournament could be made", template.pk)
        else:
            announcements.append(Announcement(changed=tuple(tournament.pk for tournament in made)))
    return announcements


def due_tournaments(now: datetime) -> list[int]:
    """Return the tournaments with a step that may be due, the longest overdue first."""
    open_tables = RoundTable.objects.filter(round=OuterRef("pk"), ended_at=None)
    played_out = Round.objects.filter(tournament=OuterRef("pk"), ended_at=None).filter(
        ~Exists(open_tables)
    )
    to_resolve = RoundTable.objects.filter(
        round__tournament=OuterRef("pk"),
        round__ended_at=None,
        ended_at__isnull=False,
        resolved_at=None,
    )
    in_list = Entrant.objects.filter(tournament=OuterRef("pk"))
    waiting = in_list.filter(state=EntrantState.WAITING)
    latecomers = in_list.filter(state=EntrantState.REGISTERED)
    ready = _in_order(Tournament.objects.all())
    if play_rests(now=now):  # what has begun goes on to its end
        ready = ready.exclude(status__in=[Status.ANNOUNCED, Status.REGISTERING])
    return list(
        ready.filter(
            Q(due_at__lte=now)
            | (
                Q(status=Status.PLAYING)
                & (Exists(played_out) | Exists(to_resolve) | Exists(latecomers))
            )
            | (Q(status__in=[Status.REGISTERING, Status.PLAYING]) & Exists(waiting))
        )
        .order_by("due_at", "pk")
        .values_list("pk", flat=True)
    )


def _in_order(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    return tournaments.filter(paused_at=None, broken_at=None).exclude(
        status__in=[Status.FINISHED, Status.CANCELLED]
    )


def _act_on_all() -> list[Announcement]:
    announcements = []
    for pk in due_tournaments(timezone.now()):
        try:
            announcements += _act_on(pk)
        except DATABASE_FAILED:  # nothing is wrong with it: the next tick tries again
            logger.exception("tournament %s: its step was interrupted", pk)
        except Exception as error:  # one broken tournament does not stop the others
            logger.exception("tournament %s is out of order", pk)
            announcements.append(_mark_broken(pk, error))
    return announcements


def _act_on(tournament_id: int) -> list[Announcement]:
    announcements = []
    for _ in range(_MOST_STEPS):
        announcement = act_on_tournament(tournament_id)
        if announcement is None:
            break
        announcements.append(announcement)
    if promote_waiting(tournament_id=tournament_id, now=timezone.now()):
        announcements.append(Announcement(changed=(tournament_id,)))
    return announcements


@bulk.uncollected()
@transaction.atomic
def act_on_tournament(tournament_id: int) -> Announcement | None:
    """Take the one step that is due. Returns None if there is none, or another worker is at it."""
    tournament = lock_if_free(tournament_id)
    if tournament is None or tournament.broken_at is not None:
        return None
    now = timezone.now()
    step = due(state_of(tournament, now=now))
    return None if step is None else _STEPS[step](tournament, now)


def _open_registration(tournament: Tournament, now: datetime) -> Announcement:
    set_status(tournament, Status.REGISTERING, now=now)
    return Announcement(changed=(tournament.pk,))


def _start(tournament: Tournament, now: datetime) -> Announcement:
    return start(tournament, now=now)


def _seat_latecomers(tournament: Tournament, now: datetime) -> Announcement:
    announcement = seat_latecomers(tournament, now=now)
    tournament.save()
    return announcement


def _end_round(tournament: Tournament, now: datetime) -> Announcement:
    """A break follows, or the end if nobody is left to play against."""
    end_waiting(tournament)
    round_ = Round.objects.get(tournament=tournament, ended_at=None)
    end_round(tournament, round_, now=now)
    left = tournament.entrants.filter(state=EntrantState.PLAYING).count()
    if round_.is_final or left == 0:
        return finish(tournament, now=now)
    tournament.next_round_at = now + timedelta(seconds=tournament.break_seconds)
    set_status(tournament, Status.BREAK, now=now)
    return Announcement(changed=(tournament.pk,))


def _start_round(tournament: Tournament, now: datetime) -> Announcement:
    left = list(tournament.entrants.filter(state=EntrantState.PLAYING))
    if len(left) <= 1:
        # The others were disqualified: the one who is left has won without a final.
        for winner in left:
            winner.state, winner.round_out = EntrantState.OUT, tournament.round_number + 1
            winner.save()
        return finish(tournament, now=now)
    announcement = begin_round(tournament, now=now)
    tournament.next_round_at = None
    set_status(tournament, Status.PLAYING, now=now)
    return announcement


def _advance(tournament: Tournament, now: datetime) -> Announcement:
    return advance(tournament, now=now)


_STEPS = {
    Due.OPEN_REGISTRATION: _open_registration,
    Due.START: _start,
    Due.SEAT_LATECOMERS: _seat_latecomers,
    Due.END_ROUND: _end_round,
    Due.START_ROUND: _start_round,
    Due.ADVANCE: _advance,
}


def _mark_broken(tournament_id: int, error: Exception) -> Announcement:
    """Mark a tournament as broken for staff. Nothing more is done with it until they have mended it."""
    Tournament.objects.filter(pk=tournament_id).update(
        broken_at=timezone.now(), broken_reason=f"{type(error).__name__}: {error}"
    )
    return Announcement(changed=(tournament_id,))
