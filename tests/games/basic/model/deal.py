"""A deal of the model: who holds what, and what may be held at the end of a turn (B3, B7, B8)."""

from dataclasses import dataclass, field
from typing import Any

from games.basic.rules.ruleset import BasicRules
from tests.games.basic.model.melds import grown
from tests.games.model import cards as deck

PACK = deck.packs_of(1)[:-1]  # B1


@dataclass
class Seat:
    seat: int
    hand: list[str]
    extra_ms: int
    status: str = "playing"
    rev: int = 0
    missed: int = 0
    turns: int = 0
    laid_in: int | None = None
    taken: list[str] = field(default_factory=list)
    points: int | None = None


class Deal:
    def __init__(self, rules: BasicRules, order: list[int], seed: bytes, now: int) -> None:
        """B3."""
        cards = deck.shuffled(PACK, seed, "deal")
        n, size = len(order), rules.hand_sizes[len(order) - 2]
        extra = rules.extra_seconds * 1000
        self.rules, self.seed, self.size = rules, seed, size
        self.seats = [Seat(s, cards[at : n * size : n], extra) for at, s in enumerate(order)]
        self.open_pile = [cards[n * size]]
        self.closed = cards[n * size + 1 :]
        self.discards: list[list[Any]] = []
        self.melds: list[dict[str, Any]] = []
        self.turn, self.turn_number, self.laid, self.restocks = 0, 1, 0, 0
        self.seats[0].turns = 1
        self.drawn: str | None = None
        self.from_open = False
        self.started_at, self.due_at = now, now + rules.turn_seconds * 1000
        self.how: str | None = None

    @property
    def at_turn(self) -> Seat:
        return self.seats[self.turn]

    @property
    def playing(self) -> list[Seat]:
        return [one for one in self.seats if one.status == "playing"]

    @property
    def deadline(self) -> int:
        """B14: the turn, and the stock of the player at turn beyond it."""
        return self.due_at + self.at_turn.extra_ms

    @property
    def kept(self) -> str | None:
        """B7: what may not be discarded in this turn."""
        is_bound = self.from_open and not self.rules.may_return_open_card
        return self.drawn if is_bound else None

    def seat(self, seat: int) -> Seat | None:
        return next((one for one in self.seats if one.seat == seat), None)

    def capped(self, points: int) -> int:
        """B12."""
        cap = self.rules.max_points
        return points if cap is None else min(points, cap)

    def can_end(self, rest: list[str], lying: list[dict[str, Any]]) -> bool:
        """B7, B8: a card may be discarded, or the last one can be laid."""
        must_discard = self.rules.must_discard_last
        if not rest:
            return not must_discard
        if set(rest) - {self.kept}:
            return True
        return not must_discard and any(grown(meld, rest, self.rules) for meld in lying)
