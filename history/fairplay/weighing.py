"""Computes every night the evidence about every two players who met often in the last 90 days (docs/fair-play.md).

Staff read it and decide. The job writes only numbers, and never changes a staff decision.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone

from core.database.leases import Job, lease
from games.engine.game import PairSums
from games.registry import GAMES
from history.fairplay.pairs import LEAST_TOGETHER, SHOWN_AT, Evidence, Pair, Trace, compute_evidence
from history.fairplay.tracing import KEPT, forget_old_traces
from history.models import MatchTrace, PairNight
from tables.models import Match, PairEvidence, PairState

# Local hours with the fewest players.
FROM_HOUR: Final = 3
# The job is killed after this many seconds.
TIME_LIMIT: Final = 3_600
_SUMS: Final = tuple(field.name for field in fields(PairSums))
_ROWS_AT_ONCE: Final = 5_000


def score_pairs(now: datetime | None = None) -> int | None:
    """Compute the evidence once a day, from three o'clock on. Return the number of pairs shown to staff.

    Return None if the computation is not due. Nothing is written until everything is computed, so after a crash the
    next job starts over.
    """
    now = now or timezone.now()
    today = timezone.localdate(now)
    if timezone.localtime(now).hour < FROM_HOUR:
        return None
    with lease(Job.WEIGHING_PAIRS, seconds=TIME_LIMIT) as is_alone:
        if not is_alone or PairNight.objects.filter(day=today).exists():
            return None
        forget_old_traces(now)
        found = _find_pairs(now)
        shown = {pair for pair, seen in found.items() if seen.q <= SHOWN_AT}
        rows = [
            _build_row(pair, found[pair], now)
            for pair in sorted(shown | _list_decided_pairs() & found.keys())
        ]
        with transaction.atomic():
            _store(rows, now)
            PairNight.objects.create(day=today, tested=len(found), shown=len(shown))
    return len(shown)


@dataclass
class _JudgedPair:
    """The findings about two players from all games. `kinds` has the strongest finding for each kind of evidence."""

    matches: int = 0
    kinds: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def q(self) -> float:
        return min((told["q"] for told in self.kinds.values()), default=1.0)


def _find_pairs(now: datetime) -> dict[Pair, _JudgedPair]:
    found: defaultdict[Pair, _JudgedPair] = defaultdict(_JudgedPair)
    for game in GAMES.values():
        if game.fair_play is None:
            continue
        traces = list(read_traces_since(now - KEPT, game.code, game.fair_play.version))
        for pair, seen in compute_evidence(traces).items():
            found[pair].matches += seen.matches
            kinds = found[pair].kinds
            for kind, told in _write_evidence(seen, game.code).items():
                if kind not in kinds or told["q"] < kinds[kind]["q"]:
                    kinds[kind] = told
    return dict(found)


def _list_decided_pairs() -> set[Pair]:
    """Return the pairs that staff watch, have decided about, or keep apart."""
    kept = ~Q(state=PairState.NEW) | Q(kept_apart_since__isnull=False)
    return set(PairEvidence.objects.filter(kept).values_list("low", "high"))


def _build_row(pair: Pair, seen: _JudgedPair, now: datetime) -> PairEvidence:
    low, high = pair
    return PairEvidence(
        low_id=low,
        high_id=high,
        matches=seen.matches,
        q=seen.q,
        kinds=seen.kinds,
        money=sum_money_between(low, high, now),
        computed_at=now,
    )


def _store(rows: Sequence[PairEvidence], now: datetime) -> None:
    """Store the pairs.

    Staff decisions are kept. Pairs without new findings are deleted unless staff have decided about them.
    """
    PairEvidence.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["low", "high"],
        update_fields=["matches", "q", "kinds", "money", "computed_at"],
    )
    over = PairEvidence.objects.filter(state=PairState.NEW, kept_apart_since__isnull=True)
    over.exclude(computed_at=now).delete()


def _write_evidence(seen: Evidence, game: str) -> dict[str, dict[str, Any]]:
    return {
        kind: {
            "game": game,
            "matches": weighed.finding.matches,
            "p": weighed.finding.p,
            "q": weighed.q,
            "z": round(weighed.finding.z, 2),
            "giver": weighed.finding.giver,
        }
        for kind, weighed in seen.kinds.items()
    }


def read_traces_since(since: datetime, game: str, version: int) -> Iterator[Trace]:
    """Yield the traces whose giver or taker has often met some other player."""
    traces = MatchTrace.objects.filter(game=game, version=version, ended_at__gte=since)
    often = (
        traces.filter(giver__lt=F("taker"))
        .values("giver", "taker")
        .annotate(times=Count("pk"))
        .filter(times__gte=LEAST_TOGETHER)
    )
    players = {user for row in often for user in (row["giver"], row["taker"])}
    of_them = traces.filter(Q(giver__in=players) | Q(taker__in=players)).order_by("match_id", "pk")
    columns = ("match_id", "giver_id", "taker_id", *_SUMS)
    for row in of_them.values_list(*columns).iterator(chunk_size=_ROWS_AT_ONCE):
        values = dict(zip(_SUMS, row[3:], strict=True))
        values["feeding_others"] = tuple(values["feeding_others"])
        yield Trace(row[0], row[1], row[2], PairSums(**values))


def list_matches_together(low_id: int, high_id: int, since: datetime) -> list[Match]:
    """Return the pair's common matches with their tables, newest first."""
    both = Match.objects.filter(
        pk__in=MatchTrace.objects.filter(giver=low_id, taker=high_id, ended_at__gte=since).values(
            "match"
        )
    )
    tables = both.select_related("table").defer("table__state", "table__next_seed")
    return list(tables.order_by("-pk"))


def sum_money_between(low_id: int, high_id: int, now: datetime) -> dict[str, list[int]]:
    """Return a mapping from currency to two amounts: the first player's losses to the second, and the reverse.

    Amounts are in the currency's smallest unit.
    """
    sums: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for match in list_matches_together(low_id, high_id, now - KEPT):
        by_user = _get_amounts(match)
        won = sum(amount for amount in by_user.values() if amount > 0)
        for place, (loser, winner) in enumerate([(low_id, high_id), (high_id, low_id)]):
            lost = -min(0, by_user.get(loser, 0))
            gained = max(0, by_user.get(winner, 0))
            if lost and gained:
                sums[match.table.currency][place] += lost * gained // won
    return {currency: amounts for currency, amounts in sums.items() if any(amounts)}


def _get_amounts(match: Match) -> Mapping[int, int]:
    amounts = (match.settlement or {}).get("amounts", {})
    return {
        player["user"]: amounts.get(seat, 0)
        for seat, player in match.players.items()
        if not player["bot"]
    }
