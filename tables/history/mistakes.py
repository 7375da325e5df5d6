"""What a player gives away over time, by kind of decision, beside the field."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import exp
from statistics import fmean, median
from typing import Any, Final

from django.core.cache import cache
from django.utils import timezone

from tables.games.registry import GAMES
from tables.models import AnalysisState, SeatAnalysis
from tables.play.wording import translated

# Accuracy is 100·e^(-this times the mean loss of a decision): fitted so that the bots come out at
# about 75 (medium) and 84 (hard), bench/analysis.py.
ACCURACY_RATE: Final = 0.55
WINDOW: Final = timedelta(days=30)
# Analyses of the field that are looked at, and how long their medians are kept.
_FIELD_ROWS: Final = 20_000
_FIELD_SECONDS: Final = 900
# Players with fewer analysed deals say too little of the field.
_DEALS_OF_A_PLAYER: Final = 3
_PLAYERS_OF_A_FIELD: Final = 5
_WEEKS: Final = 12


@dataclass(frozen=True, slots=True)
class KindLine:
    """Points given away a deal; `field`: the median of the players, None with too few."""

    title: str
    own: float
    field: float | None


@dataclass(frozen=True, slots=True)
class WeekLine:
    first_day: Any
    deals: int
    lost: float
    height: int


@dataclass(frozen=True, slots=True)
class Profile:
    """Of the last 30 days; `weeks` go back further, the oldest first. Points are a deal's."""

    game: str
    deals: int
    decisions: int
    accuracy: int
    lost: float
    field: float | None
    kinds: Sequence[KindLine]
    weeks: Sequence[WeekLine]


def own_profile(user_id: int) -> list[Profile]:
    """One for each game that the player has had deals analysed of."""
    since = timezone.now() - timedelta(weeks=_WEEKS)
    rows = list(
        SeatAnalysis.objects.filter(user_id=user_id, state=AnalysisState.DONE, done_at__gt=since)
        .order_by("match__started_at", "deal")
        .values("game", "match__started_at", "decisions", "lost", "by_kind")
    )
    games: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        games[row["game"]].append(row)
    return [_profile(game, found) for game, found in games.items()]


def _profile(game: str, rows: Sequence[Mapping[str, Any]]) -> Profile:
    since = timezone.now() - WINDOW
    recent = [row for row in rows if row["match__started_at"] > since] or list(rows)
    decisions = sum(row["decisions"] for row in recent)
    lost = sum(row["lost"] for row in recent)
    field = _field(game)
    analysis = GAMES[game].analysis
    kinds = {} if analysis is None else analysis.kinds
    own = _means(recent)
    return Profile(
        game=translated(GAMES[game].title),
        deals=len(recent),
        decisions=decisions,
        accuracy=accuracy(lost, decisions),
        lost=lost / len(recent),
        field=field.get(""),
        kinds=[
            KindLine(translated(title), own.get(kind, 0.0), field.get(kind))
            for kind, title in kinds.items()
        ],
        weeks=_weeks(rows),
    )


def accuracy(lost: float, decisions: int) -> int:
    """100 for a player who gives nothing away."""
    return round(100 * exp(-ACCURACY_RATE * lost / max(1, decisions)))


def _means(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Points a deal by kind, and of all kinds under the empty name."""
    sums: Counter[str] = Counter()
    for row in rows:
        sums.update(row["by_kind"])
        sums[""] += row["lost"]
    return {kind: total / len(rows) for kind, total in sums.items()}


def _field(game: str) -> dict[str, float]:
    """The medians of the players' means; empty if there are too few of them."""
    key = f"analyses-of-the-field:{game}"
    known: dict[str, float] | None = cache.get(key)
    if known is not None:
        return known
    since = timezone.now() - WINDOW
    rows = SeatAnalysis.objects.filter(
        game=game, state=AnalysisState.DONE, done_at__gt=since
    ).order_by("-done_at")
    players: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows.values("user_id", "lost", "by_kind")[:_FIELD_ROWS]:
        players[row["user_id"]].append(row)
    means = [_means(found) for found in players.values() if len(found) >= _DEALS_OF_A_PLAYER]
    field: dict[str, float] = {}
    if len(means) >= _PLAYERS_OF_A_FIELD:
        kinds = {kind for mean in means for kind in mean}
        field = {kind: median(mean.get(kind, 0.0) for mean in means) for kind in kinds}
    cache.set(key, field, _FIELD_SECONDS)
    return field


def _weeks(rows: Sequence[Mapping[str, Any]]) -> list[WeekLine]:
    weeks: dict[Any, list[float]] = defaultdict(list)
    for row in rows:
        day = timezone.localdate(row["match__started_at"])
        weeks[day - timedelta(days=day.weekday())].append(row["lost"])
    means = {first: fmean(lost) for first, lost in weeks.items()}
    most = max(means.values(), default=0) or 1
    return [
        WeekLine(first, len(weeks[first]), means[first], max(2, round(40 * means[first] / most)))
        for first in sorted(means)
    ]
