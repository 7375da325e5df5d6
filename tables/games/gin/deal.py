"""One deal: what it consists of, how it begins and who is at turn.

What changes it is in `turns` (drawing, discarding), `showdown` (knocking) and `exits` (leaving).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from typing import Final

from tables.games.base import Instant
from tables.games.cards import ACE, CARDS, Card
from tables.games.gin import events
from tables.games.gin.events import Events
from tables.games.gin.melds import POINTS, Groups, LayOffs
from tables.games.gin.rulesets import DECK_SIZE, HAND_SIZE, GinRules
from tables.games.shuffle import shuffled

# G1: pack 0 without its joker, in the order that a shuffle starts from.
DECK: Final = CARDS[:DECK_SIZE]
_SPADES: Final = 0


class Phase(StrEnum):
    UPCARD = "upcard"
    TURN = "turn"
    DEFEND = "defend"
    OVER = "over"


class KnockKind(StrEnum):
    KNOCK = "knock"
    GIN = "gin"
    BIG_GIN = "big_gin"


class How(StrEnum):
    """How a deal ended."""

    KNOCK = "knock"
    GIN = "gin"
    BIG_GIN = "big_gin"
    UNDERCUT = "undercut"
    DEAD = "dead"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Player:
    seat: int
    # The hand, in the order and the groups that the player saved last.
    groups: Groups
    extra_ms: int
    rev: int = 0
    missed: int = 0
    turns: int = 0
    # From the open pile (G17).
    taken: tuple[Card, ...] = ()

    @property
    def hand(self) -> tuple[Card, ...]:
        return tuple(chain.from_iterable(self.groups))

    def holding(self, card: Card) -> "Player":
        """With a drawn card as a group of its own: it spoils no group that was saved."""
        return replace(self, groups=(*self.groups, (card,)))

    def without(self, card: Card) -> "Player":
        lighter = (tuple(kept for kept in group if kept != card) for group in self.groups)
        return replace(self, groups=tuple(group for group in lighter if group))


@dataclass(frozen=True, slots=True)
class Knock:
    """Public, but for the card that lies face down until the deal is over."""

    seat: int
    kind: KnockKind
    card: Card | None
    groups: Groups
    loose: tuple[Card, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Laid:
    """A hand at the end of a deal."""

    groups: Groups
    loose: tuple[Card, ...]
    deadwood: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a deal ended; `points` go to the winner, `hands` are in order of play."""

    how: How
    winner: int | None
    points: int
    hands: tuple[Laid, ...]
    lay_offs: LayOffs = ()


@dataclass(frozen=True, slots=True)
class Deal:
    seed: bytes
    # In order of play: who begins, then the dealer (G2).
    players: tuple[Player, ...]
    upcard: Card
    # Both with their top card last.
    closed: tuple[Card, ...]
    open_pile: tuple[Card, ...]
    started_at: Instant
    due_at: Instant
    toss: tuple[Card, ...] | None = None
    discards: tuple[tuple[int, Card], ...] = ()
    phase: Phase = Phase.UPCARD
    turn: int = 0  # index into players
    turn_number: int = 1
    drawn: Card | None = None
    drawn_from_open: bool = False
    # G4: both have passed, and the first turn begins.
    must_draw_closed: bool = False
    knock: Knock | None = None
    outcome: Outcome | None = None

    @property
    def order(self) -> tuple[int, ...]:
        return tuple(player.seat for player in self.players)

    @property
    def dealer(self) -> int:
        return self.players[-1].seat

    @property
    def at_turn(self) -> Player:
        return self.players[self.turn]

    @property
    def waiting_for(self) -> Player:
        """At turn, or the one who answers a knock."""
        return self.players[1 - self.turn] if self.phase is Phase.DEFEND else self.at_turn

    @property
    def deadline(self) -> Instant | None:
        """The clock, and then the extra time of the player at turn (G16); a defence has none."""
        if self.phase is Phase.OVER:
            return None
        return self.due_at if self.phase is Phase.DEFEND else self.due_at + self.at_turn.extra_ms

    def is_late(self, now: Instant) -> bool:
        deadline = self.deadline
        return deadline is not None and now >= deadline

    def player(self, seat: int) -> Player | None:
        for player in self.players:
            if player.seat == seat:
                return player
        return None

    def with_player(self, changed: Player) -> "Deal":
        players = tuple(
            changed if player.seat == changed.seat else player for player in self.players
        )
        return replace(self, players=players)

    def kept_card(self, rules: GinRules) -> Card | None:
        """G5: the card that may not be parted with in this turn."""
        is_bound = self.drawn_from_open and not rules.may_return_open_card
        return self.drawn if is_bound else None

    def cards(self) -> Iterator[Card]:
        """Every card of the deal: hands, piles and the card that a knocker has put down."""
        yield from self.closed
        yield from self.open_pile
        for player in self.players:
            yield from player.hand
        if self.knock is not None and self.knock.card is not None:
            yield self.knock.card


def knock_limit(upcard: Card, rules: GinRules) -> int:
    """G7, G13: the most deadwood to knock with; 0 is gin alone."""
    if not rules.oklahoma:
        return rules.knock_limit
    return 0 if upcard.rank == ACE else POINTS[upcard]


def factor(upcard: Card, rules: GinRules) -> int:
    """G13: a spade doubles what the deal is worth."""
    return 2 if rules.oklahoma and rules.spades_double and upcard.suit == _SPADES else 1


def toss_for_order(
    seats: Sequence[int], *, seed: bytes
) -> tuple[tuple[int, ...], tuple[Card, ...]]:
    """G2: one card each, the lowest deals; the order of play, and the cards in that order."""
    drawn = shuffled(DECK, seed=seed, label="toss")[: len(seats)]
    by_card = dict(zip(drawn, seats, strict=True))
    ranked = sorted(drawn, key=lambda card: (-card.rank, card.suit))
    return tuple(by_card[card] for card in ranked), tuple(ranked)


def deal_cards(
    rules: GinRules,
    order: Sequence[int],
    *,
    toss: tuple[Card, ...] | None,
    seed: bytes,
    now: Instant,
) -> tuple[Deal, Events]:
    """G3: ten cards each, one at a time; then the upcard, the rest is the closed deck."""
    deck = shuffled(DECK, seed=seed, label="deal")
    in_hands = len(order) * HAND_SIZE
    players = tuple(
        Player(
            seat=seat,
            groups=sorted_by_suit(deck[place : in_hands : len(order)]),
            extra_ms=rules.extra_seconds * 1000,
            turns=int(place == 0),
        )
        for place, seat in enumerate(order)
    )
    deal = Deal(
        seed=seed,
        players=players,
        upcard=deck[in_hands],
        # Drawn from the end of the tuple: the next card of the deck is its last.
        closed=deck[:in_hands:-1],
        open_pile=(deck[in_hands],),
        started_at=now,
        due_at=now + rules.turn_seconds * 1000,
        toss=toss,
    )
    begun = [
        events.dealt(order=order, upcard=deal.upcard, knock_limit=knock_limit(deal.upcard, rules)),
        events.turn(order[0], deal.due_at),
    ]
    if toss is not None:
        begun.insert(0, events.toss(dict(zip(order, toss, strict=True))))
    return deal, tuple(begun)


def sorted_by_suit(hand: Sequence[Card]) -> Groups:
    """How a hand lies at first: a group for each suit, from the ace."""
    ordered = sorted(hand)
    by_suit = (tuple(card for card in ordered if card.suit == suit) for suit in range(4))
    return tuple(group for group in by_suit if group)
