"""How good the players at a rated table are, as everybody sees it beside their names."""

from collections.abc import Sequence
from typing import Final

from tables.models import PlayerRating, Seat, Table

# A larger deviation than this: the rating is not sure yet.
SURE_DEVIATION: Final = 110


def rating_text(value: float, deviation: float) -> str:
    """ "1662", or "1662?" while it is not sure."""
    return f"{round(value)}{'?' if deviation > SURE_DEVIATION else ''}"


def ratings_at(table: Table, sittings: Sequence[Seat]) -> dict[int, str]:
    """By user; empty at a table that is not rated, and without who has no rating yet."""
    if not table.is_rated or not sittings:
        return {}
    rows = PlayerRating.objects.filter(
        user__in=[sitting.user_id for sitting in sittings], game=table.game, format=table.format
    )
    return {row.user_id: rating_text(row.value, row.deviation) for row in rows}
