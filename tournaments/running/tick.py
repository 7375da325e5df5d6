"""The tick: it takes the steps that are due, one tournament at a time.

Any number of workers may run it at any time. Each step locks its tournament, asks its format for the next
step (tournaments/rules/format.py), and acts in its own transaction. A worker that dies midway has changed
nothing.
"""

import gc
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from core.site.notices import play_rests
from tables.play.lock import DATABASE_FAILED
from tournaments.models import (
    Entrant,
    EntrantState,
    Round,
    RoundTable,
    Tournament,
    TournamentTemplate,
)
from tournaments.registration.services import promote_waiting
from tournaments.rules.lifecycle import Due, LifecycleStatus
from tournaments.rules.steps import Advance, EndRound, Step
from tournaments.running.cancelling import filter_being_wound_up, wind_up
from tournaments.running.finishing import finish
from tournaments.running.progress import StoredProgress
from tournaments.running.rounds import advance, end_round, seat_latecomers, start, start_round
from tournaments.running.scheduling import is_behind, list_announced_starts, make_scheduled
from tournaments.store.announcements import announce_change
from tournaments.store.rows import lock_if_free, set_status

logger = logging.getLogger(__name__)

# Steps of one tournament in one tick; the next tick continues.
_MOST_STEPS = 6
# Seconds of one tick for winding up a cancelled tournament.
_SECONDS_TO_WIND_UP = 3


def tick() -> int:
    """Take every due step. Return the number of tournaments that changed."""
    return len({*_make_all(), *_act_on_all(), *_wind_up_all()})


def _wind_up_all() -> list[int]:
    """Wind up cancelled tournaments. Return the ids of the tournaments that changed, one for each step.

    The tick does this last, because nobody waits for it.
    """
    cancelled = filter_being_wound_up(Tournament.objects.all()).order_by("ended_at")
    changed: list[int] = []
    for pk in cancelled.values_list("pk", flat=True):
        until = time.monotonic() + _SECONDS_TO_WIND_UP
        try:
            while time.monotonic() < until and wind_up(pk, now=timezone.now()):
                changed.append(pk)
        except Exception:  # the next tick goes on; one does not stop the others
            logger.exception("tournament %s could not be wound up", pk)
    return changed


def _make_all() -> list[int]:
    """Create the tournaments of all schedules and return their ids. A failing template does not stop the others."""
    now = timezone.now()
    announced = list_announced_starts(now=now)
    open_ones = TournamentTemplate.objects.filter(is_open=True).exclude(schedule="")
    made: list[int] = []
    for template in open_ones.order_by("pk"):
        try:
            if is_behind(template, announced, now=now):
                some = make_scheduled(template_id=template.pk, now=timezone.now())
                made += [tournament.pk for tournament in some]
        except Exception:  # a tick's loop: the next template has its turn
            logger.exception("template %s: no tournament could be made", template.pk)
    return made


def list_due_tournaments(now: datetime) -> list[int]:
    """Return the ids of tournaments that may have a due step, longest overdue first."""
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
    ready = _filter_active(Tournament.objects.all())
    if play_rests(now=now):  # running tournaments go on to their end
        ready = ready.exclude(status__in=[LifecycleStatus.ANNOUNCED, LifecycleStatus.REGISTERING])
    return list(
        ready.filter(
            Q(due_at__lte=now)
            | (
                Q(status=LifecycleStatus.PLAYING)
                & (Exists(played_out) | Exists(to_resolve) | Exists(latecomers))
            )
            | (
                Q(status__in=[LifecycleStatus.REGISTERING, LifecycleStatus.PLAYING])
                & Exists(waiting)
            )
        )
        .order_by("due_at", "pk")
        .values_list("pk", flat=True)
    )


def _filter_active(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    return tournaments.filter(paused_at=None, broken_at=None).exclude(
        status__in=[LifecycleStatus.FINISHED, LifecycleStatus.CANCELLED]
    )


def _act_on_all() -> list[int]:
    changed: list[int] = []
    for pk in list_due_tournaments(timezone.now()):
        try:
            if _act_on(pk):
                changed.append(pk)
        except (
            DATABASE_FAILED
        ):  # the database failed, not the tournament: the next tick tries again
            logger.exception("tournament %s: its step was interrupted", pk)
        except Exception as error:  # one broken tournament does not stop the others
            logger.exception("tournament %s is out of order", pk)
            _mark_broken(pk, error)
            changed.append(pk)
    return changed


def _act_on(tournament_id: int) -> bool:
    steps = 0
    while steps < _MOST_STEPS and act_on_tournament(tournament_id):
        steps += 1
    return bool(promote_waiting(tournament_id=tournament_id, now=timezone.now())) or steps > 0


def act_on_tournament(tournament_id: int) -> bool:
    """Take the one step that is due.

    Return False if no step is due, or if another worker has locked the tournament.
    """
    with _pause_collector(), transaction.atomic():
        tournament = lock_if_free(tournament_id)
        if tournament is None or tournament.broken_at is not None:
            return False
        now = timezone.now()
        step = tournament.format_rules.next(StoredProgress(tournament, now))
        if step is None:
            return False
        _take(tournament, step, now=now)
        announce_change(tournament_id)
        return True


@contextmanager
def _pause_collector() -> Iterator[None]:
    """Pause Python's garbage collector for a step.

    A step with many entrants creates millions of objects that are all in use. With 50,000 entrants,
    traversing them again and again would take half of the time. A worker process has little else to collect.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _take(tournament: Tournament, step: Step, *, now: datetime) -> None:
    if isinstance(step, EndRound):
        end_round(tournament, step, now=now)
    elif isinstance(step, Advance):
        advance(tournament, step, now=now)
    else:
        _STEPS[step](tournament, now=now)


def _open_registration(tournament: Tournament, *, now: datetime) -> None:
    set_status(tournament, LifecycleStatus.REGISTERING, now=now)


def _finish_with_the_last_player(tournament: Tournament, *, now: datetime) -> None:
    """Rank the remaining player, if any, above all others, and end the tournament."""
    for winner in tournament.entrants.filter(state=EntrantState.PLAYING):
        winner.state, winner.round_out = EntrantState.OUT, tournament.round_number + 1
        winner.save()
    finish(tournament, now=now)


# For the other states a format returns `EndRound` or `Advance`, as it decides who advances.
_STEPS: Final[Mapping[Due, Callable[..., None]]] = {
    Due.OPEN_REGISTRATION: _open_registration,
    Due.START: start,
    Due.SEAT_LATECOMERS: seat_latecomers,
    Due.START_ROUND: start_round,
    Due.FINISH: _finish_with_the_last_player,
}


def _mark_broken(tournament_id: int, error: Exception) -> None:
    """Mark a tournament as broken. No step is taken until staff have repaired and resumed it."""
    with transaction.atomic():
        Tournament.objects.filter(pk=tournament_id).update(
            broken_at=timezone.now(), broken_reason=f"{type(error).__name__}: {error}"
        )
        announce_change(tournament_id)
