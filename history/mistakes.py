"""A player's losses over time, by kind of decision, compared with those of all players."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import exp
from statistics import median
from typing import Any, Final

from django.core.cache import cache
from django.utils import timezone

from games.registry import GAMES
from history.models import AnalysisState, SeatAnalysis
from tables.catalog import translate

# Accuracy is 100·e^(-rate · mean loss of a decision), fitted so that bots score about 75 (medium) and 84
# (hard); see bench/analysis.py.
ACCURACY_RATE: Final = 0.55
WINDOW: Final = timedelta(days=30)
# Analyses that form the comparison group, and how long their medians are cached.
_FIELD_ROWS: Final = 20_000
_FIELD_SECONDS: Final = 900
# A player needs this many analysed deals to count in the comparison group.
_DEALS_OF_A_PLAYER: Final = 3
_PLAYERS_OF_A_FIELD: Final = 5
_WEEKS: Final = 12
# Sizes of the bars, in units of the drawing.
_TALLEST: Final = 40
_LINE: Final = 2


# Points a deal by kind of decision; the empty name holds the total.
_Means = Mapping[str, float]
_Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class WeekBar:
    """Points lost per deal in one week. `field` is the median of all players, None if there are too few players.

    Heights range from 0 to 40. The bars that include all decisions share one scale, and the bars of single kinds share
    another one.
    """

    first_day: date
    deals: int
    own: float
    field: float | None
    height: int
    field_height: int | None


@dataclass(frozen=True, slots=True)
class KindLine:
    """Points lost per deal by one kind of decision. `field` is the median of all players, None if there are too few."""

    title: str
    own: float
    field: float | None
    weeks: Sequence[WeekBar]


@dataclass(frozen=True, slots=True)
class Profile:
    """A player's losses in the last 30 days, in points per deal. `weeks` go back further, oldest first."""

    game: str
    deals: int
    decisions: int
    accuracy: int
    field_accuracy: int | None
    lost: float
    field: float | None
    kinds: Sequence[KindLine]
    weeks: Sequence[WeekBar]

    @property
    def table(self) -> list[tuple[WeekBar, ...]]:
        """Return the bars of each week, newest first: one for all decisions, then one for each kind."""
        return list(zip(self.weeks, *(kind.weeks for kind in self.kinds), strict=True))[::-1]


@dataclass(frozen=True, slots=True)
class _Field:
    """The comparison group: medians, over all players, of each player's mean losses.

    Empty if there are too few players.
    """

    means: _Means
    weeks: Mapping[date, _Means]
    accuracy: int | None


def own_profile(user_id: int) -> list[Profile]:
    """Return a profile for each game of which the player has had deals analysed."""
    since = timezone.now() - timedelta(weeks=_WEEKS)
    rows = list(
        SeatAnalysis.objects.filter(user_id=user_id, state=AnalysisState.DONE, done_at__gt=since)
        .order_by("match__started_at", "deal")
        .values("game", "match__started_at", "decisions", "lost", "by_kind")
    )
    games: dict[str, list[_Row]] = defaultdict(list)
    for row in rows:
        games[row["game"]].append(row)
    return [_build_profile(game, found) for game, found in games.items()]


def _build_profile(game: str, rows: Sequence[_Row]) -> Profile:
    since = timezone.now() - WINDOW
    recent = [row for row in rows if row["match__started_at"] > since] or list(rows)
    decisions = sum(row["decisions"] for row in recent)
    lost = sum(row["lost"] for row in recent)
    field = _read_field(game)
    analysis = GAMES[game].analysis
    kinds = {} if analysis is None else analysis.kinds
    own = _compute_means(recent)
    bars = _Bars(rows, field.weeks)
    return Profile(
        game=translate(GAMES[game].title),
        deals=len(recent),
        decisions=decisions,
        accuracy=compute_accuracy(lost, decisions),
        field_accuracy=field.accuracy,
        lost=lost / len(recent),
        field=field.means.get(""),
        kinds=[
            KindLine(
                translate(title), own.get(kind, 0.0), field.means.get(kind), bars.of_kind(kind)
            )
            for kind, title in kinds.items()
        ],
        weeks=bars.of_kind(""),
    )


def compute_accuracy(lost: float, decisions: int) -> int:
    """Return the accuracy, which is 100 if the player loses no points."""
    return round(100 * exp(-ACCURACY_RATE * lost / max(1, decisions)))


def _compute_means(rows: Sequence[_Row]) -> dict[str, float]:
    sums: Counter[str] = Counter()
    for row in rows:
        sums.update(row["by_kind"])
        sums[""] += row["lost"]
    return {kind: total / len(rows) for kind, total in sums.items()}


class _Bars:
    """A player's bars by week.

    The bars that include all decisions share one scale, and the bars of single kinds share another one.
    """

    def __init__(self, rows: Sequence[_Row], field: Mapping[date, _Means]) -> None:
        weeks = _group_by_week(rows)
        self.deals = {first: len(weeks[first]) for first in sorted(weeks)}
        self.own = {first: _compute_means(weeks[first]) for first in self.deals}
        self.field = field
        told = [*self.own.values(), *(field.get(first, {}) for first in self.deals)]
        self.most = max((means.get("", 0.0) for means in told), default=0.0) or 1.0
        of_kinds = [value for means in told for kind, value in means.items() if kind]
        self.most_of_kinds = max(of_kinds, default=0.0) or 1.0

    def of_kind(self, kind: str) -> list[WeekBar]:
        return [self._bar(first, kind) for first in self.deals]

    def _bar(self, first: date, kind: str) -> WeekBar:
        own = self.own[first].get(kind, 0.0)
        field = self.field.get(first, {}).get(kind)
        return WeekBar(
            first_day=first,
            deals=self.deals[first],
            own=own,
            field=field,
            height=max(_LINE, self._height(own, kind)),
            # Height of the comparison group's line.
            field_height=None
            if field is None
            else min(_TALLEST - _LINE, self._height(field, kind)),
        )

    def _height(self, points: float, kind: str) -> int:
        return round(_TALLEST * points / (self.most_of_kinds if kind else self.most))


def _group_by_week(rows: Iterable[_Row]) -> dict[date, list[_Row]]:
    """Group the rows by the Monday of their week."""
    weeks: dict[date, list[_Row]] = defaultdict(list)
    for row in rows:
        day = timezone.localdate(row["match__started_at"])
        weeks[day - timedelta(days=day.weekday())].append(row)
    return weeks


# --- The field.


def _read_field(game: str) -> _Field:
    key = f"analyses-of-the-field-2:{game}"
    known = cache.get(key)
    if known is not None:
        means, weeks, accuracy_of_all = known
        by_monday = {date.fromisoformat(day): of_week for day, of_week in weeks.items()}
        return _Field(means, by_monday, accuracy_of_all)
    now = timezone.now()
    rows: list[_Row] = list(
        SeatAnalysis.objects.filter(
            game=game, state=AnalysisState.DONE, done_at__gt=now - timedelta(weeks=_WEEKS)
        )
        .order_by("-done_at")
        .values("user_id", "decisions", "lost", "by_kind", "done_at", "match__started_at")[
            :_FIELD_ROWS
        ]
    )
    recent = _group_by_player(row for row in rows if row["done_at"] > now - WINDOW)
    known_players = [found for found in recent if len(found) >= _DEALS_OF_A_PLAYER]
    accuracies = [
        compute_accuracy(sum(row["lost"] for row in found), sum(row["decisions"] for row in found))
        for found in known_players
    ]
    field = _Field(
        means=_compute_medians(known_players),
        weeks={
            first: _compute_medians(_group_by_player(found))
            for first, found in _group_by_week(rows).items()
        },
        accuracy=round(median(accuracies)) if len(accuracies) >= _PLAYERS_OF_A_FIELD else None,
    )
    weeks = {day.isoformat(): means for day, means in field.weeks.items()}
    cache.set(key, [field.means, weeks, field.accuracy], _FIELD_SECONDS)
    return field


def _group_by_player(rows: Iterable[_Row]) -> list[list[_Row]]:
    players: dict[int, list[_Row]] = defaultdict(list)
    for row in rows:
        players[row["user_id"]].append(row)
    return list(players.values())


def _compute_medians(players: Sequence[Sequence[_Row]]) -> dict[str, float]:
    """Return a mapping from kind of decision to the median of the players' mean losses.

    It is empty if there are too few players.
    """
    if len(players) < _PLAYERS_OF_A_FIELD:
        return {}
    means = [_compute_means(found) for found in players]
    kinds = {kind for mean in means for kind in mean}
    return {kind: median(mean.get(kind, 0.0) for mean in means) for kind in kinds}
