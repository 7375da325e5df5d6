"""A deal of gin: its state and its beginning (G1 to G3)."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from games.cards import ACE, CARDS, Card
from games.engine import piles
from games.engine.codec import Value
from games.engine.piles import Player, dealt, sorted_by_suit
from games.gin.rules.melds import POINTS, Groups, LayOffs
from games.gin.rules.ruleset import DECK_SIZE, HAND_SIZE, GinRules

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
    """The ways in which a deal ends."""

    KNOCK = "knock"
    GIN = "gin"
    BIG_GIN = "big_gin"
    UNDERCUT = "undercut"
    DEAD = "dead"
    FORFEIT = "forfeit"


class Knocked(Value):
    """A knock. Public, except for the card face down until the deal is over."""

    seat: int
    kind: KnockKind
    card: Card | None
    groups: Groups
    loose: tuple[Card, ...]
    points: int


class Laid(Value):
    """A hand at the end of a deal."""

    groups: Groups
    loose: tuple[Card, ...]
    deadwood: int


class Outcome(Value):
    """The end of a deal. `points` go to the winner; `hands` are in order of play."""

    how: How
    winner: int | None
    points: int
    hands: tuple[Laid, ...]
    lay_offs: LayOffs = ()


class Deal(piles.Deal, kw_only=True):
    players: tuple[Player, ...]
    upcard: Card
    phase: Phase = Phase.UPCARD
    # G4: both players have passed; the first turn begins.
    must_draw_closed: bool = False
    knock: Knocked | None = None
    outcome: Outcome | None = None

    @property
    def in_turn(self) -> bool:
        return self.phase in (Phase.UPCARD, Phase.TURN)

    @property
    def waiting_for(self) -> Player:
        """The player at turn, or the player who must answer a knock."""
        return (
            self.players[1 - self.turn] if self.phase is Phase.DEFEND else self.players[self.turn]
        )

    @property
    def acting(self) -> tuple[int, ...]:
        return () if self.is_over else (self.waiting_for.seat,)

    def cards(self) -> Iterator[Card]:
        yield from super().cards()
        if self.knock is not None and self.knock.card is not None:
            yield self.knock.card


def knock_limit(upcard: Card, rules: GinRules) -> int:
    """Return the most deadwood to knock with (G7, G13). 0 means gin only."""
    if not rules.oklahoma:
        return rules.knock_limit
    return 0 if upcard.rank == ACE else POINTS[upcard]


def factor(upcard: Card, rules: GinRules) -> int:
    """Return the multiplier of the deal's points: a spade upcard doubles them (G13)."""
    return 2 if rules.oklahoma and rules.spades_double and upcard.suit == _SPADES else 1


def deal_cards(rules: GinRules, order: Sequence[int], seed: bytes) -> Deal:
    """Deal ten cards each, one at a time, then the upcard. The rest is the closed deck (G3)."""
    fields = dealt(Player, rules, DECK, order, HAND_SIZE, seed=seed)
    return Deal(upcard=fields["open_pile"][0], **fields)


__all__ = [
    "DECK", "Deal", "How", "KnockKind", "Knocked", "Laid", "Outcome", "Phase", "Player",
    "deal_cards", "factor", "knock_limit", "sorted_by_suit",
]  # fmt: skip
