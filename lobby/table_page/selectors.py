"""Queries for requests that a loaded table page makes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from statistics import median
from typing import Any

from django.db.models import F, Min
from django.db.models.functions import Now

from accounts.models import User
from players.ranking.levels import get_level, shows_progress
from players.ranking.selectors import list_ratings
from players.selectors import get_standing, may_see_figures
from tables.catalog import fit_bot_strength, list_bot_strengths, title_of_format
from tables.models import Change, ChangeKind, Match, MatchStatus, Seat, Table, TableTemplate
from tables.models.ratings import rating_text

# The page shows sixty moves; a change holds one or two.
CHANGES_READ = 120
# Tables of this period give the usual waiting time before a first match.
WAITED_LATELY = timedelta(days=7)
WAITS_READ = 50


def list_events_until(*, table_id: int, user_id: int | None, version: int) -> list[Any]:
    """Return the events of the running or last match up to this version of the table, oldest first.

    Return them only to players at the table: for everybody else, events are delayed by some seconds.
    """
    if user_id is None:
        return []
    seats = Seat.objects.filter(table_id=table_id, user_id=user_id, left_at__isnull=True)
    if not seats.exists():
        return []
    changes = Change.objects.filter(
        table_id=table_id, match_id=F("table__match_id"), version__lte=version
    ).order_by("-version")
    told = list(changes.values_list("events", flat=True)[:CHANGES_READ])
    return [event for events in reversed(told) for event in events]


def list_stand_in_events(*, table_id: int, user_id: int | None) -> list[Any]:
    """Return the events of moves that a bot made for this player in the running match, oldest first."""
    if user_id is None:
        return []
    held = Seat.objects.filter(table_id=table_id, user_id=user_id, left_at__isnull=True)
    seat = held.values_list("number", flat=True).first()
    changes = Change.objects.filter(
        table_id=table_id, match_id=F("table__match_id"), kind=ChangeKind.STAND_IN, seat=seat
    ).order_by("-version")
    told = list(changes.values_list("events", flat=True)[:CHANGES_READ])
    events = [event for events in reversed(told) for event in events]
    return [event for event in events if event.get("seat") == seat]


def bot_strengths_at(table_id: int) -> tuple[str, list[tuple[str, str]]]:
    """Return the strength of a table's bots, and the strengths to choose from."""
    game, strength = Table.objects.values_list("game", "bot_strength").get(pk=table_id)
    return fit_bot_strength(game, strength), list_bot_strengths(game)


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """The public facts about a player at a table."""

    player: User
    matches: int | None = None
    """The number of matches that they have finished at any table; None if the viewer may not see it."""
    ratings: Sequence[tuple[str, str]] = ()
    """For each format that they have played at rated tables: its title and the rating, such as "1662?"."""
    level: int | None = None
    """None for a bot, and if the player is shown no levels or the viewer may not see it."""

    @property
    def has_page(self) -> bool:
        return not (self.player.is_bot or self.player.is_guest)


def player_card(*, table_id: int, seat: int, viewer: int | None) -> PlayerCard | None:
    """Return the card of a seat's player, or None if the seat is empty. A practice bot's facts are public."""
    sitting = Seat.objects.filter(table_id=table_id, number=seat, left_at__isnull=True)
    found = sitting.select_related("user").first()
    if found is None:
        return None
    standing = get_standing(viewer, found.user_id)
    if not (found.user.is_bot or may_see_figures(found.user, viewer, standing)):
        return PlayerCard(found.user)
    finished = Match.objects.filter(
        participants__contains=[found.user_id], status=MatchStatus.FINISHED
    )
    ratings = [
        (title_of_format(row.game, row.format), rating_text(row.value, row.deviation))
        for row in list_ratings(found.user_id)
    ]
    has_level = not found.user.is_bot and shows_progress(found.user)
    level = get_level(found.user_id).number if has_level else None
    return PlayerCard(found.user, finished.count(), ratings, level)


@dataclass(frozen=True, slots=True)
class Alone:
    """Facts for a player who waits alone at a public table.

    `minutes` is how long others have waited recently, or None if no match has begun at such a table.
    `practice` is the id of a similar table template with bots, or None if there is none.
    """

    minutes: int | None
    practice: int | None


def describe_waiting_alone(table_id: int) -> Alone | None:
    """Return the facts for the only player of a table, or None for tables that players opened."""
    table = Table.objects.select_related("template").defer("state", "next_seed").get(pk=table_id)
    template = table.template
    if template is None or table.is_private:
        return None
    waits = (
        Table.objects.filter(
            template=template, created_at__gt=Now() - WAITED_LATELY, match__isnull=False
        )
        .order_by("-pk")
        .annotate(sat=Min("sittings__joined_at"), began=Min("matches__started_at"))
        .values_list("sat", "began")[:WAITS_READ]
    )
    seconds = [(began - sat).total_seconds() for sat, began in waits]
    minutes = max(1, ceil(median(seconds) / 60)) if seconds else None
    return Alone(minutes, _find_practice_like(template))


def _find_practice_like(template: TableTemplate) -> int | None:
    """Return the id of the open template with bots that is most similar to this one, or None."""
    with_bots = TableTemplate.objects.filter(game=template.game, is_open=True, bots_wanted__gt=0)

    def unlikeness(one: TableTemplate) -> tuple[bool, int, int, int]:
        seats = abs(one.max_seats - template.max_seats)
        return one.preset != template.preset, seats, one.point_value or one.entry_fee, one.pk

    best = min(with_bots, key=unlikeness, default=None)
    return None if best is None else best.pk
