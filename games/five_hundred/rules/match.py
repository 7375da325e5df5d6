"""A deal of 500 Rum, a match of one deal or a race (F1 to F3, F11, F13), and their stored form."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.engine import laid, laying
from games.engine.base import JSON
from games.engine.state import Stored, deal_piles
from games.five_hundred.rules import moves
from games.five_hundred.rules.moves import Deal
from games.five_hundred.rules.ruleset import SEATS, FiveHundredRules


class Line(laid.Line):
    """A finished deal on the score sheet. `scores` are the points that each seat laid, less those in its hand (F11)."""

    scores: tuple[tuple[int, int], ...]

    def json(self) -> dict[str, JSON]:
        return {**super().json(), "scores": {str(seat): score for seat, score in self.scores}}


class Match(laid.Match[FiveHundredRules, Deal], kw_only=True):
    rules: FiveHundredRules
    deal: Deal
    sheet: tuple[Line, ...] = ()

    @property
    def scores(self) -> dict[int, int]:
        """The sum of each seat's results so far, which may be negative (F13)."""
        scores = dict.fromkeys(self.seats, 0)
        for line in self.sheet:
            for seat, score in line.scores:
                scores[seat] += score
        return scores


class FiveHundred(laying.Race[moves.Step, Match, Deal, FiveHundredRules]):
    course = moves.COURSE
    seats = SEATS
    match_type = Match
    moves = moves.MOVES

    def deal(
        self, rules: FiveHundredRules, order: Sequence[int], *, number: int, seed: bytes
    ) -> Deal:
        """Deal the hands, then turn up the first card of the open pile (F2)."""
        seats = len(order)
        deck, size = rules.deck(seats), rules.hand_size(seats)
        return Deal(**deal_piles(laid.Player, rules, deck, order, size, seed=seed))

    def describe_deal(self, deal: Deal, rules: FiveHundredRules) -> Mapping[str, Any]:
        return {
            "open": deal.open_pile[0],
            "hand_size": len(deal.players[0].hand),
            "packs": rules.packs_for(len(deal.players)),
        }

    def line(self, match: Match) -> Line:
        line, deal = laid.build_line(match), match.deal
        return Line(
            deal=line.deal,
            dealer=line.dealer,
            how=line.how,
            winners=line.winners,
            points=line.points,
            scores=tuple(
                (player.seat, moves.net_of(deal, player, match.rules)) for player in deal.players
            ),
        )


CORE: Final = FiveHundred()
STORED: Final = Stored(Match, version=2)
