"""Seasonal ranks: over three months, a rank follows each change of a rating.

At the end of a season every rank moves halfway to the rating of a new player, and begins the next season there. Ratings
measure strength, so they are not moved (docs/ratings.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import F, QuerySet, Window
from django.db.models.functions import Rank, Round
from django.utils import timezone

from core.database.advisory_locks import AdvisoryLock
from core.values.local_days import compute_day_start
from players.models import RankSeason, RatingChange, SeasonRank
from players.ranking.glicko import Rating
from tables.models import Match, MatchStatus

MONTHS: Final = 3
MIDDLE: Final = Rating().value
KEPT: Final = 0.5
"""The part of the distance to the middle that a rank keeps at a season's end."""
LEAST_MATCHES: Final = 5
PLACES_SHOWN: Final = 50
SEASONS_SHOWN: Final = 8
# A match that cannot be counted delays the end of a season by no more than this.
WAITS: Final = timedelta(hours=1)

_CARRY: Final = """
INSERT INTO players_season_rank (season_id, user_id, game, format, value, matches)
SELECT %(new)s, r.user_id, r.game, r.format, %(middle)s + (r.value - %(middle)s) * %(kept)s, 0
  FROM players_season_rank r JOIN accounts_user u ON u.id = r.user_id
 WHERE r.season_id = %(old)s AND u.closed_at IS NULL"""


def end_of_season(after: datetime) -> datetime:
    """Return the end of the season that contains `after`: the first day of the next quarter, in local time."""
    day = timezone.localdate(after)
    month = (day.month - 1) // MONTHS * MONTHS + MONTHS + 1
    first = date(day.year + (month > 12), (month - 1) % 12 + 1, 1)  # noqa: PLR2004 - December
    return compute_day_start(first)


@transaction.atomic
def turn_season(*, now: datetime) -> bool:
    """Close the season that is over and open the next one. Return whether anything was done.

    Everything happens in one transaction under the counting lock, so after a crash the next run starts over. Closing
    waits until the matches that ended in the season are counted, but at most an hour.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [AdvisoryLock.COUNTING_MATCHES])
        if not cursor.fetchone()[0]:
            return False
    season = open_season()
    if season is None:
        RankSeason.objects.create(begins_at=now, ends_at=end_of_season(now))
        return True
    if now < season.ends_at or (now < season.ends_at + WAITS and _has_uncounted(season)):
        return False
    season.closed_at = now
    season.save(update_fields=["closed_at"])
    following = RankSeason.objects.create(begins_at=season.ends_at, ends_at=end_of_season(now))
    with connection.cursor() as cursor:
        values = {"new": following.pk, "old": season.pk, "middle": MIDDLE, "kept": KEPT}
        cursor.execute(_CARRY, values)
    return True


def _has_uncounted(season: RankSeason) -> bool:
    ended = Match.objects.filter(status=MatchStatus.FINISHED, counted_at__isnull=True)
    return ended.filter(ended_at__lt=season.ends_at).exists()


def open_season() -> RankSeason | None:
    return RankSeason.objects.filter(closed_at=None).first()


def follow_ratings(changes: Sequence[RatingChange]) -> None:
    """Apply these rating changes to the ranks of the open season, in order.

    A player without a rank starts from the rating before their first match. The caller holds the counting
    lock.
    """
    season = open_season() if changes else None
    if season is None:
        return
    rows = season.ranks.filter(user__in={change.user_id for change in changes})
    known = {(row.user_id, row.game, row.format): (row.value, row.matches) for row in rows}
    moved: dict[tuple[int, str, str], tuple[float, int]] = {}
    for change in changes:
        key = (change.user_id, change.game, change.format)
        value, matches = moved.get(key) or known.get(key) or (change.value_before, 0)
        moved[key] = (value + change.value - change.value_before, matches + 1)
    SeasonRank.objects.bulk_create(
        [
            SeasonRank(
                season=season, user_id=user, game=game, format=format, value=value, matches=matches
            )
            for (user, game, format), (value, matches) in sorted(moved.items())
        ],
        update_conflicts=True,
        unique_fields=["season", "user", "game", "format"],
        update_fields=["value", "matches"],
    )


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A row in a season's table. Players with equal rounded ranks share a place."""

    place: int
    rank: SeasonRank

    @property
    def value(self) -> int:
        return round(self.rank.value)


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """The best players of a season, and the reader's own row if it is not among them."""

    places: Sequence[SeasonLine]
    own: SeasonLine | None


def list_seasons() -> list[RankSeason]:
    """Return the open season and earlier ones, newest first."""
    return list(RankSeason.objects.order_by("-begins_at")[:SEASONS_SHOWN])


def rank_season(season: RankSeason, played: tuple[str, str], *, user_id: int | None) -> SeasonTable:
    """Return a season's table for a game and format, given as codes."""
    ranked = _find_ranked(season, played)
    best = ranked.annotate(place=Window(Rank(), order_by=Round("value").desc())).select_related(
        "user"
    )
    places = [SeasonLine(row.place, row) for row in best.order_by("place", "user")[:PLACES_SHOWN]]
    if user_id is None or any(line.rank.user_id == user_id for line in places):
        return SeasonTable(places, None)
    own = ranked.filter(user=user_id).select_related("user").first()
    if own is None:
        return SeasonTable(places, None)
    ahead = ranked.annotate(shown=Round(F("value"))).filter(shown__gt=round(own.value)).count()
    return SeasonTable(places, SeasonLine(ahead + 1, own))


def _find_ranked(season: RankSeason, played: tuple[str, str]) -> QuerySet[SeasonRank]:
    game, format = played
    return season.ranks.filter(
        game=game, format=format, matches__gte=LEAST_MATCHES, user__is_active=True
    )
