"""A deal with a closed deck and an open pile, and hands that their players arrange."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, TypeVar

from games.cards import NO_SUIT, Card
from games.engine import state
from games.engine.codec import Groups, replace
from games.shuffle import shuffled


class Player(state.Player, kw_only=True):
    """`groups` is the hand in the player's own arrangement."""

    groups: Groups
    # Cards drawn from the open pile, oldest first.
    taken: tuple[Card, ...] = ()

    @property
    def hand(self) -> tuple[Card, ...]:
        return tuple(chain.from_iterable(self.groups))


class Deal(state.Deal, kw_only=True):
    """The top card of each pile comes last."""

    new_turn: ClassVar[Mapping[str, Any]] = {"drawn": None, "drawn_from_open": False}

    closed: tuple[Card, ...]
    open_pile: tuple[Card, ...]
    discards: tuple[tuple[int, Card], ...] = ()
    drawn: Card | None = None
    drawn_from_open: bool = False

    def cards(self) -> Iterator[Card]:
        """Yield every card of the deal: hands, piles, and what else a game has."""
        yield from self.closed
        yield from self.open_pile
        for player in self.players:
            yield from player.hand


PlayerT = TypeVar("PlayerT", bound=Player)


def holding(player: PlayerT, *cards: Card) -> PlayerT:
    """Add cards to a hand, each as its own group, so that the player's groups stay intact."""
    return replace(player, groups=(*player.groups, *((card,) for card in cards)))


def without(player: PlayerT, *cards: Card) -> PlayerT:
    """Remove cards from a hand, and groups that become empty."""
    lighter = (tuple(card for card in group if card not in cards) for group in player.groups)
    return replace(player, groups=tuple(group for group in lighter if group))


def sorted_by_suit(hand: Sequence[Card]) -> Groups:
    """Arrange a new hand: a group for each suit, jokers last."""
    ordered = sorted(hand, key=lambda card: (card.face, card.pack))
    by_suit = (tuple(card for card in ordered if card.suit == suit) for suit in range(NO_SUIT + 1))
    return tuple(group for group in by_suit if group)


def dealt(
    player: Callable[..., Any],
    rules: Any,
    cards: Sequence[Card],
    order: Sequence[int],
    size: int,
    *,
    seed: bytes,
) -> dict[str, Any]:
    """Shuffle, deal one card at a time, and turn up the first card of the open pile.

    Returns fields of a deal. The next card of the deck is the last of `closed`.
    """
    deck, in_hands = shuffled(cards, seed=seed, label="deal"), size * len(order)
    hands = (sorted_by_suit(deck[place : in_hands : len(order)]) for place in range(len(order)))
    extra_ms, rest = rules.extra_seconds * 1000, tuple(deck[in_hands:])
    players = tuple(
        player(seat=seat, groups=hand, extra_ms=extra_ms)
        for seat, hand in zip(order, hands, strict=True)
    )
    return {"seed": seed, "players": players, "closed": rest[:0:-1], "open_pile": rest[:1]}
