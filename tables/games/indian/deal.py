"""One deal: what it consists of, how it begins and who is at turn.

The states are values. What changes them is in `turns` (drawing to dropping) and in `showdown`
(declaring and counting).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain

from tables.games.base import Instant, InvalidRules
from tables.games.cards import FACES, NO_SUIT, PRINTED_JOKER, Card, full_deck
from tables.games.indian import events, jokers
from tables.games.indian.declaration import Groups
from tables.games.indian.events import Events
from tables.games.indian.rulesets import HAND_SIZE, RuleSet
from tables.games.shuffle import shuffled


class Phase(StrEnum):
    TURN = "turn"
    DECLARE = "declare"
    SHOW = "show"
    OVER = "over"


class Status(StrEnum):
    """Where a player stands in the deal."""

    PLAYING = "playing"
    DROPPED = "dropped"
    WRONG = "wrong"
    LEFT = "left"
    WON = "won"
    LOST = "lost"


class How(StrEnum):
    """How a player's points came about."""

    FIRST_DROP = "first_drop"
    MIDDLE_DROP = "middle_drop"
    FULL_COUNT = "full_count"
    WRONG = "wrong"
    SHOWN = "shown"
    SAVED = "saved"
    BEST = "best"
    WON = "won"


class Ending(StrEnum):
    DECLARED = "declared"
    LAST_PLAYER = "last_player"
    LIMIT = "limit"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Player:
    seat: int
    # The hand, in the order and the groups that the player saved last.
    groups: Groups
    extra_ms: int
    rev: int = 0
    status: Status = Status.PLAYING
    missed: int = 0
    turns: int = 0
    has_drawn: bool = False
    points: int | None = None
    how: How | None = None

    @property
    def hand(self) -> tuple[Card, ...]:
        return tuple(chain.from_iterable(self.groups))

    @property
    def is_playing(self) -> bool:
        return self.status is Status.PLAYING

    def holding(self, card: Card) -> "Player":
        """With a drawn card as a loose one of its own: it spoils no group that was saved (R6.4)."""
        return replace(self, groups=(*self.groups, (card,)), has_drawn=True)

    def without(self, card: Card) -> "Player":
        lighter = (tuple(kept for kept in group if kept != card) for group in self.groups)
        return replace(self, groups=tuple(group for group in lighter if group))

    def out(self, status: Status, points: int, how: How) -> "Player":
        return replace(self, status=status, points=points, how=how)


@dataclass(frozen=True, slots=True)
class Declaration:
    """The latest one of the deal; `reason` tells why it was wrong."""

    seat: int
    groups: Groups
    reason: str | None = None
    failed_group: int | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    seed: bytes
    # In order of play; the last is the dealer (R4.1).
    players: tuple[Player, ...]
    wild: Card
    # Both with their top card last.
    closed: tuple[Card, ...]
    open_pile: tuple[Card, ...]
    started_at: Instant
    due_at: Instant
    toss: tuple[Card, ...] | None = None
    discards: tuple[tuple[int, Card], ...] = ()
    phase: Phase = Phase.TURN
    turn: int = 0  # index into players
    turn_number: int = 1
    drawn: Card | None = None
    drawn_from_open: bool = False
    finish: Card | None = None
    declaration: Declaration | None = None
    ending: Ending | None = None
    reshuffles: int = 0

    @property
    def wild_rank(self) -> int | None:
        return jokers.wild_rank(self.wild)

    @property
    def order(self) -> tuple[int, ...]:
        return tuple(player.seat for player in self.players)

    @property
    def at_turn(self) -> Player:
        return self.players[self.turn]

    @property
    def playing(self) -> tuple[Player, ...]:
        return tuple(player for player in self.players if player.is_playing)

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(player.seat for player in self.players if player.status is Status.WON)

    @property
    def open_drawable(self) -> bool:
        """R4.4: of jokers only the very first open card, and only by the first to move."""
        if not self.open_pile:
            return False
        is_joker = jokers.is_joker(self.open_pile[-1], self.wild_rank)
        return self.turn_number == 1 or not is_joker

    @property
    def deadline(self) -> Instant | None:
        """The clock, and then the extra time of the player whom the deal waits for (R4.9)."""
        if self.phase is Phase.OVER:
            return None
        return self.due_at if self.phase is Phase.SHOW else self.due_at + self.at_turn.extra_ms

    def is_late(self, now: Instant) -> bool:
        deadline = self.deadline
        return deadline is not None and now >= deadline

    def player(self, seat: int) -> Player | None:
        for player in self.players:
            if player.seat == seat:
                return player
        return None

    def players_with(self, changed: Player) -> tuple[Player, ...]:
        seat = changed.seat
        return tuple([changed if player.seat == seat else player for player in self.players])

    def with_player(self, changed: Player) -> "Deal":
        return replace(self, players=self.players_with(changed))

    def cards(self) -> Iterator[Card]:
        """Every card of the deal: hands, piles and finish slot."""
        yield self.wild
        yield from self.closed
        yield from self.open_pile
        for player in self.players:
            yield from player.hand
        if self.finish is not None:
            yield self.finish


def toss_for_order(
    seats: Sequence[int], *, seed: bytes
) -> tuple[tuple[int, ...], tuple[Card, ...]]:
    """R4.1: the order of play by one card each, and these cards in that order."""
    without_joker = [card for card in full_deck(1) if card.face != PRINTED_JOKER]
    drawn = shuffled(without_joker, seed=seed, label="toss")[: len(seats)]
    by_card = dict(zip(drawn, seats, strict=True))
    ranked = sorted(drawn, key=lambda card: (-card.rank, card.suit))
    return tuple(by_card[card] for card in ranked), tuple(ranked)


def deal_cards(
    rules: RuleSet,
    order: Sequence[int],
    *,
    toss: tuple[Card, ...] | None,
    seed: bytes,
    now: Instant,
) -> tuple[Deal, Events]:
    """R4.2: thirteen cards each, one at a time; then the open card, the indicator, the rest."""
    packs = rules.packs_at(len(order))
    in_hands = len(order) * HAND_SIZE
    if packs * FACES < in_hands + 3:
        raise InvalidRules(f"{packs} packs are too few for {len(order)} players.")
    deck = shuffled(full_deck(packs), seed=seed, label="deal")
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
        wild=deck[in_hands + 1],
        # Drawn from the end of the tuple: the next card of the deck is its last.
        closed=deck[: in_hands + 1 : -1],
        open_pile=(deck[in_hands],),
        started_at=now,
        due_at=now + rules.turn_seconds * 1000,
        toss=toss,
    )
    begun = [
        events.dealt(order=order, wild=deal.wild, open_card=deal.open_pile[0]),
        events.turn(order[0], deal.due_at),
    ]
    if toss is not None:
        begun.insert(0, events.toss(dict(zip(order, toss, strict=True))))
    return deal, tuple(begun)


def sorted_by_suit(hand: Sequence[Card]) -> Groups:
    """How a hand lies at first: a group for each suit, printed jokers last."""
    ordered = sorted(hand, key=lambda card: (card.face, card.pack))
    by_suit = (tuple(card for card in ordered if card.suit == suit) for suit in range(NO_SUIT + 1))
    return tuple(group for group in by_suit if group)
