"""A match of basic rummy: a deal or a race, its order of dealing and its winners (B2, B11, B13)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.basic.rules import moves
from games.basic.rules.deal import Deal, deal_cards
from games.basic.rules.ruleset import SEATS, BasicRules
from games.engine import laid
from games.engine.base import Result
from games.engine.core import Core
from games.engine.laid import Line, line_of, ranked, rotated, sheet_json
from games.engine.shares import divide
from games.engine.step import Step


class Match(laid.Match, kw_only=True):
    rules: BasicRules

    @property
    def scores(self) -> dict[int, int]:
        """The points that opponents lost, credited to the winner of each deal. Winners share (B13)."""
        scores = dict.fromkeys(self.seats, 0)
        for line in self.sheet:
            gain = sum(points for _, points in line.points)
            for seat, points in divide(gain, dict.fromkeys(line.winners, 1)).items():
                scores[seat] += points
        return scores


class Basic(Core):
    seats = SEATS
    match_type = Match
    moves = moves.MOVES

    def deal(self, rules: BasicRules, order: Sequence[int], *, number: int, seed: bytes) -> Deal:
        return deal_cards(rules, order, seed)

    def dealt(self, deal: Deal, rules: BasicRules) -> Mapping[str, Any]:
        return {"open": deal.open_pile[0], "hand_size": len(deal.players[0].hand)}

    def miss_turn(self, step: Step) -> None:
        moves.miss_turn(step)

    def miss_too_many(self, step: Step) -> None:
        moves.drop_out(step)

    def leave_deal(self, step: Step) -> None:
        moves.leave(step)

    def next_order(self, match: Match) -> tuple[int, ...]:
        """Return the next order. Of two players the winner deals; otherwise the deal passes on (B2)."""
        order, winners = match.deal.order, match.deal.winners
        if len(order) == 2 and len(winners) == 1:
            losers = tuple(seat for seat in order if seat not in winners)
            return tuple(seat for seat in (*losers, *winners) if seat not in match.left)
        return rotated(match)

    def line(self, match: Match) -> Line:
        return line_of(match)

    def decided(self, match: Match) -> tuple[int, ...]:
        """Return the winners, or no seat while the match goes on (B13, B15)."""
        rules, staying = match.rules, match.staying
        if rules.is_per_point:
            return match.sheet[-1].winners
        if len(staying) == 1:
            return staying
        scores, ahead = match.scores, self.leaders(match)
        has_target = scores[ahead[0]] >= (rules.target or 0)
        has_all_deals = rules.deals is not None and len(match.sheet) >= rules.deals
        is_decided = (has_target or has_all_deals) and len(ahead) == 1
        return ahead if is_decided else ()

    def leaders(self, match: Match) -> tuple[int, ...]:
        """Return the seats with the highest score.

        With `qualifiers` there is one winner: equal scores are decided by deals won, then by
        fewer points lost, then by the first order of play.
        """
        scores = match.scores
        best = max(scores[seat] for seat in match.staying)
        equal = tuple(seat for seat in match.staying if scores[seat] == best)
        if match.rules.qualifiers is None:
            return equal
        merits = _merits(match)
        return (min(equal, key=merits.__getitem__),)

    def result(self, match: Match) -> Result:
        return Result(
            winners=tuple(sorted(match.winners)),
            points=match.lost,
            ranks=ranked(match, _merits(match)),
            scores={} if match.rules.is_per_point else match.scores,
            shares=dict.fromkeys(match.winners, 1),
            next_order=self.next_order(match),
            facts={"sheet": sheet_json(match.sheet)},
        )


def _merits(match: Match) -> dict[int, tuple[float, ...]]:
    scores, lost = match.scores, match.lost
    if match.rules.is_per_point:
        return {seat: (points,) for seat, points in lost.items()}
    if match.rules.qualifiers is None:
        return {seat: (-scores[seat],) for seat in match.seats}
    return {
        seat: (-scores[seat], -match.deals_won(seat), lost[seat], place)
        for place, seat in enumerate(match.seats)
    }


CORE: Final = Basic()
