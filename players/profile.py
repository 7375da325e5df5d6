"""A player's page: ratings with their history, the last matches and tournaments, and matches by format.

Figures are shown to viewers whom the player allows to see them (`may_see_figures`). Of other people's matches
a viewer sees less than of their own: no amounts, no private tables, and no opponents who hide their figures.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias

from django.db.models import Count, Q, QuerySet, Sum
from django.urls import reverse

from accounts.models import User
from accounts.names import show_name
from players.models import DayTotal, RatingChange
from players.ranking.selectors import AchievementLine, list_ratings
from players.selectors import Relation, list_friends, list_people_in_blocks, may_see_figures
from tables.catalog import (
    build_query,
    format_match_title,
    list_offered_formats,
    title_of_format,
    title_of_game,
)
from tables.models import Deal, Match, MatchStatus
from tables.models.ratings import rating_text

MATCHES_SHOWN: Final = 8
BADGES_SHOWN: Final = 8
_CHANGES_SHOWN: Final = 50
_ENDS_OF_A_LINE: Final = 2


@dataclass(frozen=True, slots=True)
class RatingTile:
    """A rating with its history, oldest first. `change` is the difference made by the last match, as displayed."""

    title: str
    text: str
    matches: int
    values: Sequence[int]
    change: int
    leaderboard: str

    @property
    def change_text(self) -> str:
        """Return "+24", or the number with a minus sign; empty if the rating stayed the same."""
        sign = "+" if self.change > 0 else "\N{MINUS SIGN}"
        return f"{sign}{abs(self.change)}" if self.change else ""

    @property
    def points(self) -> str:
        """Return the points of the history's line, in SVG coordinates of a box of 100 by 30."""
        if len(self.values) < _ENDS_OF_A_LINE:
            return ""
        low, high = min(self.values), max(self.values)
        span, step = max(high - low, 1), 100 / (len(self.values) - 1)
        return " ".join(
            f"{place * step:.1f},{28 - 26 * (value - low) / span:.1f}"
            for place, value in enumerate(self.values)
        )

    @property
    def low(self) -> int:
        return min(self.values, default=0)

    @property
    def high(self) -> int:
        return max(self.values, default=0)


@dataclass(frozen=True, slots=True)
class FormatLine:
    title: str
    matches: int
    rated: int


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A finished match. `others` are the opponents whom the viewer may see; `unnamed` is the number of the rest.

    `url` is empty, and `amount` None, if the viewer may not open the match.
    """

    at: datetime
    title: str
    others: Sequence[tuple[str, str]]
    unnamed: int
    is_cancelled: bool
    rank: int | None
    players: int
    amount: int | None
    currency: str
    url: str


@dataclass(frozen=True, slots=True)
class EventLine:
    """A finished tournament, with the place that the player reached among `entrants` players."""

    at: datetime
    title: str
    place: int
    entrants: int
    url: str
    is_event: bool = True


EventSource: TypeAlias = Callable[[int, int | None], list[EventLine]]
_event_sources: Final[list[EventSource]] = []


def add_event_source(source: EventSource) -> None:
    """Register a source of a player's finished events, newest first.

    It is called with the user ids of the player and the viewer, and returns the events that the viewer may
    see. The viewer's id is None without an account. An app registers its source once, when it is ready.
    """
    _event_sources.append(source)


def list_rating_tiles(user_id: int) -> list[RatingTile]:
    rows = RatingChange.objects.filter(user_id=user_id).order_by("-pk")
    past: dict[tuple[str, str], list[RatingChange]] = {}
    for row in rows[: _CHANGES_SHOWN * 4]:
        changes = past.setdefault((row.game, row.format), [])
        if len(changes) < _CHANGES_SHOWN:
            changes.append(row)
    return [
        RatingTile(
            title_of_format(rating.game, rating.format),
            rating_text(rating.value, rating.deviation),
            rating.matches,
            [round(row.value) for row in changes[::-1]],
            round(changes[0].value) - round(changes[0].value_before) if changes else 0,
            reverse("leaderboards")
            + build_query({"game": f"{rating.game}:{rating.format}", "period": "ALL"}),
        )
        for rating in list_ratings(user_id)
        for changes in [past.get((rating.game, rating.format), [])]
    ]


def list_format_lines(user_id: int) -> list[FormatLine]:
    """Return the formats that a player has played, with the number of matches that leaderboards count."""
    totals = DayTotal.objects.filter(user_id=user_id).values("game", "format")
    sums = {
        (row["game"], row["format"]): (row["played"], row["rated"])
        for row in totals.annotate(played=Sum("matches"), rated=Sum("rated_matches")).order_by()
    }
    return [
        FormatLine(title_of_format(game, code), *sums[game, code])
        for game, code in list_offered_formats()
        if (game, code) in sums
    ]


def list_badges(achievements: Collection[AchievementLine]) -> list[AchievementLine]:
    """Return the achievements that were reached most recently, latest first."""
    reached = [(line.reached_at, line) for line in achievements if line.tier and line.reached_at]
    reached.sort(key=lambda pair: pair[0], reverse=True)
    return [line for _when, line in reached[:BADGES_SHOWN]]


def list_played(player: User, *, viewer_id: int | None) -> list[MatchLine | EventLine]:
    """Return the player's last matches and tournaments, latest first.

    The caller has checked that the viewer may see the player's figures. A tournament is one line, which replaces the
    lines of its matches.
    """
    events = [line for source in _event_sources for line in source(player.pk, viewer_id)]
    matches = _list_matches(player.pk, viewer_id, but=[event.url for event in events])
    lines: list[MatchLine | EventLine] = [*_describe(matches, player.pk, viewer_id), *events]
    return sorted(lines, key=lambda line: line.at, reverse=True)[:MATCHES_SHOWN]


def _list_matches(user_id: int, viewer_id: int | None, *, but: Sequence[str]) -> list[Match]:
    matches: QuerySet[Match] = Match.objects.filter(
        participants__contains=[user_id], table__is_lesson=False
    )
    matches = matches.exclude(status=MatchStatus.RUNNING).exclude(table__event_url__in=but)
    if viewer_id != user_id:
        together = Q(participants__contains=[viewer_id]) if viewer_id else Q(pk__in=[])
        matches = matches.filter(Q(table__invite_code="") | together)
    whole = matches.select_related("table").defer("table__state", "table__next_seed")
    return list(whole.order_by("-pk")[:MATCHES_SHOWN])


def _describe(matches: Sequence[Match], user_id: int, viewer_id: int | None) -> list[MatchLine]:
    numbers = {player["user"] for match in matches for player in match.players.values()}
    people = User.objects.in_bulk(numbers)
    named = _list_named(people.values(), viewer_id)
    deals = dict(
        Deal.objects.filter(match__in=matches)
        .values_list("match")
        .annotate(number=Count("pk"))
        .order_by()
    )
    return [
        _describe_match(match, user_id, viewer_id, people, named, deals.get(match.pk, 0))
        for match in matches
    ]


def _list_named(people: Collection[User], viewer_id: int | None) -> set[int]:
    """Return the ids of those of the given people who are named to the viewer in other people's matches.

    They are bots, and people who let the viewer see their figures.
    """
    friends = {friend.pk for friend in list_friends(viewer_id)} if viewer_id else set()
    apart = list_people_in_blocks(viewer_id) if viewer_id else set()
    return {
        person.pk
        for person in people
        if person.is_bot
        or may_see_figures(
            person,
            viewer_id,
            Relation(
                follows=person.pk in friends,
                is_followed=person.pk in friends,
                is_blocked=person.pk in apart and person.pk != viewer_id,
            ),
        )
    }


def _describe_match(
    match: Match,
    user_id: int,
    viewer_id: int | None,
    people: dict[int, User],
    named: set[int],
    deals: int,
) -> MatchLine:
    takes_part = viewer_id in match.participants
    [seat] = [seat for seat, player in match.players.items() if player["user"] == user_id]
    others = [player for player in match.players.values() if player["user"] != user_id]
    shown = [one for one in others if takes_part or one["user"] in named]
    result: dict[str, Any] = match.result or {}
    settlement: dict[str, Any] = match.settlement or {}
    game, title = title_of_game(match.table.game), format_match_title(match)
    address = reverse("match", args=[match.pk])
    if deals == 1:
        address = reverse("deal_replay", args=[match.pk, 1])
    return MatchLine(
        at=match.ended_at or match.started_at,
        title=title if title == game else f"{game} · {title}",
        others=[
            (
                people[one["user"]].shown_face if one["user"] in people else "",
                show_name(one["name"]),
            )
            for one in shown
        ],
        unnamed=len(others) - len(shown),
        is_cancelled=match.status == MatchStatus.CANCELLED,
        rank=result.get("ranks", {}).get(seat),
        players=len(match.players),
        amount=settlement.get("amounts", {}).get(seat) if takes_part else None,
        currency=match.table.currency,
        url=address if takes_part else "",
    )
