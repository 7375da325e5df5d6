"""A match: one deal, or a session of several, and who has won (K16)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tables.games.base import JSON, Instant, InvalidRules, Result
from tables.games.rummikub import events
from tables.games.rummikub.deal import Deal, How, deal_cards, toss_for_order
from tables.games.rummikub.events import Events
from tables.games.rummikub.rulesets import SEATS, RummikubRules, largest_loss
from tables.games.shares import divide


class Stage(StrEnum):
    DEAL = "deal"
    BETWEEN = "between"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Line:
    """A deal that is over: `counts` are what each seat's rack counted, `scores` what it got."""

    deal: int
    how: How
    winners: tuple[int, ...]
    counts: tuple[tuple[int, int], ...]
    scores: tuple[tuple[int, int], ...]

    def json(self) -> dict[str, JSON]:
        return {
            "deal": self.deal,
            "how": self.how.value,
            "winners": list(self.winners),
            "counts": {str(seat): points for seat, points in self.counts},
            "scores": {str(seat): points for seat, points in self.scores},
        }


@dataclass(frozen=True, slots=True)
class Match:
    rules: RummikubRules
    # Everybody who began, as they sat in the first deal.
    seats: tuple[int, ...]
    deal: Deal
    number: int = 1
    stage: Stage = Stage.DEAL
    # When the next deal begins, between two deals.
    due_at: Instant | None = None
    sheet: tuple[Line, ...] = ()
    # Who has left the match, in this order.
    left: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()

    @property
    def totals(self) -> dict[int, int]:
        """K15: what all deals have brought each seat; the sum is nothing."""
        totals = dict.fromkeys(self.seats, 0)
        for line in self.sheet:
            for seat, points in line.scores:
                totals[seat] += points
        return totals

    @property
    def staying(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.seats if seat not in self.left)


def start_match(
    rules: RummikubRules, seats: Sequence[int], *, toss: bool, seed: bytes, now: Instant
) -> tuple[Match, Events]:
    if len(seats) not in SEATS or len(set(seats)) != len(seats):
        raise InvalidRules("Two to four players, each on a seat of their own.")
    order, tossed = toss_for_order(seats, seed=seed) if toss else (tuple(seats), None)
    deal, happened = deal_cards(rules, order, toss=tossed, seed=seed, now=now)
    return Match(rules=rules, seats=order, deal=deal), happened


def next_deal(match: Match, *, seed: bytes, now: Instant) -> tuple[Match, Events]:
    order = next_order(match)
    deal, happened = deal_cards(match.rules, order, toss=None, seed=seed, now=now)
    following = replace(match, deal=deal, number=match.number + 1, stage=Stage.DEAL, due_at=None)
    return following, happened


def next_order(match: Match) -> tuple[int, ...]:
    """K2: the player after the one who began begins the next deal."""
    order = match.deal.order
    return tuple(seat for seat in (*order[1:], order[0]) if seat not in match.left)


def conclude_deal(match: Match, how: How, now: Instant) -> tuple[Match, Events]:
    """Enter a deal that has just ended, and see whether the match goes on."""
    players = match.deal.players
    line = Line(
        deal=match.number,
        how=how,
        winners=match.deal.winners,
        counts=tuple((player.seat, player.points(match.rules)) for player in players),
        scores=tuple(scores_of(match.deal).items()),
    )
    match = replace(match, sheet=(*match.sheet, line))
    if len(match.staying) < 2 or match.number >= match.rules.deals:
        return end_match(match, decided(match))
    due_at = now + match.rules.break_seconds * 1000
    return replace(match, stage=Stage.BETWEEN, due_at=due_at), (events.deal_due(due_at),)


def scores_of(deal: Deal) -> dict[int, int]:
    """K15: the losers' points as a minus, their sum as the winners' plus."""
    scores = {player.seat: -player.lost for player in deal.players}
    won = divide(-sum(scores.values()), dict.fromkeys(deal.winners, 1))
    return {seat: won.get(seat, points) for seat, points in scores.items()}


def decided(match: Match) -> tuple[int, ...]:
    """K16: who wins if the match ends now; in a session the highest total, equal ones share."""
    if match.rules.is_per_point:
        return match.deal.winners
    best = max(_merit(match, seat) for seat in match.staying)
    return tuple(seat for seat in match.staying if _merit(match, seat) == best)


def _merit(match: Match, seat: int) -> tuple[int, ...]:
    """More is better. Where some go on, equals are told apart: by deals won, then by who has the
    lower count in the last deal, then by who began it."""
    total = match.totals[seat]
    if match.rules.qualifiers is None:
        return (total,)
    won = sum(seat in line.winners for line in match.sheet)
    counts = dict(match.sheet[-1].counts) if match.sheet else {}
    return total, won, -counts.get(seat, 0), -match.deal.order.index(seat)


def end_match(match: Match, winners: tuple[int, ...]) -> tuple[Match, Events]:
    over = replace(match, stage=Stage.OVER, due_at=None, winners=winners)
    return over, (events.match_over(winners),)


def result_of(match: Match) -> Result | None:
    if match.stage is not Stage.OVER:
        return None
    totals = match.totals
    return Result(
        winners=tuple(sorted(match.winners)),
        points=_lost(match),
        ranks=_ranks(match),
        scores={} if match.rules.is_per_point else _stacks(match, totals),
        shares=dict.fromkeys(match.winners, 1),
        next_order=next_order(match),
        facts={
            "sheet": [line.json() for line in match.sheet],
            "totals": {str(seat): total for seat, total in totals.items()},
        },
    )


def _lost(match: Match) -> dict[int, int]:
    """Points that each seat has lost in all deals, those that it won aside."""
    lost = dict.fromkeys(match.seats, 0)
    for line in match.sheet:
        for seat, points in line.scores:
            lost[seat] += max(0, -points)
    return lost


def _stacks(match: Match, totals: Mapping[int, int]) -> dict[int, int]:
    """A tournament counts no minus: everybody begins with what could be lost."""
    return {seat: start_of(match.rules) + total for seat, total in totals.items()}


def start_of(rules: RummikubRules) -> int:
    return 0 if rules.is_per_point else largest_loss(rules) * rules.deals


def _ranks(match: Match) -> dict[int, int]:
    """Winners, then by merit; who has left comes last, the later the better. Equals share."""

    def place(seat: int) -> tuple[int, ...]:
        if seat in match.left:
            return (0, match.left.index(seat))
        if match.rules.is_per_point:
            return (1, -_lost(match)[seat])
        return (1, *_merit(match, seat))

    places = {seat: place(seat) for seat in match.seats if seat not in match.winners}
    behind = {
        seat: 1 + len(match.winners) + sum(other > own for other in places.values())
        for seat, own in places.items()
    }
    return dict.fromkeys(match.winners, 1) | behind
