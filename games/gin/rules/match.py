"""A match of gin: its deals, scores and winners (G2, G14 to G16)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.engine.base import Result
from games.engine.core import Core
from games.engine.state import as_json, require
from games.gin.rules import moves
from games.gin.rules.ruleset import GinRules
from games.gin.rules.scoring import count_bonuses
from games.gin.rules.state import Deal, GinLine, Match, Phase, Step, deal_cards, knock_limit


class Gin(Core[Step, Match, Deal, GinRules]):
    seats = range(2, 3)
    match_type = Match
    moves = moves.MOVES

    def deal(self, rules: GinRules, order: Sequence[int], *, number: int, seed: bytes) -> Deal:
        return deal_cards(rules, order, seed)

    def describe_deal(self, deal: Deal, rules: GinRules) -> Mapping[str, Any]:
        return {"open": deal.upcard, "knock_limit": knock_limit(deal.upcard, rules)}

    def expire_question(self, step: Step) -> None:
        """Answer a knock with the least deadwood for a player whose time has run out (G10)."""
        moves.lay_down(step, moves.find_defence(step.deal))

    def miss_turn(self, step: Step) -> None:
        moves.miss_turn(step)

    def miss_too_many(self, step: Step) -> None:
        moves.forfeit(step, step.deal.at_turn.seat)

    def leave_deal(self, step: Step) -> None:
        """Forfeit the deal of the leaving player. After a knock, answer it with the least deadwood instead (G16)."""
        if step.deal.phase is Phase.DEFEND:
            moves.lay_down(step, moves.find_defence(step.deal))
        else:
            moves.forfeit(step, step.player.seat)

    def find_next_order(self, match: Match) -> tuple[int, ...]:
        """Return the next order of play: starter, then dealer. After a dead deal the same player deals again (G2)."""
        outcome, order = match.deal.outcome, match.deal.order
        if outcome is None or outcome.winner is None:
            return order
        if match.rules.next_dealer == "alternate":
            return order[::-1]
        winner, loser = outcome.winner, match.get_opponent(outcome.winner)
        return (winner, loser) if match.rules.next_dealer == "loser" else (loser, winner)

    def line(self, match: Match) -> GinLine:
        deal, outcome = match.deal, require(match.deal.outcome)
        hands = zip(deal.order, outcome.hands, strict=True)
        return GinLine(
            deal=match.number,
            dealer=deal.dealer,
            how=outcome.how,
            winner=outcome.winner,
            points=outcome.points,
            deadwoods=tuple((seat, hand.deadwood) for seat, hand in hands),
        )

    def find_winners(self, match: Match) -> tuple[int, ...]:
        """Return the winners, or an empty tuple while the match goes on (G14 to G16)."""
        rules, scores = match.rules, match.scores
        if match.left and not (rules.is_per_point and match.scored):
            return match.staying
        if rules.is_per_point and match.scored:
            return tuple(line.winner for line in match.sheet if line.winner is not None)
        for seat, score in scores.items():
            if rules.target is not None and score >= rules.target:
                return (seat,)
        all_played = rules.deals is not None and match.scored >= rules.deals
        if all_played and len(set(scores.values())) > 1:
            return self.find_leaders(match)
        return self.find_leaders(match) if match.dead_deals >= rules.max_dead_deals else ()

    def find_leaders(self, match: Match) -> tuple[int, ...]:
        """Return the seats with the highest score.

        With `qualifiers` only one seat leads: ties are broken by deals won, then in favour of the seat that moved first
        in the last deal.
        """
        scores = match.scores
        best = max(scores.values())
        equal = tuple(seat for seat in match.deal.order if scores[seat] == best)
        if match.rules.qualifiers is None:
            return equal
        won = {seat: sum(line.winner == seat for line in match.sheet) for seat in equal}
        return (max(equal, key=won.__getitem__),)

    def result(self, match: Match) -> Result:
        """Return the result. A seat has lost the points that its opponent has scored (G14)."""
        scores, winners = match.scores, match.winners
        sheet_bonuses = count_bonuses(match.sheet, match.seats, winners, match.rules)
        return Result(
            winners=tuple(sorted(winners)),
            points={seat: scores[match.get_opponent(seat)] for seat in match.seats},
            ranks={seat: 1 if seat in winners else 2 for seat in match.seats},
            scores={} if match.rules.is_per_point else scores,
            shares=dict.fromkeys(winners, 1),
            next_order=tuple(
                seat for seat in self.find_next_order(match) if seat not in match.left
            ),
            facts={"sheet": as_json(match.sheet), "bonuses": as_json(sheet_bonuses)},
        )


CORE: Final = Gin()
next_order = CORE.find_next_order
