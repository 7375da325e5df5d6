"""A match of gin: its deals, scores and winners (G2, G14 to G16)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.engine import state
from games.engine.base import Result
from games.engine.codec import Stored
from games.engine.core import Core
from games.engine.step import Step, as_json
from games.engine.version_1 import HEAD, Version1
from games.gin.rules import moves
from games.gin.rules.deal import Deal, How, Phase, deal_cards, knock_limit
from games.gin.rules.ruleset import RULES, GinRules
from games.gin.rules.scoring import Line, bonuses, scores_of


class Match(state.Match, kw_only=True):
    rules: GinRules
    deal: Deal
    sheet: tuple[Line, ...] = ()

    @property
    def scores(self) -> dict[int, int]:
        return scores_of(self.sheet, self.seats)

    @property
    def scored(self) -> int:
        """The number of scored deals. Dead deals do not count (G15)."""
        return sum(line.how is not How.DEAD for line in self.sheet)

    @property
    def dead_deals(self) -> int:
        """The current number of dead deals in a row."""
        dead = 0
        for line in reversed(self.sheet):
            if line.how is not How.DEAD:
                break
            dead += 1
        return dead

    def other(self, seat: int) -> int:
        first, second = self.seats
        return second if seat == first else first


class Gin(Core):
    seats = range(2, 3)
    match_type = Match
    moves = moves.MOVES

    def deal(self, rules: GinRules, order: Sequence[int], *, number: int, seed: bytes) -> Deal:
        return deal_cards(rules, order, seed)

    def dealt(self, deal: Deal, rules: GinRules) -> Mapping[str, Any]:
        return {"open": deal.upcard, "knock_limit": knock_limit(deal.upcard, rules)}

    def expire_deal(self, step: Step) -> None:
        """Lay the best answer to a knock for a player whose time has run out (G10)."""
        if step.deal.phase is Phase.DEFEND:
            moves.lay_down(step, moves.defence_of(step.deal))
        else:
            super().expire_deal(step)

    def miss_turn(self, step: Step) -> None:
        moves.miss_turn(step)

    def miss_too_many(self, step: Step) -> None:
        moves.forfeit(step, step.deal.at_turn.seat)

    def leave_deal(self, step: Step) -> None:
        """Forfeit the deal. After a knock, count it at once with the best defence (G16)."""
        if step.deal.phase is Phase.DEFEND:
            moves.lay_down(step, moves.defence_of(step.deal))
        else:
            moves.forfeit(step, step.player.seat)

    def next_order(self, match: Match) -> tuple[int, ...]:
        """Return the starter, then the dealer. After a dead deal the same player deals again (G2)."""
        outcome, order = match.deal.outcome, match.deal.order
        if outcome is None or outcome.winner is None:
            return order
        if match.rules.next_dealer == "alternate":
            return order[::-1]
        winner, loser = outcome.winner, match.other(outcome.winner)
        return (winner, loser) if match.rules.next_dealer == "loser" else (loser, winner)

    def line(self, match: Match) -> Line:
        deal, outcome = match.deal, match.deal.outcome
        assert outcome is not None  # noqa: S101 - the deal is over
        hands = zip(deal.order, outcome.hands, strict=True)
        return Line(
            deal=match.number,
            dealer=deal.dealer,
            how=outcome.how,
            winner=outcome.winner,
            points=outcome.points,
            deadwoods=tuple((seat, hand.deadwood) for seat, hand in hands),
        )

    def decided(self, match: Match) -> tuple[int, ...]:
        """Return the winners, or no seat while the match goes on (G14 to G16)."""
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
            return self.leaders(match)
        return self.leaders(match) if match.dead_deals >= rules.max_dead_deals else ()

    def leaders(self, match: Match) -> tuple[int, ...]:
        """Return the seats with the highest score.

        With `qualifiers` there is one winner: equal scores are decided by deals won, then by
        the start of the last deal.
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
        sheet_bonuses = bonuses(match.sheet, match.seats, winners, match.rules)
        return Result(
            winners=tuple(sorted(winners)),
            points={seat: scores[match.other(seat)] for seat in match.seats},
            ranks={seat: 1 if seat in winners else 2 for seat in match.seats},
            scores={} if match.rules.is_per_point else scores,
            shares=dict.fromkeys(winners, 1),
            next_order=tuple(seat for seat in self.next_order(match) if seat not in match.left),
            facts={"sheet": as_json(match.sheet), "bonuses": as_json(sheet_bonuses)},
        )


CORE: Final = Gin()
next_order = CORE.next_order


# --- Stored matches.

# The fields of version 1, in their order.
_FIELDS: Final = {
    "Match": "rules deal number stage due_at sheet left winners",
    "Deal": (
        "seed players upcard closed open_pile started_at due_at toss discards phase turn"
        " turn_number drawn drawn_from_open must_draw_closed knock outcome"
    ),
    "Player": "seat groups extra_ms rev missed turns taken",
    "Knocked": "seat kind card groups loose points",
    "Outcome": "how winner points hands lay_offs",
    "Laid": "groups loose deadwood",
    "Line": "deal dealer how winner points deadwoods",
}


def _amend(values: dict[str, Any]) -> None:
    _seed, players, *_rest = values["deal"]
    values["seats"] = [seat for seat, *_rest in players]
    values["left"] = [] if values["left"] is None else [values["left"]]


# States as bytes.
STORED: Final = Stored(
    Match,
    version=2,
    earlier={HEAD: Version1(Match, fields=_FIELDS, rules=RULES.parse, amend=_amend).load},
)
