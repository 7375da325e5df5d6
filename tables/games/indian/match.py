"""A match: one deal or several, and where everybody stands in it (R7, R8, R9).

The states are values. What a finished deal changes is in `reckoning`, what happens between two
deals in `intermission`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tables.games.base import Instant, InvalidRules, Result
from tables.games.indian import events
from tables.games.indian.deal import Deal, deal_cards, toss_for_order
from tables.games.indian.events import Events
from tables.games.indian.rulesets import SEATS, RuleSet


class Stage(StrEnum):
    DEAL = "deal"
    BETWEEN = "between"
    REJOIN = "rejoin"
    SPLIT = "split"
    OVER = "over"


class Membership(StrEnum):
    """Where a player stands in the match."""

    IN = "in"
    ELIMINATED = "eliminated"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Standing:
    seat: int
    membership: Membership = Membership.IN
    score: int = 0
    chips: int = 0
    deals_won: int = 0
    entries: int = 1
    # The deal in which the player went out of the match.
    out_in: int | None = None
    # R10.4: the points of tie-breakers for a qualifying place, the earlier ones in front.
    tie_points: int = 0

    @property
    def is_in(self) -> bool:
        return self.membership is Membership.IN

    def out(self, membership: Membership, deal_number: int) -> "Standing":
        """R8.8: who is out already keeps the deal that it happened in."""
        out_in = deal_number if self.is_in else self.out_in
        return replace(self, membership=membership, out_in=out_in)

    def back_at(self, score: int) -> "Standing":
        """R8.2: paid for once more."""
        return replace(
            self, membership=Membership.IN, out_in=None, score=score, entries=self.entries + 1
        )


def merit(standing: Standing) -> tuple[int, int, int, int]:
    """Less is better."""
    return (-standing.chips, -standing.deals_won, standing.score, standing.tie_points)


@dataclass(frozen=True, slots=True)
class Question:
    """Whom the match waits for between two deals."""

    waiting: tuple[int, ...]
    # R8.2: the score at which the players asked may come back.
    score: int | None = None
    # R8.4: who wants to split the prize.
    asker: int | None = None


@dataclass(frozen=True, slots=True)
class Match:
    rules: RuleSet
    deal: Deal
    # Everybody who began, in the order of play of this deal; the first to move leads (R4.1).
    standings: tuple[Standing, ...]
    number: int = 1
    stage: Stage = Stage.DEAL
    # When the stage ends by itself, if it is not a deal; a deal has its own clock.
    due_at: Instant | None = None
    tie_breaker: bool = False
    question: Question | None = None
    # R8.4: one offer in each break.
    may_offer: bool = True
    # Who shares the prize, and in which parts; odd units are given away in this order.
    parts: tuple[tuple[int, int], ...] = ()

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(sorted(seat for seat, _ in self.parts))

    @property
    def fees_charged(self) -> int:
        return sum(standing.entries for standing in self.standings)

    @property
    def leaders(self) -> tuple[Standing, ...]:
        most = max(standing.chips for standing in self.survivors)
        return tuple(standing for standing in self.survivors if standing.chips == most)

    @property
    def by_merit(self) -> tuple[Standing, ...]:
        """R10.4: chips, then deals won, then fewer points, then what tie-breakers said."""
        return tuple(sorted(self.survivors, key=merit))

    @property
    def contenders(self) -> tuple[Standing, ...]:
        """Those whom a tie-breaker has to separate; nobody or one alone if none has to (R9.2)."""
        places = self.rules.qualifiers
        if places is None:
            return self.leaders
        ranked = self.by_merit
        if places >= len(ranked) or merit(ranked[places - 1]) != merit(ranked[places]):
            return ()
        return tuple(
            standing for standing in self.survivors if merit(standing) == merit(ranked[places])
        )

    @property
    def deal_rules(self) -> RuleSet:
        return self.rules.without_drops() if self.tie_breaker else self.rules

    @property
    def survivors(self) -> tuple[Standing, ...]:
        return tuple(standing for standing in self.standings if standing.is_in)

    def standing(self, seat: int) -> Standing | None:
        for standing in self.standings:
            if standing.seat == seat:
                return standing
        return None

    def with_standings(self, changed: Iterable[Standing]) -> "Match":
        by_seat = {standing.seat: standing for standing in changed}
        return replace(self, standings=tuple(by_seat.get(s.seat, s) for s in self.standings))


def start_match(
    rules: RuleSet, seats: Sequence[int], *, toss: bool, seed: bytes, now: Instant
) -> tuple[Match, Events]:
    if len(seats) not in SEATS or len(set(seats)) != len(seats):
        raise InvalidRules("Two to six players, each on a seat of their own.")
    order, tossed = toss_for_order(seats, seed=seed) if toss else (tuple(seats), None)
    deal, happened = deal_cards(rules, order, toss=tossed, seed=seed, now=now)
    chips = rules.chips_per_deal * (rules.deals or 0)
    stacks = dict(enumerate(rules.stacks)) or dict.fromkeys(order, chips)
    if not stacks.keys() >= set(order):
        raise InvalidRules("Every seat of a table has a stack.")
    standings = tuple(Standing(seat, chips=stacks[seat]) for seat in order)
    return Match(rules=rules, deal=deal, standings=standings), happened


def next_deal(match: Match, *, seed: bytes, now: Instant) -> tuple[Match, Events]:
    """A deal of its own decides a tie (R9.2)."""
    match = replace(
        match, standings=_rotated(match), number=match.number + 1, due_at=None, may_offer=True
    )
    players = match.contenders if match.tie_breaker else match.survivors
    order = tuple(standing.seat for standing in players)
    tossed = None
    if match.rules.tosses_every_deal:
        order, tossed = toss_for_order(sorted(order), seed=seed)
        match = replace(match, standings=_in_order(match, order))
    deal, happened = deal_cards(match.deal_rules, order, toss=tossed, seed=seed, now=now)
    return replace(match, deal=deal, stage=Stage.DEAL), happened


def _in_order(match: Match, order: Sequence[int]) -> tuple[Standing, ...]:
    """Those who do not play this deal come last."""
    places = {seat: place for place, seat in enumerate(order)}
    return tuple(sorted(match.standings, key=lambda s: places.get(s.seat, len(places))))


def _rotated(match: Match) -> tuple[Standing, ...]:
    """R4.1: who moved first in this deal is the dealer of the next one, so comes last."""
    seats = [standing.seat for standing in match.standings]
    after = seats.index(match.deal.order[0]) + 1
    return (*match.standings[after:], *match.standings[:after])


def end_match(match: Match, parts: Mapping[int, int]) -> tuple[Match, Events]:
    over = replace(match, stage=Stage.OVER, due_at=None, question=None, parts=tuple(parts.items()))
    return over, (events.match_over(over.winners),)


def result_of(match: Match) -> Result | None:
    if match.stage is not Stage.OVER:
        return None
    chips = {s.seat: s.chips for s in match.standings} if match.rules.chips_per_deal else {}
    return Result(
        winners=match.winners,
        points={standing.seat: standing.score for standing in match.standings},
        ranks=_ranks(match),
        scores=chips,
        shares=dict(match.parts),
        next_order=tuple(
            standing.seat
            for standing in _rotated(match)
            if standing.membership is not Membership.LEFT
        ),
    )


def _ranks(match: Match) -> dict[int, int]:
    """R8.8, R10.4: winners, then who stayed longer, had more chips, a lower score; equals share."""

    def place(standing: Standing) -> tuple[float, ...]:
        stayed = float("inf") if standing.out_in is None else standing.out_in
        if match.rules.qualifiers is not None:
            return -stayed, *merit(standing)
        return -stayed, -standing.chips, standing.score

    winners = match.winners
    places = {s.seat: place(s) for s in match.standings if s.seat not in winners}
    behind = {
        seat: 1 + len(winners) + sum(other < own for other in places.values())
        for seat, own in places.items()
    }
    return dict.fromkeys(winners, 1) | behind
