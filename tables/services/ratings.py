"""Every finished match is counted once: in the ratings of its players, and in their days.

Nothing of this happens in a move. A tick looks for matches that are not counted yet, so a lost one
costs seconds; each match is counted in a transaction of its own.
"""

import logging
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from tables.models import DayTotal, Match, MatchStatus, PlayerRating, RatingChange, Table
from tables.ratings import Rating, after_match
from wallet.money import Currency

logger = logging.getLogger(__name__)

# A match that ended earlier may be committed later, by no more than this: moves are short.
SETTLES_WITHIN = timedelta(seconds=15)
# One day is a rating period of Glicko-2.
PERIOD = timedelta(days=1)
MOST_AT_ONCE = 500
# In the namespace of advisory locks: one process counts, so that the order is that of the ends.
_COUNTING = 7_261_001


def count_matches() -> int:
    """Count what has ended, oldest first; the number of matches that were counted."""
    counted = 0
    failed: set[int] = set()
    while counted < MOST_AT_ONCE:
        match_id = _next(failed)
        if match_id is None:
            break
        try:
            is_counted = _count(match_id)
        except Exception:
            # One match must not keep the others; it is tried again by the next tick.
            logger.exception("match %s cannot be counted", match_id)
            failed.add(match_id)
            continue
        if not is_counted:
            break
        counted += 1
    return counted


def _next(failed: Collection[int]) -> int | None:
    ended = Match.objects.filter(
        status=MatchStatus.FINISHED, counted_at__isnull=True, ended_at__lt=Now() - SETTLES_WITHIN
    ).exclude(pk__in=failed)
    return ended.order_by("ended_at", "pk").values_list("pk", flat=True).first()


@transaction.atomic
def _count(match_id: int) -> bool:
    """False if another process is counting."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_COUNTING])
        if not cursor.fetchone()[0]:
            return False
    matches = Match.objects.select_related("table").defer("table__state", "table__next_seed")
    match = matches.filter(pk=match_id, counted_at__isnull=True).first()
    if match is None:
        return True
    people = {
        int(seat): player["user"] for seat, player in match.players.items() if not player["bot"]
    }
    is_rated = match.is_rated and len(people) == len(match.players) > 1
    if is_rated:
        _rate(match, people)
    if is_rated or _counts_for_chips(match.table):
        _add_to_days(match, people, is_rated=is_rated)
    Match.objects.filter(pk=match_id).update(counted_at=Now())
    return True


def _counts_for_chips(table: Table) -> bool:
    """Against bots or among friends anybody could win as much as he liked."""
    is_open = not (table.is_practice or table.is_private or table.is_of_event)
    return is_open and table.currency == Currency.CHIPS


def _rate(match: Match, people: Mapping[int, int]) -> None:
    assert match.ended_at is not None  # noqa: S101 - finished
    assert match.result is not None  # noqa: S101
    variant = match.table.variant
    known = {
        rating.user_id: rating
        for rating in PlayerRating.objects.filter(variant=variant, user__in=people.values())
    }
    before = {seat: _rating(known.get(user)) for seat, user in people.items()}
    periods = {
        seat: max(0.0, (match.ended_at - known[user].rated_at) / PERIOD) if user in known else 0.0
        for seat, user in people.items()
    }
    ranks = {seat: match.result["ranks"][str(seat)] for seat in people}
    after = after_match(before, ranks, periods)
    RatingChange.objects.bulk_create(
        RatingChange(
            match=match,
            user_id=user,
            variant=variant,
            value_before=before[seat].value,
            deviation_before=before[seat].deviation,
            **_fields(after[seat]),
        )
        for seat, user in people.items()
    )
    for seat, user in people.items():
        matches = known[user].matches + 1 if user in known else 1
        PlayerRating.objects.update_or_create(
            user_id=user,
            variant=variant,
            defaults={**_fields(after[seat]), "matches": matches, "rated_at": match.ended_at},
        )


def _rating(row: PlayerRating | None) -> Rating:
    return Rating() if row is None else Rating(row.value, row.deviation, row.volatility)


def _fields(rating: Rating) -> dict[str, float]:
    return {
        "value": rating.value,
        "deviation": rating.deviation,
        "volatility": rating.volatility,
    }


def _add_to_days(match: Match, people: Mapping[int, int], *, is_rated: bool) -> None:
    assert match.ended_at is not None  # noqa: S101 - finished
    day = timezone.localdate(match.ended_at)
    amounts: Mapping[str, Any] = (match.settlement or {}).get("amounts", {})
    for_chips = _counts_for_chips(match.table)
    for seat, user in people.items():
        won = amounts.get(str(seat), 0) if for_chips else 0
        total, _is_new = DayTotal.objects.get_or_create(
            variant=match.table.variant, day=day, user_id=user
        )
        DayTotal.objects.filter(pk=total.pk).update(
            chips=F("chips") + won,
            matches=F("matches") + 1,
            rated_matches=F("rated_matches") + int(is_rated),
        )
