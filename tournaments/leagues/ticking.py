"""The tick of leagues: it updates standings, announces the next league and pays the prizes.

As for tournaments, each step locks its row, checks again and acts in one transaction. Any number of workers
may run it, and a worker may die at any point.
"""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from tables.play.lock import DATABASE_FAILED
from tournaments.leagues.settling import end_now, follow, lock_league, settle
from tournaments.leagues.standings import draw_standings
from tournaments.models import League

logger = logging.getLogger(__name__)

# Largest age of the standings while matches may still count.
DRAWN_EVERY = timedelta(minutes=1)


def act_on_leagues() -> int:
    """Take the due steps of all leagues. Return the number of leagues changed."""
    changed = 0
    for pk in list_due_leagues(timezone.now()):
        try:
            changed += act_on_league(pk)
        except DATABASE_FAILED:  # the database failed, not the league: the next tick tries again
            logger.exception("league %s: its step was interrupted", pk)
        except Exception as error:  # one broken league does not stop the others
            logger.exception("league %s is out of order", pk)
            _mark_broken(pk, error)
            changed += 1
    return changed


def list_due_leagues(now: datetime) -> list[int]:
    """Return the ids of running leagues whose standings are outdated or whose prizes are due."""
    begun = League.objects.filter(
        settled_at=None, cancelled_at=None, broken_at=None, starts_at__lte=now
    )
    old = Q(drawn_at=None) | Q(drawn_at__lte=now - DRAWN_EVERY)
    due = begun.filter(old | Q(settles_at__lte=now))
    return list(
        due.order_by(F("drawn_at").asc(nulls_first=True), "pk").values_list("pk", flat=True)
    )


@transaction.atomic
def act_on_league(league_id: int) -> bool:
    """Take the due step of a league. Return False if it is over or broken, or if another worker has locked it."""
    league = lock_league(league_id)
    if league is None or league.broken_at is not None:
        return False
    now = timezone.now()
    follow(league)
    if now >= league.settles_at:
        settle(league, now=now)
    elif league.club is not None and not league.club.is_open:
        end_now(league, now=now)
    else:
        draw_standings(league, now=now)
    return True


def _mark_broken(league_id: int, error: Exception) -> None:
    """Mark a league as broken. Nothing happens in it until staff have repaired and resumed it."""
    League.objects.filter(pk=league_id).update(
        broken_at=timezone.now(), broken_reason=f"{type(error).__name__}: {error}"
    )
