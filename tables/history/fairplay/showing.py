"""The evidence about two players as staff look at it: figures, discards, matches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.engine.fair_play import Delivery
from games.registry import get_game
from tables.history.fairplay.pairs import KINDS
from tables.history.fairplay.tracing import KEPT
from tables.history.fairplay.weighing import matches_together
from tables.history.records import deal_record
from tables.history.selectors import seat_of
from tables.models import Deal, Match, MatchTrace, PairEvidence

TITLES: Final[Mapping[str, str | Promise]] = {
    "feeding": _("Discards for each other"),
    "withholding": _("Discards kept from others"),
    "dumping": _("Points given away"),
    "picks": _("Discards taken"),
    "money": _("Points lost to each other"),
}
# Discards side by side, the matches that they are looked for in, and matches that are listed.
_DISCARDS: Final = 10
_MATCHES_READ: Final = 12
_MATCHES_LISTED: Final = 30


@dataclass(frozen=True, slots=True)
class KindLine:
    """One kind of evidence; `giver` by name. Empty where the screen did not let it through."""

    title: str | Promise
    screen_matches: int
    screen_p: float
    matches: int | None
    p: float | None
    q: float | None
    z: float | None
    giver: str


def kind_lines(pair: PairEvidence) -> list[KindLine]:
    names = {pair.low_id: str(pair.low), pair.high_id: str(pair.high)}
    lines = []
    for kind in KINDS:
        told: Mapping[str, Any] | None = pair.kinds.get(kind)
        if told is None:
            continue
        lines.append(
            KindLine(
                title=TITLES[kind],
                screen_matches=told["screen_matches"],
                screen_p=told["screen_p"],
                matches=told.get("matches"),
                p=told.get("p"),
                q=told["q"] if "p" in told else None,
                z=told.get("z"),
                giver=names.get(told.get("giver") or 0, ""),
            )
        )
    return lines


@dataclass(frozen=True, slots=True)
class Shown:
    """A discard with both hands, and where it is in the replay. The taker's hand comes without it."""

    match_id: int
    deal: int
    giver: str
    taker: str
    delivery: Delivery


def dearest_discards(pair: PairEvidence, now: datetime | None = None) -> list[Shown]:
    """Return the discards that were most unusually useful, from the matches with most of them."""
    since = (now or timezone.now()) - KEPT
    both = Q(giver=pair.low, taker=pair.high) | Q(giver=pair.high, taker=pair.low)
    traces = MatchTrace.objects.filter(both, ended_at__gte=since).order_by("-feeding", "pk")
    shown: list[Shown] = []
    for trace in traces.select_related("match__table", "giver", "taker")[:_MATCHES_READ]:
        shown += _discards(trace)
    shown.sort(key=lambda one: -one.delivery.beyond)
    return shown[:_DISCARDS]


def _discards(trace: MatchTrace) -> list[Shown]:
    match = trace.match
    fair_play = get_game(match.table.game).fair_play
    giver, taker = seat_of(match, trace.giver_id), seat_of(match, trace.taker_id)
    if fair_play is None or giver is None or taker is None:
        return []
    shown = []
    for number in Deal.objects.filter(match=match).values_list("number", flat=True):
        record = deal_record(match_id=match.pk, number=number)
        if record is None:
            continue
        shown += [
            Shown(match.pk, number, str(trace.giver), str(trace.taker), delivery)
            for delivery in fair_play.deliveries(record, giver, taker)
            if delivery.beyond > 0
        ]
    return shown


@dataclass(frozen=True, slots=True)
class Together:
    """A match of both, with what each won or lost of it, in the smallest unit."""

    match: Match
    low: int
    high: int


def matches_of_pair(pair: PairEvidence, now: datetime | None = None) -> list[Together]:
    since = (now or timezone.now()) - KEPT
    matches = matches_together(pair.low_id, pair.high_id, since)[:_MATCHES_LISTED]
    return [
        Together(match, _amount(match, pair.low_id), _amount(match, pair.high_id))
        for match in matches
    ]


def _amount(match: Match, user_id: int) -> int:
    amounts: Mapping[str, int] = (match.settlement or {}).get("amounts", {})
    return amounts.get(str(seat_of(match, user_id)), 0)


def own_matches(user_ids: Sequence[int], now: datetime | None = None) -> list[int]:
    """Return the number of matches that each of them played in the same time."""
    since = (now or timezone.now()) - KEPT
    return [
        MatchTrace.objects.filter(giver=user_id, ended_at__gte=since)
        .values("match")
        .distinct()
        .count()
        for user_id in user_ids
    ]
