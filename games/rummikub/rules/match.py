"""A match: one deal or a session of several, and its winners (K16)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.cards import Card
from games.engine import state
from games.engine.base import JSON, Result, divide
from games.engine.core import Core, ranks_of
from games.engine.state import Stored, Value, require
from games.rummikub.rules import moves
from games.rummikub.rules.deal import Deal, RummikubEnding, Step, deal_tiles, toss_for_order
from games.rummikub.rules.ruleset import SEATS, RummikubRules, largest_loss


class RummikubLine(Value):
    """A finished deal on the score sheet: the points of each rack and the score of each seat."""

    deal: int
    how: RummikubEnding
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


class Match(state.Match[RummikubRules, Deal], kw_only=True):
    rules: RummikubRules
    deal: Deal
    sheet: tuple[RummikubLine, ...] = ()

    @property
    def totals(self) -> dict[int, int]:
        """The score of each seat over all deals (K15). The scores add up to zero."""
        totals = dict.fromkeys(self.seats, 0)
        for line in self.sheet:
            for seat, points in line.scores:
                totals[seat] += points
        return totals


class Rummikub(Core[Step, Match, Deal, RummikubRules]):
    seats = SEATS
    match_type = Match
    step_type = Step
    moves = moves.MOVES

    def toss(
        self, seats: Sequence[int], *, seed: bytes
    ) -> tuple[tuple[int, ...], tuple[Card, ...]]:
        return toss_for_order(seats, seed=seed)

    def deal(self, rules: RummikubRules, order: Sequence[int], *, number: int, seed: bytes) -> Deal:
        return deal_tiles(rules, order, seed)

    def describe_deal(self, deal: Deal, rules: RummikubRules) -> Mapping[str, Any]:
        return {}

    def expire_turn(self, step: Step) -> None:
        """Act when the time for a turn has run out (K12).

        Lay the table that the player was building if it is a valid lay. Otherwise the player misses the turn.
        """
        if moves.has_valid_draft(step):
            moves.lay_draft(step)
        else:
            super().expire_turn(step)

    def miss_turn(self, step: Step) -> None:
        moves.miss_turn(step)

    def miss_too_many(self, step: Step) -> None:
        step.act_for(step.deal.at_turn)
        moves.drop_out(step)

    def leave_deal(self, step: Step) -> None:
        moves.drop_out(step)

    def line(self, match: Match) -> RummikubLine:
        deal = match.deal
        return RummikubLine(
            deal=match.number,
            how=require(deal.how),
            winners=deal.winners,
            counts=tuple((player.seat, player.points(match.rules)) for player in deal.players),
            scores=tuple(compute_scores(deal).items()),
        )

    def find_winners(self, match: Match) -> tuple[int, ...]:
        is_last = len(match.staying) < 2 or match.number >= match.rules.deals
        return self.find_leaders(match) if is_last else ()

    def find_leaders(self, match: Match) -> tuple[int, ...]:
        """Return the winners of the deal or, in a session, the seats with the highest total (K16).

        If players advance from the session, ties are broken as `_rate_seat` says.
        """
        if match.rules.is_per_point:
            return match.deal.winners
        merits = {seat: _rate_seat(match, seat) for seat in match.staying}
        best = max(merits.values())
        return tuple(seat for seat, merit in merits.items() if merit == best)

    def result(self, match: Match) -> Result:
        totals = match.totals
        return Result(
            winners=tuple(sorted(match.winners)),
            points=_sum_losses(match),
            ranks=_rank_seats(match),
            scores={} if match.rules.is_per_point else _compute_stacks(match, totals),
            shares=dict.fromkeys(match.winners, 1),
            next_order=self.find_next_order(match),
            facts={
                "sheet": [line.json() for line in match.sheet],
                "totals": {str(seat): total for seat, total in totals.items()},
            },
        )


def compute_scores(deal: Deal) -> dict[int, int]:
    """Return the score of each seat in a deal: losers score minus their points, and winners share the sum (K15)."""
    scores = {player.seat: -player.lost for player in deal.players}
    won = divide(-sum(scores.values()), dict.fromkeys(deal.winners, 1))
    return {seat: won.get(seat, points) for seat, points in scores.items()}


def _rate_seat(match: Match, seat: int) -> tuple[int, ...]:
    """Return the key by which a seat is ranked; more is better.

    If some players advance from the match, equal totals are ranked by deals won, then by the lower count in the last
    deal, then by the order of play in it.
    """
    total = match.totals[seat]
    if match.rules.qualifiers is None:
        return (total,)
    won = sum(seat in line.winners for line in match.sheet)
    counts = dict(match.sheet[-1].counts) if match.sheet else {}
    return total, won, -counts.get(seat, 0), -match.deal.order.index(seat)


def _sum_losses(match: Match) -> dict[int, int]:
    """Return the points that each seat has lost over all deals. Points won are not deducted."""
    lost = dict.fromkeys(match.seats, 0)
    for line in match.sheet:
        for seat, points in line.scores:
            lost[seat] += max(0, -points)
    return lost


def _compute_stacks(match: Match, totals: Mapping[int, int]) -> dict[int, int]:
    """Return each seat's total in a session, plus the points with which it began.

    No result is negative, because each seat begins with the most that it could lose.
    """
    return {seat: compute_start(match.rules) + total for seat, total in totals.items()}


def compute_start(rules: RummikubRules) -> int:
    return 0 if rules.is_per_point else largest_loss(rules) * rules.deals


def _rank_seats(match: Match) -> dict[int, int]:
    """Return the rank of each seat, from 1: winners first, then the others, then players who left.

    The others are ranked by the points they have lost if the losers pay for these, else as `_rate_seat` says. Of the
    players who left, the last to leave ranks first.
    """

    def place(seat: int) -> tuple[int, ...]:
        if seat in match.left:
            return (1, -match.left.index(seat))
        if match.rules.is_per_point:
            return (0, _sum_losses(match)[seat])
        return (0, *(-part for part in _rate_seat(match, seat)))

    return ranks_of(match, place)


CORE: Final = Rummikub()


# --- Stored matches.

# States as bytes.
STORED: Final = Stored(Match, version=2)
