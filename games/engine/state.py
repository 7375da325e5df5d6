"""The state of a match: its players, its running deal and its score sheet.

States are immutable. A `Step` (engine/step.py) builds the next one. A game adds fields in a subclass.
Games with a closed deck and an open pile begin with those of engine/piles.py.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, ClassVar

from games.cards import CARD_TEXT, Card
from games.engine.base import JSON, Instant
from games.engine.codec import Value, replace


class Stage(StrEnum):
    DEAL = "deal"
    BETWEEN = "between"
    # Players answer a question before the next deal. Only some games ask.
    ASKING = "asking"
    OVER = "over"


class Player(Value, kw_only=True):
    """A player in a deal."""

    seat: int
    extra_ms: int = 0
    rev: int = 0
    missed: int = 0
    turns: int = 0

    @property
    def is_playing(self) -> bool:
        return True


class Deal(Value, kw_only=True):
    """A deal: its order of play and its clocks."""

    # Values of fields at the beginning of every turn.
    new_turn: ClassVar[Mapping[str, Any]] = {}

    seed: bytes
    # In order of play. The last player is the dealer.
    players: tuple[Any, ...]
    started_at: Instant = 0
    due_at: Instant = 0
    toss: tuple[Card, ...] | None = None
    turn: int = 0  # index into players
    turn_number: int = 1

    # A game with phases has a field `phase`, at its own place among the stored ones.

    @property
    def is_over(self: Any) -> bool:
        return bool(self.phase == "over")

    @property
    def in_turn(self: Any) -> bool:
        """Return whether a turn is running: the player at turn acts and may use extra time."""
        return bool(self.phase == "turn")

    @property
    def order(self) -> tuple[int, ...]:
        return tuple(player.seat for player in self.players)

    @property
    def tossed(self) -> list[JSON] | None:
        """The cards that were drawn for the order of play, as everybody sees them."""
        if self.toss is None:
            return None
        cards = zip(self.order, self.toss, strict=True)
        return [{"seat": seat, "card": CARD_TEXT[card]} for seat, card in cards]

    @property
    def dealer(self) -> int:
        return int(self.players[-1].seat)

    @property
    def at_turn(self) -> Any:
        return self.players[self.turn]

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats that the deal is waiting for."""
        return () if self.is_over else (self.at_turn.seat,)

    @property
    def playing(self) -> tuple[Any, ...]:
        return tuple(player for player in self.players if player.is_playing)

    @property
    def deadline(self) -> Instant | None:
        """The end of the turn's clock plus the extra time of the player at turn."""
        if self.is_over:
            return None
        return self.due_at + (self.at_turn.extra_ms if self.in_turn else 0)

    def with_player(self, changed: Any) -> Any:
        """Return the deal with this player in place of the one on the same seat."""
        seat = changed.seat
        return replace(
            self, players=tuple([changed if p.seat == seat else p for p in self.players])
        )

    def player(self, seat: int | None) -> Any | None:
        for player in self.players:
            if player.seat == seat:
                return player
        return None


class Course(Value, kw_only=True):
    """The stage and the clock of a match. A game says in a subclass how its players stand.

    `Match` keeps a score sheet. Other subclasses provide `seats`, `staying` and `winners`.
    """

    rules: Any
    deal: Any
    number: int = 1
    stage: Stage = Stage.DEAL
    # The end of a stage other than a deal.
    due_at: Instant | None = None

    @property
    def deal_rules(self) -> Any:
        """The rules of the running deal."""
        return self.rules

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats that the match is waiting for."""
        acting: tuple[int, ...] = self.deal.acting if self.stage is Stage.DEAL else ()
        return acting

    @property
    def deadline(self) -> Instant | None:
        deadline: Instant | None = self.deal.deadline if self.stage is Stage.DEAL else self.due_at
        return deadline


class Match(Course, kw_only=True):
    """A match that is decided by its score sheet."""

    # All players of the match, in their first order of play.
    seats: tuple[int, ...]
    sheet: tuple[Any, ...] = ()
    # Players who have left the match, in the order of leaving.
    left: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()

    @property
    def staying(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.seats if seat not in self.left)
