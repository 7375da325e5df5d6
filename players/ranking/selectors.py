"""Reading ratings, leaderboards and achievements."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, Window
from django.db.models.functions import Now, Rank, Round
from django.utils.functional import Promise

from players.models import Board, LeaderboardPlace, Period, PlayerAchievement, RatingChange
from players.ranking.achievements import ACHIEVEMENTS, Achievement
from players.ranking.levels import COUNTED, Level, level_at
from tables.catalog import list_offered_formats as played_formats
from tables.models import Match, PlayerRating

PLACES_SHOWN = 50
# How long a new achievement is shown below the table's results.
REACHED_SHOWN_FOR = timedelta(minutes=10)


def changes_by(match: Match) -> dict[int, RatingChange]:
    """Return a mapping from user id to rating change, empty if the match is unrated or not counted yet."""
    if not match.is_rated:
        return {}
    return {change.user_id: change for change in RatingChange.objects.filter(match=match)}


def find_rating_changes(user_id: int, match_ids: Collection[int]) -> dict[int, RatingChange]:
    """Return a mapping from match id to one player's rating change."""
    changes = RatingChange.objects.filter(user_id=user_id, match_id__in=match_ids)
    return {change.match_id: change for change in changes}


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The best players, and the reader's own row if it is not among them. `drawn_at` is None for an empty board."""

    places: list[LeaderboardPlace]
    own: LeaderboardPlace | None
    drawn_at: datetime | None


def rank_players(
    board: Board, played: tuple[str, str], period: Period, *, user_id: int | None
) -> Leaderboard:
    """Return the leaderboard of a game and format, given as codes.

    It takes one query, however many players there are.
    """
    game, format = played
    rows = LeaderboardPlace.objects.filter(board=board, game=game, format=format, period=period)
    ranked = Q(place__lte=PLACES_SHOWN, value__gt=0)
    wanted = ranked | Q(user_id=user_id) if user_id is not None else ranked
    lines = list(rows.filter(wanted).select_related("user").order_by("place", "user_id"))
    best = [row for row in lines if row.place <= PLACES_SHOWN and row.value > 0]
    own = next((row for row in lines if row.user_id == user_id and row not in best), None)
    return Leaderboard(best, own, lines[0].drawn_at if lines else None)


@dataclass(frozen=True, slots=True)
class LadderLine:
    """A row on the ladder of BOT accounts. Accounts with equal rounded ratings share a place."""

    place: int
    rating: PlayerRating


def rank_bots(played: tuple[str, str]) -> list[LadderLine]:
    """Return the best BOT accounts of a game and format, by their results against each other."""
    game, format = played
    rows = PlayerRating.objects.filter(
        game=game, format=format, user__became_bot_at__isnull=False, user__is_active=True
    )
    shown = rows.select_related("user").annotate(
        place=Window(Rank(), order_by=Round("value").desc())
    )
    return [
        LadderLine(vars(row)["place"], row)
        for row in shown.order_by("place", "user_id")[:PLACES_SHOWN]
    ]


def list_ratings(user_id: int) -> list[PlayerRating]:
    """Return a player's ratings, one for each format that they have played at rated tables."""
    order = played_formats()
    ratings = PlayerRating.objects.filter(user_id=user_id)
    return sorted(
        (rating for rating in ratings if (rating.game, rating.format) in order),
        key=lambda rating: order.index((rating.game, rating.format)),
    )


@dataclass(frozen=True, slots=True)
class AchievementLine:
    """An achievement with a player's progress.

    `tier` is 0 before the first tier; `next_at` is None after the last one.
    """

    entry: Achievement
    count: int
    tier: int
    reached_at: datetime | None

    @property
    def next_at(self) -> int | None:
        return self.entry.next_at(self.count)

    @property
    def tiers(self) -> int:
        return len(self.entry.tiers)

    @property
    def step(self) -> int:
        """Return the number of matches that the current tier required; 0 before the first tier."""
        return self.entry.tiers[self.tier - 1] if self.tier else 0


def list_achievements(user_id: int) -> list[AchievementLine]:
    """Return all achievements with a player's progress, in the order of `ACHIEVEMENTS`."""
    rows = {row.code: row for row in PlayerAchievement.objects.filter(user_id=user_id)}
    nothing = PlayerAchievement()
    found = [(entry, rows.get(code, nothing)) for code, entry in ACHIEVEMENTS.items()]
    return [AchievementLine(entry, row.count, row.tier, row.reached_at) for entry, row in found]


def level_among(lines: Collection[AchievementLine]) -> Level | None:
    """Return the level that follows from a player's achievements, or None if the list is empty."""
    return next((level_at(line.count) for line in lines if line.entry.code == COUNTED), None)


def list_reached_lately(*, table_id: int, user_id: int) -> list[str | Promise]:
    """Return the titles of the achievements in which the player has just reached a tier at this table."""
    lately = PlayerAchievement.objects.filter(
        user_id=user_id,
        reached_in__table_id=table_id,
        reached_at__gt=Now() - REACHED_SHOWN_FOR,
    )
    codes = set(lately.values_list("code", flat=True))
    return [entry.title for code, entry in ACHIEVEMENTS.items() if code in codes]
