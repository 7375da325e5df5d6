"""Ratings of players as they are shown: beside their names at a rated table, on their cards."""

from typing import Final

from django.db.models import OuterRef, QuerySet

from tables.models import PlayerRating, Seat, Table
from tables.play.titles import played as played_formats

# A larger deviation than this: the rating is not sure yet.
SURE_DEVIATION: Final = 110


def rating_text(value: float, deviation: float) -> str:
    """ "1662", or "1662?" while it is not sure."""
    return f"{round(value)}{'?' if deviation > SURE_DEVIATION else ''}"


def ratings_of(user_id: int) -> list[PlayerRating]:
    """Return this person's ratings, one for each format played at rated tables."""
    order = played_formats()
    ratings = PlayerRating.objects.filter(user_id=user_id)
    return sorted(
        (rating for rating in ratings if (rating.game, rating.format) in order),
        key=lambda rating: order.index((rating.game, rating.format)),
    )


def with_ratings(sittings: QuerySet[Seat], table: Table) -> QuerySet[Seat]:
    """The same query brings what `rating_at` tells; nothing more at a table that is not rated."""
    if not table.is_rated:
        return sittings
    own = PlayerRating.objects.filter(user=OuterRef("user"), game=table.game, format=table.format)
    return sittings.annotate(
        rated_value=own.values("value"), rated_deviation=own.values("deviation")
    )


def rating_at(sitting: Seat) -> str | None:
    """Return the rating of a sitting's player, or None without a rating or at an unrated table."""
    value: float | None = getattr(sitting, "rated_value", None)
    return None if value is None else rating_text(value, getattr(sitting, "rated_deviation", 0.0))
