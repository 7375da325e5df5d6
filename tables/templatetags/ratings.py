"""Ratings in pages of other parts of the site."""

from django import template

from tables.catalog import title_of_format
from tables.models.ratings import rating_text
from tables.ranking.selectors import achievements_of, ratings_of

register = template.Library()


@register.simple_tag
def player_ratings(user_id: int) -> list[tuple[str, str, int]]:
    """Of each format that was played at rated tables: its name, the rating, how many matches."""
    return [
        (title_of_format(row.game, row.format), rating_text(row.value, row.deviation), row.matches)
        for row in ratings_of(user_id)
    ]


@register.simple_tag
def achievements_reached(user_id: int) -> tuple[int, int]:
    """Return the number of achievements that a player has reached, and that of all."""
    lines = achievements_of(user_id)
    return sum(line.tier > 0 for line in lines), len(lines)
