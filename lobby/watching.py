"""The tables worth watching now: the most watched first, then those with the best rated players."""

from collections import defaultdict
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any, Final

from django.core.cache import cache
from django.db.models import F, FloatField, OuterRef, Subquery
from django.urls import reverse
from django.utils.translation import get_language

from tables.catalog import format_title
from tables.live import presence
from tables.models import IN_THE_LOBBY, PlayerRating, Seat, Table, TableStatus

# All visitors share the same list for this long.
SECONDS_SHOWN: Final = 10
MOST_LISTED: Final = 30
# The best are chosen among this many of the newest tables.
_MOST_COMPARED: Final = 200


@dataclass(frozen=True, slots=True)
class Watched:
    """A table with a match and at least two people, described in the reader's language.

    `rating` is the mean of the players' ratings in the format, or None if none of them has a rating.
    """

    id: int
    name: str
    title: str
    players: list[str]
    rating: int | None
    spectators: int

    @property
    def url(self) -> str:
        return reverse("table", args=[self.id])


def list_tables_to_watch() -> list[Watched]:
    """Return at most `MOST_LISTED` tables to watch, best first. The list may be some seconds old."""
    key = f"tables-to-watch:{get_language()}"
    kept: list[dict[str, Any]] | None = cache.get(key)  # JSON
    if kept is not None:
        return [Watched(**one) for one in kept]
    found = _find_watched()
    cache.set(key, [asdict(one) for one in found], SECONDS_SHOWN)
    return found


def _find_watched() -> list[Watched]:
    playing = Table.objects.filter(
        IN_THE_LOBBY, status=TableStatus.PLAYING, allows_watchers=True, broken_at=None
    )
    newest = playing.select_related("opened_by").defer("state", "next_seed").order_by("-pk")
    tables = {table.pk: table for table in newest[:_MOST_COMPARED]}
    people = {pk: seated for pk, seated in _people_at(list(tables)).items() if len(seated) > 1}
    counts = presence.count_spectators_now(list(people))
    found = [
        Watched(
            id=pk,
            name=tables[pk].shown_name,
            title=format_title(tables[pk]),
            players=[name for name, _rating in seated],
            rating=_compute_mean([rating for _name, rating in seated if rating is not None]),
            spectators=counts.get(pk, 0),
        )
        for pk, seated in people.items()
    ]
    found.sort(key=lambda one: (-one.spectators, -(one.rating or 0), one.id))
    return found[:MOST_LISTED]


def _people_at(table_ids: list[int]) -> dict[int, list[tuple[str, float | None]]]:
    """Return a mapping from table id to the name and rating of each person there, in the order of the seats."""
    rating = PlayerRating.objects.filter(
        user=OuterRef("user"), game=OuterRef("table__game"), format=OuterRef("table__format")
    )
    seats = (
        Seat.objects.filter(table__in=table_ids, left_at=None, user__is_bot=False)
        .annotate(rating=Subquery(rating.values("value"), output_field=FloatField()))
        .order_by("-table", F("number"))
        .values_list("table", "user__player_name", "rating")
    )
    found: defaultdict[int, list[tuple[str, float | None]]] = defaultdict(list)
    for table_id, name, value in seats:
        found[table_id].append((name, value))
    return found


def _compute_mean(ratings: list[float]) -> int | None:
    return round(fmean(ratings)) if ratings else None
