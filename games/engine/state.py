"""The state of a match: its players, its running deal and its score sheet, as values that can be stored.

States are immutable. A `Step` (engine/moves.py) builds the next one. A game adds fields in a subclass. Games with a
closed deck and an open pile start from `PilesPlayer` and `PilesDeal`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum, StrEnum
from itertools import groupby
from typing import Any, ClassVar, Final, Generic, Self, TypeVar, dataclass_transform

import msgspec

from games.cards import CARD_SUIT, CARD_TEXT, CARDS, Card
from games.engine.base import JSON, Instant
from games.shuffle import shuffle

T = TypeVar("T")
PlayerT_co = TypeVar("PlayerT_co", bound="Player", covariant=True)
DealT_co = TypeVar("DealT_co", bound="Deal[Any]", covariant=True)
RulesT_co = TypeVar("RulesT_co", covariant=True)
# `replace(value, name=new, ...)` returns a changed copy.
replace = msgspec.structs.replace
Groups = tuple[tuple[Card, ...], ...]


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Value(msgspec.Struct, frozen=True, array_like=True):
    """An immutable value, stored as a list of its fields. `replace` returns a changed copy.

    Append new fields at the end, with a default, so that older states can be read.
    """


def require(value: T | None) -> T:
    """Return a value that cannot be None here, because of the phase of the deal or an earlier check."""
    assert value is not None  # noqa: S101 - see above
    return value


class UnknownVersion(ValueError):  # noqa: N818 - says what it is
    """The stored state has the format of another version of this code."""


class Stored(Generic[T]):
    """Writes states of one type as bytes and reads them. The bytes begin with the version of their format."""

    def __init__(self, kind: type[T], *, version: int) -> None:
        self._version = version
        self._head = bytes([version])
        self._encode = msgspec.msgpack.Encoder(enc_hook=int).encode
        self._decode = msgspec.msgpack.Decoder(kind, dec_hook=_read_card).decode

    def dump(self, state: T) -> bytes:
        return self._head + self._encode(state)

    def load(self, data: bytes) -> T:
        if data[0] == self._version:
            return self._decode(memoryview(data)[1:])
        raise UnknownVersion(f"version {data[0]} of a stored match")


def _read_card(_kind: Any, number: Any) -> Card:
    card: Card = CARDS[number]
    return card


# --- A match and its deals.


class Stage(StrEnum):
    DEAL = "deal"
    BETWEEN = "between"
    # Players answer a question before the next deal. Only some games ask.
    ASKING = "asking"
    OVER = "over"


# Here and elsewhere, an enum member that every move looks up has a name of its own: Python 3.11 takes seven
# times as long to find `Stage.DEAL`.
_DEAL: Final = Stage.DEAL


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


class Deal(Value, Generic[PlayerT_co], kw_only=True):
    """A deal: its order of play and its clocks."""

    # Values of fields at the beginning of every turn.
    new_turn: ClassVar[Mapping[str, Any]] = {}

    seed: bytes
    # In order of play. The last player is the dealer.
    players: tuple[PlayerT_co, ...]
    started_at: Instant = 0
    due_at: Instant = 0
    toss: tuple[Card, ...] | None = None
    turn: int = 0  # index into players
    turn_number: int = 1

    # A game with phases adds a field `phase`, at any position among its stored fields.

    @property
    def is_over(self: Any) -> bool:
        is_over: bool = self.phase == "over"
        return is_over

    @property
    def in_turn(self: Any) -> bool:
        """Whether a turn is running, so that the current player has to act."""
        in_turn: bool = self.phase == "turn"
        return in_turn

    @property
    def has_extra_time(self) -> bool:
        """Whether the current player may use extra time now."""
        return self.in_turn

    @property
    def order(self) -> tuple[int, ...]:
        return tuple([player.seat for player in self.players])

    @property
    def tossed(self) -> list[JSON] | None:
        """The cards drawn for the order of play, as everybody sees them, or None if there was no toss."""
        if self.toss is None:
            return None
        cards = zip(self.order, self.toss, strict=True)
        return [{"seat": seat, "card": CARD_TEXT[card]} for seat, card in cards]

    @property
    def dealer(self) -> int:
        return self.players[-1].seat

    @property
    def at_turn(self) -> PlayerT_co:
        return self.players[self.turn]

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that still have to answer a question before `due_at`; empty while a turn is running."""
        return ()

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats that the deal is waiting for."""
        return () if self.is_over else self.asked or (self.players[self.turn].seat,)

    @property
    def playing(self) -> tuple[PlayerT_co, ...]:
        return tuple([player for player in self.players if player.is_playing])

    @property
    def deadline(self) -> Instant | None:
        """The time at which the clock runs out, including the current player's extra time where it may be used.

        The deadline is None if the deal is over.
        """
        if self.is_over:
            return None
        return self.due_at + (self.players[self.turn].extra_ms if self.has_extra_time else 0)

    def with_player(self, changed: Player) -> Self:
        """Return the deal with this player in place of the one on the same seat."""
        return replace(self, players=self.players_with(changed))

    def players_with(self, changed: Player) -> tuple[Any, ...]:
        """Return the players of the deal, with this player in place of the one on the same seat."""
        seat = changed.seat
        return tuple([changed if player.seat == seat else player for player in self.players])

    def player(self, seat: int) -> PlayerT_co | None:
        for player in self.players:
            if player.seat == seat:
                return player
        return None


class Course(Value, Generic[RulesT_co, DealT_co], kw_only=True):
    """The stage and the clock of a match. A game's subclass adds the standings of its players.

    `Match` keeps a score sheet. Other subclasses implement the methods that raise an error here.
    """

    rules: RulesT_co
    deal: DealT_co
    number: int = 1
    stage: Stage = Stage.DEAL
    # The end of a stage that is not a deal.
    due_at: Instant | None = None

    @property
    def deal_rules(self) -> RulesT_co:
        """The rules of the running deal."""
        return self.rules

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats of all players, including those who have left."""
        raise NotImplementedError

    @property
    def staying(self) -> tuple[int, ...]:
        """The seats of the players who have not left."""
        raise NotImplementedError

    @property
    def winners(self) -> tuple[int, ...]:
        raise NotImplementedError

    @property
    def fees(self) -> Mapping[int, int]:
        """The number of entry fees that each seat has paid."""
        return dict.fromkeys(self.seats, 1)

    @property
    def shares_offered(self) -> Mapping[int, int] | None:
        """The split of the pot that players may agree on now, as in `Result.shares`."""
        return None

    @property
    def offers_split(self) -> bool:
        """Whether the table may offer a split automatically now."""
        return False

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that still have to answer a question, during a deal or between two."""
        return self.deal.asked if self.stage is _DEAL else ()

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats that the match is waiting for."""
        return self.deal.acting if self.stage is _DEAL else self.asked

    @property
    def deadline(self) -> Instant | None:
        return self.deal.deadline if self.stage is _DEAL else self.due_at


class Match(Course[RulesT_co, DealT_co], kw_only=True):
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


# --- Deals with a closed deck and an open pile, and hands that their players arrange.


class PilesPlayer(Player, kw_only=True):
    """A player with a hand of cards. `groups` is the hand in the player's own arrangement."""

    groups: Groups
    # Cards drawn from the open pile, oldest first.
    taken: tuple[Card, ...] = ()

    @property
    def hand(self) -> tuple[Card, ...]:
        return sum(self.groups, ())


PilesPlayerT_co = TypeVar("PilesPlayerT_co", bound=PilesPlayer, covariant=True)


class PilesDeal(Deal[PilesPlayerT_co], kw_only=True):
    """A deal with a closed deck and an open pile. The top card of each pile comes last."""

    new_turn: ClassVar[Mapping[str, Any]] = {"drawn": None, "drawn_from_open": False}

    closed: tuple[Card, ...]
    open_pile: tuple[Card, ...]
    discards: tuple[tuple[int, Card], ...] = ()
    drawn: Card | None = None
    drawn_from_open: bool = False

    def find_kept_card(self, rules: Any) -> Card | None:
        """Return the card drawn from the open pile in this turn if the rules forbid discarding it, else None."""
        is_bound = self.drawn_from_open and not rules.may_return_open_card
        return self.drawn if is_bound else None

    def cards(self) -> Iterator[Card]:
        """Yield every card of the deal: hands, piles, and wherever else the game has cards."""
        yield from self.closed
        yield from self.open_pile
        for player in self.players:
            yield from player.hand


HolderT = TypeVar("HolderT", bound=PilesPlayer)


def add_cards(player: HolderT, *cards: Card) -> HolderT:
    """Add cards to a hand, each as a group of its own, so that the player's groups stay intact."""
    return replace(player, groups=(*player.groups, *((card,) for card in cards)))


def remove_cards(player: HolderT, *cards: Card) -> HolderT:
    """Remove cards from a hand, and any group that is empty after that."""
    groups = player.groups
    for card in cards:
        groups = _remove_from(groups, card)
    return replace(player, groups=groups)


def _remove_from(groups: Groups, card: Card) -> Groups:
    for place, group in enumerate(groups):
        if card in group:
            rest = tuple([one for one in group if one != card])
            return (*groups[:place], *((rest,) if rest else ()), *groups[place + 1 :])
    return groups


# The place of each card in a sorted hand: equal faces lie together.
_PLACE: Final = tuple(card.face * len(CARDS) + card for card in CARDS)


def sort_by_suit(hand: Sequence[Card]) -> Groups:
    """Arrange a new hand into one group for each suit, jokers last."""
    ordered = sorted(hand, key=_PLACE.__getitem__)
    return tuple([tuple(group) for _, group in groupby(ordered, CARD_SUIT.__getitem__)])


def deal_piles(
    player: Callable[..., Any],
    rules: Any,
    cards: Sequence[Card],
    order: Sequence[int],
    size: int,
    *,
    seed: bytes,
) -> dict[str, Any]:
    """Shuffle, deal one card at a time, and turn up the first card of the open pile.

    Returns the fields of the deal. The card to be drawn next is the last of `closed`.
    """
    deck, in_hands = shuffle(cards, seed=seed, label="deal"), size * len(order)
    hands = (sort_by_suit(deck[place : in_hands : len(order)]) for place in range(len(order)))
    extra_ms, rest = rules.extra_seconds * 1000, tuple(deck[in_hands:])
    players = tuple(
        player(seat=seat, groups=hand, extra_ms=extra_ms)
        for seat, hand in zip(order, hands, strict=True)
    )
    return {"seed": seed, "players": players, "closed": rest[:0:-1], "open_pile": rest[:1]}


# --- JSON.


def as_json(value: Any) -> JSON:
    """Write a value as JSON: cards and keys as strings, tuples as lists, enum members as their values."""
    if type(value) in _PLAIN:
        same: JSON = value
        return same
    return _WRITERS.get(type(value), _write_other)(value)


def _list(values: Any) -> JSON:
    # Piles and hands are the bulk of a stored state.
    if values and type(values[0]) is Card and type(values[-1]) is Card:
        return [CARD_TEXT[card] for card in values]
    return [as_json(one) for one in values]


def object_json(values: Mapping[Any, Any]) -> dict[str, JSON]:
    """Write a mapping as a JSON object."""
    get = _WRITERS.get
    return {
        str(key): one if type(one) in _PLAIN else get(type(one), _write_other)(one)
        for key, one in values.items()
    }


def _write_other(value: Any) -> JSON:
    written: JSON = value.value if isinstance(value, Enum) else value.json()
    return written


_PLAIN: Final = frozenset({int, str, bool, float, type(None)})
_WRITERS: Final[dict[type, Callable[[Any], JSON]]] = {
    Card: CARD_TEXT.__getitem__,
    tuple: _list,
    list: _list,
    dict: object_json,
}
