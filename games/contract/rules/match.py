"""A match of Contract Rummy: its contracts, absent players and winners (C2, C16 to C19)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.contract.rules import moves, turns
from games.contract.rules.deal import Deal, Step, deal_cards
from games.contract.rules.moves import LayOff, SwapJoker
from games.contract.rules.ruleset import SEATS, ContractRules
from games.engine import laid
from games.engine.base import JSON, Result
from games.engine.core import Core
from games.engine.laid import Line, build_line, rank_seats, sheet_json
from games.engine.state import Stored, replace

_ON_MELDS: Final = (LayOff, SwapJoker)


class Match(laid.Match[ContractRules, Deal], kw_only=True):
    rules: ContractRules
    deal: Deal


class ContractRummy(Core[Step, Match, Deal, ContractRules]):
    seats = SEATS
    match_type = Match
    moves = moves.MOVES

    def deal(self, rules: ContractRules, order: Sequence[int], *, number: int, seed: bytes) -> Deal:
        return deal_cards(rules, order, number, seed)

    def describe_deal(self, deal: Deal, rules: ContractRules) -> Mapping[str, Any]:
        players = len(deal.players)
        return {
            "open": deal.open_pile[0],
            "hand_size": len(deal.players[0].hand),
            "contract": deal.contract,
            "packs": rules.packs_for(players),
            "jokers": rules.jokers_for(players),
        }

    def expire_question(self, step: Step) -> None:
        turns.close_sale(step)

    def miss_turn(self, step: Step) -> None:
        turns.miss_turn(step)

    def miss_too_many(self, step: Step) -> None:
        turns.become_absent(step)

    def leave_deal(self, step: Step) -> None:
        turns.leave(step)

    def line(self, match: Match) -> Line:
        """Return the score sheet's line of a deal. Players who left before it are charged `leave_points` (C19)."""
        line, away = (
            build_line(match),
            (seat for seat in match.left if seat not in match.deal.order),
        )
        points = ((seat, match.rules.leave_points) for seat in away)
        return replace(line, points=(*line.points, *points))

    def conclude_deal(self, step: Step) -> None:
        """Conclude the deal.

        Before that, players who were absent and made no move in the deal are removed from the match (C18).
        """
        match = step.match
        gone = tuple(
            player.seat
            for player in step.deal.players
            if player.was_absent and not player.has_played and player.seat not in match.left
        )
        step.match = replace(match, left=(*match.left, *gone))
        for seat in gone:
            step.announce("left", seat=seat, absent=True)
        super().conclude_deal(step)

    def find_winners(self, match: Match) -> tuple[int, ...]:
        """Return the winners after a deal, or an empty tuple while contracts are left to play (C16 to C19)."""
        if match.rules.per_point:
            return match.sheet[-1].winners
        if len(match.staying) < 2 or match.number >= match.rules.deals:
            return self.find_leaders(match)
        return ()

    def find_leaders(self, match: Match) -> tuple[int, ...]:
        """Return the seats with the lowest total (C16). If all players have left, all totals are compared.

        With `qualifiers` only one seat leads: ties go to the seat with more deals won, then to the seat that comes
        first in the first order of play.
        """
        totals = match.lost
        pool = match.staying or match.seats
        lowest = min(totals[seat] for seat in pool)
        equal = tuple(seat for seat in pool if totals[seat] == lowest)
        if match.rules.qualifiers is None:
            return equal
        merits = _rate_seats(match)
        return (min(equal, key=merits.__getitem__),)

    def result(self, match: Match) -> Result:
        totals = match.lost
        # A higher score is better.
        scores = {} if match.rules.per_point else {seat: -total for seat, total in totals.items()}
        return Result(
            winners=tuple(sorted(match.winners)),
            points=totals,
            ranks=rank_seats(match, _rate_seats(match)),
            scores=scores,
            shares=dict.fromkeys(match.winners, 1),
            next_order=self.find_next_order(match),
            facts={"sheet": sheet_json(match.sheet)},
        )

    # --- Lay-offs and swaps are listed together: meld by meld, and card by card.

    def list_legal(self, match: Match, seat: int) -> tuple[Any, ...]:
        listed = super().list_legal(match, seat)
        on_melds = [move for move in listed if isinstance(move, _ON_MELDS)]
        if not on_melds:
            return listed
        hand = Step(match, seat).player.hand
        on_melds.sort(key=lambda move: _place(move, hand))
        return (*on_melds, *(move for move in listed if not isinstance(move, _ON_MELDS)))

    def describe_legal(self, match: Match, seat: int) -> list[dict[str, JSON]]:
        entries = super().describe_legal(match, seat)
        if [entry["kind"] for entry in entries[:2]] == [LayOff.kind, SwapJoker.kind]:
            first, *_ = self.list_legal(match, seat)
            if first.kind == SwapJoker.kind:
                entries[:2] = entries[1::-1]
        return entries


def _place(move: LayOff | SwapJoker, hand: Sequence[int]) -> tuple[int, int]:
    """Return the key by which lay-offs and swaps are sorted in the list of moves."""
    card = move.card if isinstance(move, SwapJoker) else move.laid.cards[0]
    return move.meld, hand.index(card)


def _rate_seats(match: Match) -> dict[int, tuple[float, ...]]:
    totals = match.lost
    if match.rules.qualifiers is None:
        return {seat: (total,) for seat, total in totals.items()}
    return {
        seat: (totals[seat], -match.count_deals_won(seat), place)
        for place, seat in enumerate(match.seats)
    }


CORE: Final = ContractRummy()


# --- Stored matches.

# States as bytes.
STORED: Final = Stored(Match, version=2)
