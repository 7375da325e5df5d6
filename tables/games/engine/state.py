"""The state of a match: its players, its running deal and its score sheet.

States are immutable. A `Step` (engine/step.py) builds the next one. A game adds fields in a subclass.
"""

from collections.abc import Sequence
from enum import StrEnum
from itertools import chain
from typing import Any, TypeVar

from tables.games.base import Instant
from tables.games.cards import NO_SUIT, Card
from tables.games.engine.codec import Groups, Value, replace


class Stage(StrEnum):
    DEAL = "deal"
    BETWEEN = "between"
    OVER = "over"


class Player(Value, kw_only=True):
    """A player in a deal. `groups` is the hand in the player's own arrangement."""

    seat: int
    groups: Groups
    extra_ms: int = 0
    rev: int = 0
    missed: int = 0
    turns: int = 0
    # Cards drawn from the open pile, oldest first.
    taken: tuple[Card, ...] = ()

    @property
    def hand(self) -> tuple[Card, ...]:
        return tuple(chain.from_iterable(self.groups))

    @property
    def is_playing(self) -> bool:
        return True


PlayerT = TypeVar("PlayerT", bound=Player)


def holding(player: PlayerT, *cards: Card) -> PlayerT:
    """Add cards to a hand, each as its own group, so that the player's groups stay intact."""
    return replace(player, groups=(*player.groups, *((card,) for card in cards)))


def without(player: PlayerT, *cards: Card) -> PlayerT:
    """Remove cards from a hand, and groups that become empty."""
    lighter = (tuple(card for card in group if card not in cards) for group in player.groups)
    return replace(player, groups=tuple(group for group in lighter if group))


class Deal(Value, kw_only=True):
    """A deal with a closed deck and an open pile, both with their top card last."""

    seed: bytes
    # In order of play. The last player is the dealer.
    players: tuple[Any, ...]
    closed: tuple[Card, ...]
    open_pile: tuple[Card, ...]
    started_at: Instant = 0
    due_at: Instant = 0
    toss: tuple[Card, ...] | None = None
    discards: tuple[tuple[int, Card], ...] = ()
    turn: int = 0  # index into players
    turn_number: int = 1
    drawn: Card | None = None
    drawn_from_open: bool = False

    @property
    def is_over(self) -> bool:
        raise NotImplementedError

    @property
    def in_turn(self) -> bool:
        """Whether a turn is running: the player at turn acts and may use extra time."""
        raise NotImplementedError

    @property
    def order(self) -> tuple[int, ...]:
        return tuple(player.seat for player in self.players)

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


class Match(Value, kw_only=True):
    rules: Any
    deal: Any
    # All players of the match, in their first order of play.
    seats: tuple[int, ...]
    number: int = 1
    stage: Stage = Stage.DEAL
    # Between two deals: the start of the next one.
    due_at: Instant | None = None
    sheet: tuple[Any, ...] = ()
    # Players who have left the match, in the order of leaving.
    left: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()

    @property
    def staying(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.seats if seat not in self.left)

    @property
    def deadline(self) -> Instant | None:
        deadline: Instant | None = self.deal.deadline if self.stage is Stage.DEAL else self.due_at
        return deadline


def sorted_by_suit(hand: Sequence[Card]) -> Groups:
    """Arrange a new hand: a group for each suit, jokers last."""
    ordered = sorted(hand, key=lambda card: (card.face, card.pack))
    by_suit = (tuple(card for card in ordered if card.suit == suit) for suit in range(NO_SUIT + 1))
    return tuple(group for group in by_suit if group)


def dealt_hands(
    deck: Sequence[Card], order: Sequence[int], size: int
) -> tuple[dict[int, Groups], tuple[Card, ...]]:
    """Deal one card at a time. Returns the hands by seat and the rest of the deck."""
    in_hands = size * len(order)
    hands = {
        seat: sorted_by_suit(deck[place : in_hands : len(order)])
        for place, seat in enumerate(order)
    }
    return hands, tuple(deck[in_hands:])
