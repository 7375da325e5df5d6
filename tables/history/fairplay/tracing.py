"""Every finished match is traced once: what its players did for each other (docs/fair-play.md).

A tick looks for matches that are not traced yet, so a lost one costs seconds. Several at one moment
share the work: a match that one of them has is passed over by the others.
"""

import logging
import time
from collections.abc import Collection, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from tables.games.fairplay import PairSums
from tables.games.registry import get_game
from tables.history.fairplay.sittings import forget_old_sittings, note_sittings
from tables.history.records import deal_record
from tables.models import Deal, Match, MatchStatus, MatchTrace

logger = logging.getLogger(__name__)

# Traces, and what is known of addresses and devices, are kept for so long.
KEPT: Final = timedelta(days=90)
_AT_ONCE: Final = 50
# Well within the time limit of a job; beat asks for the next one before that, so that up to four of
# them share what there is.
SECONDS_A_RUN: Final = 100

Pair = tuple[int, int]


def trace_matches() -> int:
    """Trace what has ended, oldest first; the number of matches."""
    traced = 0
    failed: set[int] = set()
    until = time.monotonic() + SECONDS_A_RUN
    while time.monotonic() < until and (ids := _next(failed)):
        for match_id in ids:
            try:
                traced += trace_match(match_id)
            except Exception:
                # One match must not keep the others; it is tried again by the next tick.
                logger.exception("match %s cannot be traced", match_id)
                failed.add(match_id)
            if time.monotonic() > until:
                break
    return traced


def _next(failed: Collection[int]) -> list[int]:
    ended = Match.objects.filter(
        status=MatchStatus.FINISHED, traced_at__isnull=True, ended_at__gt=timezone.now() - KEPT
    ).exclude(pk__in=failed)
    return list(ended.order_by("ended_at", "pk").values_list("pk", flat=True)[:_AT_ONCE])


def trace_match(match_id: int) -> bool:
    """Whether it was this call that traced it."""
    matches = Match.objects.select_related("table").defer("table__state", "table__next_seed")
    match = matches.get(pk=match_id)
    people = people_of(match)
    with transaction.atomic():
        taken = Match.objects.select_for_update(no_key=True, skip_locked=True).filter(
            pk=match_id, traced_at__isnull=True
        )
        if not taken.exists():
            return False
        sums = _sums(match) if len(set(people.values())) > 1 else {}
        MatchTrace.objects.bulk_create(_rows(match, people, sums))
        note_sittings(people.values())
        Match.objects.filter(pk=match_id).update(traced_at=Now())
    return True


def people_of(match: Match) -> dict[int, int]:
    """By seat the users, bots apart."""
    return {
        int(seat): player["user"] for seat, player in match.players.items() if not player["bot"]
    }


def _sums(match: Match) -> Mapping[Pair, PairSums]:
    """By seats; nothing where nobody can learn anything, or the game has no such sums."""
    fair_play = get_game(match.table.game).fair_play
    if fair_play is None or match.table.is_practice or match.table.is_lesson:
        return {}
    numbers = Deal.objects.filter(match=match).order_by("number").values_list("number", flat=True)
    records = [deal_record(match_id=match.pk, number=number) for number in numbers]
    return fair_play.sums([record for record in records if record is not None])


def _rows(
    match: Match, people: Mapping[int, int], sums: Mapping[Pair, PairSums]
) -> list[MatchTrace]:
    fair_play = get_game(match.table.game).fair_play
    if fair_play is None or match.ended_at is None:
        return []
    users = User.objects.filter(pk__in=people.values(), closed_at__isnull=True)
    there = set(users.values_list("pk", flat=True))
    return [
        MatchTrace(
            match=match,
            giver_id=people[giver],
            taker_id=people[taker],
            game=match.table.game,
            version=fair_play.version,
            ended_at=match.ended_at,
            **{**asdict(made), "feeding_others": list(made.feeding_others)},
        )
        for (giver, taker), made in sums.items()
        if {people.get(giver), people.get(taker)} <= there and people[giver] != people[taker]
    ]


def forget_old_traces(now: datetime | None = None) -> int:
    """What is older than 90 days, and of closed accounts what came after their closing."""
    oldest = (now or timezone.now()) - KEPT
    closed = Q(giver__closed_at__isnull=False) | Q(taker__closed_at__isnull=False)
    traces = MatchTrace.objects.filter(Q(ended_at__lt=oldest) | closed)
    return traces.delete()[0] + forget_old_sittings(oldest)
