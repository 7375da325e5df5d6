"""A match: one scored deal or several, the score sheet, and who has won (G2, G14, G15)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tables.games.base import Instant, InvalidRules, Result
from tables.games.gin import events
from tables.games.gin.deal import Deal, How, Outcome, deal_cards, toss_for_order
from tables.games.gin.events import Events
from tables.games.gin.rulesets import GinRules
from tables.games.gin.sheet import Line, bonuses, scores_of, sheet_json


class Stage(StrEnum):
    DEAL = "deal"
    BETWEEN = "between"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Match:
    rules: GinRules
    deal: Deal
    number: int = 1
    stage: Stage = Stage.DEAL
    # When the next deal begins, between two deals.
    due_at: Instant | None = None
    # A line for each deal that is over.
    sheet: tuple[Line, ...] = ()
    # Who has left the match.
    left: int | None = None
    winners: tuple[int, ...] = ()

    @property
    def seats(self) -> tuple[int, ...]:
        return self.deal.order

    @property
    def scores(self) -> dict[int, int]:
        return scores_of(self.sheet, self.seats)

    @property
    def scored(self) -> int:
        """G15: dead deals are not counted."""
        return sum(line.how is not How.DEAD for line in self.sheet)

    @property
    def dead_deals(self) -> int:
        """In a row, up to now."""
        dead = 0
        for line in reversed(self.sheet):
            if line.how is not How.DEAD:
                break
            dead += 1
        return dead

    def other(self, seat: int) -> int:
        first, second = self.seats
        return second if seat == first else first


def start_match(
    rules: GinRules, seats: Sequence[int], *, toss: bool, seed: bytes, now: Instant
) -> tuple[Match, Events]:
    if len(seats) != 2 or len(set(seats)) != 2:
        raise InvalidRules("Two players, each on a seat of their own.")
    order, tossed = toss_for_order(seats, seed=seed) if toss else (tuple(seats), None)
    deal, happened = deal_cards(rules, order, toss=tossed, seed=seed, now=now)
    return Match(rules=rules, deal=deal), happened


def next_deal(match: Match, *, seed: bytes, now: Instant) -> tuple[Match, Events]:
    order = next_order(match)
    deal, happened = deal_cards(match.rules, order, toss=None, seed=seed, now=now)
    following = replace(match, deal=deal, number=match.number + 1, stage=Stage.DEAL, due_at=None)
    return following, happened


def next_order(match: Match) -> tuple[int, ...]:
    """G2: who begins, then the dealer. A dead deal, or one not ended, is dealt by the same."""
    outcome, order = match.deal.outcome, match.deal.order
    if outcome is None or outcome.winner is None:
        return order
    if match.rules.next_dealer == "alternate":
        return order[::-1]
    winner, loser = outcome.winner, match.other(outcome.winner)
    return (winner, loser) if match.rules.next_dealer == "loser" else (loser, winner)


def conclude_deal(match: Match, outcome: Outcome, now: Instant) -> tuple[Match, Events]:
    """Enter a deal that has just ended, and see whether the match goes on."""
    line = Line(
        deal=match.number,
        dealer=match.deal.dealer,
        how=outcome.how,
        winner=outcome.winner,
        points=outcome.points,
        deadwoods=tuple(
            (seat, hand.deadwood)
            for seat, hand in zip(match.deal.order, outcome.hands, strict=True)
        ),
    )
    match = replace(match, sheet=(*match.sheet, line))
    if winners := decided(match):
        return end_match(match, winners)
    due_at = now + match.rules.break_seconds * 1000
    return replace(match, stage=Stage.BETWEEN, due_at=due_at), (events.deal_due(due_at),)


def decided(match: Match) -> tuple[int, ...]:
    """G14 to G16: the winners; nobody as long as there is something left to play for."""
    rules, scores = match.rules, match.scores
    if match.left is not None and not (rules.is_per_point and match.scored):
        return (match.other(match.left),)
    if rules.is_per_point and match.scored:
        return tuple(line.winner for line in match.sheet if line.winner is not None)
    for seat, score in scores.items():
        if rules.target is not None and score >= rules.target:
            return (seat,)
    all_played = rules.deals is not None and match.scored >= rules.deals
    if all_played and len(set(scores.values())) > 1:
        return leaders(match)
    return leaders(match) if match.dead_deals >= rules.max_dead_deals else ()


def leaders(match: Match) -> tuple[int, ...]:
    """Who wins if the match ends now: the higher score; equal ones share.

    Where one has to go on (`qualifiers`), of equals the one who has won more deals does, and then
    the one who began the last deal.
    """
    scores = match.scores
    best = max(scores.values())
    equal = tuple(seat for seat in match.seats if scores[seat] == best)
    if match.rules.qualifiers is None:
        return equal
    won = {seat: sum(line.winner == seat for line in match.sheet) for seat in equal}
    return (max(equal, key=won.__getitem__),)


def end_match(match: Match, winners: tuple[int, ...]) -> tuple[Match, Events]:
    over = replace(match, stage=Stage.OVER, due_at=None, winners=winners)
    return over, (events.match_over(winners),)


def result_of(match: Match) -> Result | None:
    """G14: what a seat has lost are the points that the other one has scored."""
    if match.stage is not Stage.OVER:
        return None
    scores, winners = match.scores, match.winners
    return Result(
        winners=tuple(sorted(winners)),
        points={seat: scores[match.other(seat)] for seat in match.seats},
        ranks={seat: 1 if seat in winners else 2 for seat in match.seats},
        scores={} if match.rules.is_per_point else scores,
        shares=dict.fromkeys(winners, 1),
        next_order=tuple(seat for seat in next_order(match) if seat != match.left),
        facts={
            "sheet": sheet_json(match.sheet),
            "bonuses": bonuses(match.sheet, match.seats, winners, match.rules),
        },
    )
