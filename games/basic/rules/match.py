"""A match of basic rummy: its deals, their order, and its winners (B1 to B3, B11, B13)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.basic.rules import moves
from games.basic.rules.moves import Deal
from games.basic.rules.ruleset import SEATS, BasicRules
from games.engine import laid, laying
from games.engine.base import divide
from games.engine.core import PACK
from games.engine.laid import Player
from games.engine.state import Stored, deal_piles


class Match(laid.Match[BasicRules, Deal], kw_only=True):
    rules: BasicRules
    deal: Deal

    @property
    def scores(self) -> dict[int, int]:
        """The score of each seat (B13). The winner of a deal scores the others' losses; several winners share them."""
        scores = dict.fromkeys(self.seats, 0)
        for line in self.sheet:
            gain = sum(points for _, points in line.points)
            for seat, points in divide(gain, dict.fromkeys(line.winners, 1)).items():
                scores[seat] += points
        return scores


class Basic(laying.Race[moves.Step, Match, Deal, BasicRules]):
    course = moves.COURSE
    seats = SEATS
    match_type = Match
    moves = moves.MOVES

    def deal(self, rules: BasicRules, order: Sequence[int], *, number: int, seed: bytes) -> Deal:
        """Deal the hands, then turn up the first card of the open pile (B3)."""
        return Deal(
            **deal_piles(Player, rules, PACK, order, rules.hand_size(len(order)), seed=seed)
        )

    def describe_deal(self, deal: Deal, rules: BasicRules) -> Mapping[str, Any]:
        return {"open": deal.open_pile[0], "hand_size": len(deal.players[0].hand)}

    def find_next_order(self, match: Match) -> tuple[int, ...]:
        """Return the next order of play.

        Of two players, the winner deals. Otherwise, or if both have won, the deal passes to the next player (B2).
        """
        order, winners = match.deal.order, match.deal.winners
        if len(order) == 2 and len(winners) == 1:
            losers = tuple(seat for seat in order if seat not in winners)
            return tuple(seat for seat in (*losers, *winners) if seat not in match.left)
        return super().find_next_order(match)


CORE: Final = Basic()


# --- Stored matches.

# States as bytes.
STORED: Final = Stored(Match, version=2)
