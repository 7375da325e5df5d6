"""The state of a match of gin, its deals and its score sheet (G1 to G3)."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final, TypeAlias

from msgspec.structs import asdict

from games.cards import ACE, CARDS, Card
from games.engine import state
from games.engine.base import JSON
from games.engine.moves import PilesStep
from games.engine.state import Stored, Value, deal_piles, object_json
from games.gin.rules.melds import POINTS, Groups, LayOffs
from games.gin.rules.ruleset import DECK_SIZE, HAND_SIZE, GinRules

# G1: pack 0 without its joker, in the order from which a shuffle starts.
DECK: Final = CARDS[:DECK_SIZE]
_SPADES: Final = 0

Player = state.PilesPlayer


class Phase(StrEnum):
    UPCARD = "upcard"
    TURN = "turn"
    DEFEND = "defend"
    OVER = "over"


_DEFEND: Final = Phase.DEFEND
_TURNS: Final = (Phase.TURN, Phase.UPCARD)


class KnockKind(StrEnum):
    KNOCK = "knock"
    GIN = "gin"
    BIG_GIN = "big_gin"


class GinEnding(StrEnum):
    """How a deal ended."""

    KNOCK = "knock"
    GIN = "gin"
    BIG_GIN = "big_gin"
    UNDERCUT = "undercut"
    DEAD = "dead"
    FORFEIT = "forfeit"


class Knocked(Value):
    """A knock. All of it is public, except that the face-down card is hidden until the deal is over."""

    seat: int
    kind: KnockKind
    card: Card | None
    groups: Groups
    loose: tuple[Card, ...]
    points: int


class LaidHand(Value):
    """A hand at the end of a deal."""

    groups: Groups
    loose: tuple[Card, ...]
    deadwood: int


class DealOutcome(Value):
    """The outcome of a deal. `points` go to the winner; `hands` are in order of play."""

    how: GinEnding
    winner: int | None
    points: int
    hands: tuple[LaidHand, ...]
    lay_offs: LayOffs = ()


class Deal(state.PilesDeal[Player], kw_only=True):
    players: tuple[Player, ...]
    upcard: Card
    phase: Phase = Phase.UPCARD
    # G4: both players have passed; the first turn begins.
    must_draw_closed: bool = False
    knock: Knocked | None = None
    outcome: DealOutcome | None = None

    @property
    def in_turn(self) -> bool:
        return self.phase in _TURNS

    @property
    def waiting_for(self) -> Player:
        """The player who has to act: the current player, or the one who must answer a knock."""
        return self.players[1 - self.turn if self.phase is _DEFEND else self.turn]

    @property
    def asked(self) -> tuple[int, ...]:
        """The seat that must answer a knock, if any (G10)."""
        return (self.waiting_for.seat,) if self.phase is _DEFEND else ()

    def cards(self) -> Iterator[Card]:
        yield from super().cards()
        if self.knock is not None and self.knock.card is not None:
            yield self.knock.card


def knock_limit(upcard: Card, rules: GinRules) -> int:
    """Return the most deadwood with which a player may knock (G7, G13). 0 means that only gin is possible."""
    if not rules.oklahoma:
        return rules.knock_limit
    return 0 if upcard.rank == ACE else POINTS[upcard]


def factor(upcard: Card, rules: GinRules) -> int:
    """Return the factor for the deal's points: 2 if the upcard is a spade and spades double, else 1 (G13)."""
    return 2 if rules.oklahoma and rules.spades_double and upcard.suit == _SPADES else 1


def deal_cards(rules: GinRules, order: Sequence[int], seed: bytes) -> Deal:
    """Deal ten cards each, one at a time, then the upcard. The rest is the closed deck (G3)."""
    fields = deal_piles(Player, rules, DECK, order, HAND_SIZE, seed=seed)
    return Deal(upcard=fields["open_pile"][0], **fields)


# --- A match.


class GinLine(Value):
    """A line of the score sheet. `points` go to the winner; `deadwoods` are pairs of a seat and its deadwood."""

    deal: int
    dealer: int
    how: GinEnding
    winner: int | None
    points: int
    deadwoods: tuple[tuple[int, int], ...]

    def json(self) -> dict[str, JSON]:
        return object_json({**asdict(self), "deadwoods": dict(self.deadwoods)})


def compute_scores(sheet: Sequence[GinLine], seats: Sequence[int]) -> dict[int, int]:
    """Return the game points of each seat."""
    scores = dict.fromkeys(seats, 0)
    for line in sheet:
        if line.winner is not None:
            scores[line.winner] += line.points
    return scores


class Match(state.Match[GinRules, Deal], kw_only=True):
    rules: GinRules
    deal: Deal
    sheet: tuple[GinLine, ...] = ()

    @property
    def scores(self) -> dict[int, int]:
        return compute_scores(self.sheet, self.seats)

    @property
    def scored(self) -> int:
        """The number of scored deals. Dead deals do not count (G15)."""
        return sum(line.how is not GinEnding.DEAD for line in self.sheet)

    @property
    def dead_deals(self) -> int:
        """The number of dead deals in a row, up to the latest deal."""
        dead = 0
        for line in reversed(self.sheet):
            if line.how is not GinEnding.DEAD:
                break
            dead += 1
        return dead

    def get_opponent(self, seat: int) -> int:
        first, second = self.seats
        return second if seat == first else first


Step: TypeAlias = PilesStep[Match, Deal, Player, GinRules]


# --- Stored matches.

# States as bytes.
STORED: Final = Stored(Match, version=2)
