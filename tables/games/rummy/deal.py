"""A deal in which melds are laid on the table: what basic and Contract Rummy have in common.

States are values. What changes them is in `turns` and `laying`, and in each game's own modules.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from typing import Any, Final, Literal, Protocol, TypeVar

from tables.games.base import Instant
from tables.games.cards import CARDS, NO_SUIT, Card
from tables.games.rummy.forms import Groups
from tables.games.rummy.melds import Meld
from tables.games.shuffle import shuffled

# One pack without its joker: what cards are tossed from.
PACK: Final = CARDS[:52]


class TableRules(Protocol):
    """What both rule sets say by the same names."""

    @property
    def turn_seconds(self) -> int: ...
    @property
    def extra_seconds(self) -> int: ...
    @property
    def break_seconds(self) -> int: ...
    @property
    def max_turns(self) -> int: ...
    @property
    def max_minutes(self) -> int: ...
    @property
    def max_missed_turns(self) -> int: ...
    @property
    def may_return_open_card(self) -> bool: ...
    @property
    def restock(self) -> Literal["shuffle", "turn", "block"]: ...
    @property
    def max_restocks(self) -> int: ...
    @property
    def last_card(self) -> Literal["any", "discard", "lay"]:
        """How the last card of a hand may go."""


class Phase(StrEnum):
    TURN = "turn"
    BUY = "buy"
    OVER = "over"


class Status(StrEnum):
    """Where a player stands in the deal."""

    PLAYING = "playing"
    ABSENT = "absent"
    DROPPED = "dropped"
    LEFT = "left"
    WON = "won"
    LOST = "lost"


class How(StrEnum):
    """How a deal ended."""

    OUT = "out"
    RUMMY = "rummy"
    BLOCKED = "blocked"
    LIMIT = "limit"
    LAST_PLAYER = "last_player"


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    seat: int
    # The hand, in the order and the groups that the player saved last.
    groups: Groups
    extra_ms: int
    rev: int = 0
    status: Status = Status.PLAYING
    missed: int = 0
    turns: int = 0
    # The number of the turn in which they laid something for the first time.
    laid_in: int | None = None
    # From the open pile, in this order.
    taken: tuple[Card, ...] = ()
    # What they lose by this deal, once it is certain.
    points: int | None = None

    @property
    def hand(self) -> tuple[Card, ...]:
        return tuple(chain.from_iterable(self.groups))

    @property
    def is_playing(self) -> bool:
        return self.status in (Status.PLAYING, Status.ABSENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    seed: bytes
    # In order of play; the last is the dealer.
    players: tuple[Any, ...]
    # Both with their top card last.
    closed: tuple[Card, ...]
    open_pile: tuple[Card, ...]
    started_at: Instant
    due_at: Instant
    toss: tuple[Card, ...] | None = None
    discards: tuple[tuple[int, Card], ...] = ()
    melds: tuple[Meld, ...] = ()
    phase: Phase = Phase.TURN
    turn: int = 0  # index into players
    turn_number: int = 1
    drawn: Card | None = None
    drawn_from_open: bool = False
    # Melds laid in this turn.
    laid: int = 0
    restocks: int = 0
    how: How | None = None

    @property
    def order(self) -> tuple[int, ...]:
        return tuple(player.seat for player in self.players)

    @property
    def dealer(self) -> int:
        return int(self.players[-1].seat)

    @property
    def playing(self) -> tuple[Any, ...]:
        return tuple(player for player in self.players if player.is_playing)

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(player.seat for player in self.players if player.status is Status.WON)

    @property
    def deadline(self) -> Instant | None:
        """The clock, and then the extra time of the player at turn."""
        if self.phase is Phase.OVER:
            return None
        extra_ms: int = 0 if self.phase is Phase.BUY else self.players[self.turn].extra_ms
        return self.due_at + extra_ms

    def is_late(self, now: Instant) -> bool:
        deadline = self.deadline
        return deadline is not None and now >= deadline

    def cards(self) -> Iterator[Card]:
        """Every card of the deal: hands, piles and melds."""
        yield from self.closed
        yield from self.open_pile
        for player in self.players:
            yield from player.hand
        for meld in self.melds:
            yield from meld.cards


DealT = TypeVar("DealT", bound=Deal)
PlayerT = TypeVar("PlayerT", bound=Player)


def with_player(deal: DealT, changed: Player) -> DealT:
    players = tuple(changed if p.seat == changed.seat else p for p in deal.players)
    return replace(deal, players=players)


def player_at(deal: Deal, seat: int) -> Any | None:
    return next((player for player in deal.players if player.seat == seat), None)


def holding(player: PlayerT, *cards: Card) -> PlayerT:
    """With each new card as a group of its own: it spoils no group that was saved."""
    return replace(player, groups=(*player.groups, *((card,) for card in cards)))


def without(player: PlayerT, *cards: Card) -> PlayerT:
    lighter = (tuple(card for card in group if card not in cards) for group in player.groups)
    return replace(player, groups=tuple(group for group in lighter if group))


def kept_card(deal: Deal, rules: TableRules) -> Card | None:
    """B7, C13: the card that may not be discarded in this turn."""
    is_bound = deal.drawn_from_open and not rules.may_return_open_card
    return deal.drawn if is_bound else None


def toss_for_order(
    seats: Sequence[int], *, seed: bytes
) -> tuple[tuple[int, ...], tuple[Card, ...]]:
    """B2, C2: one card each, the lowest deals; the order of play, and the cards in that order."""
    drawn = shuffled(PACK, seed=seed, label="toss")[: len(seats)]
    by_card = dict(zip(drawn, seats, strict=True))
    ranked = sorted(drawn, key=lambda card: (-card.rank, card.suit))
    return tuple(by_card[card] for card in ranked), tuple(ranked)


def hand_of(deck: Sequence[Card], place: int, players: int, size: int) -> tuple[Card, ...]:
    """One card at a time in order of play: what this place gets."""
    return tuple(deck[place : size * players : players])


def sorted_by_suit(hand: Sequence[Card]) -> Groups:
    """How a hand lies at first: a group for each suit, from the ace; jokers last."""
    ordered = sorted(hand, key=lambda card: (card.face, card.pack))
    by_suit = (tuple(card for card in ordered if card.suit == suit) for suit in range(NO_SUIT + 1))
    return tuple(group for group in by_suit if group)
