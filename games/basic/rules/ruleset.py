"""The rule sets of basic rummy: the choices that docs/rules-basic.md leaves open."""

from typing import Annotated, Final, Literal

from games.engine.base import InvalidRules
from games.engine.fields import (
    Deals,
    ExtraSeconds,
    MaxPoints,
    Minutes,
    MissedTurns,
    Points,
    Qualifiers,
    Restocks,
    Seconds,
    Target,
    Turns,
    Within,
)
from games.engine.laid import Shape
from games.engine.rules import RuleBook
from games.engine.state import Value, replace

DECK_SIZE: Final = 52
SEATS: Final = range(2, 7)

# By whether an ace may follow a king.
_SHAPES: Final = (Shape(), Shape(ace_high=True))

Ace = Literal["low", "both"]
Restock = Literal["shuffle", "turn", "block"]


class BasicRules(Value, kw_only=True):
    name: str = "points"

    # Cards and melds.
    hand_sizes: Annotated[tuple[Annotated[int, Within(3, 10)], ...], Within(5, 5)] = (
        10,
        7,
        7,
        6,
        6,
    )  # B3: for two, three, … six players
    ace: Ace = "low"  # B1
    melds_a_turn: Annotated[int, Within(1, 10)] | None = None  # B5; None: any number
    may_return_open_card: bool = False  # B7
    must_discard_last: bool = False  # B8

    # Counting.
    # B9; 1: going rummy counts like any other way out
    rummy_factor: Annotated[int, Within(1, 10)] = 2
    max_points: MaxPoints | None = None  # B12: the most that a deal costs
    leave_points: Points = 30  # B15: the least that leaving costs

    # A deal.
    restock: Restock = "shuffle"  # B10
    max_restocks: Restocks = 2
    max_turns: Turns = 40  # B11: of each player
    max_minutes: Minutes = 20
    max_missed_turns: MissedTurns = 3  # B14: in a row

    # A match.
    # B13: the score that wins the pot; None: one deal is the match, paid by its points.
    target: Target | None = None
    deals: Deals | None = 1  # After this many deals the highest score wins.
    qualifiers: Qualifiers | None = None  # How many players advance from a tournament table.

    # Clocks.
    turn_seconds: Seconds = 30
    extra_seconds: ExtraSeconds = 60  # B14: of each player, for the whole deal
    break_seconds: Seconds = 8  # between two deals of a match

    @property
    def is_per_point(self) -> bool:
        """Whether losers pay for the points of the deal. Otherwise each player pays an entry fee."""
        return self.target is None

    @property
    def last_card(self) -> Literal["any", "discard", "lay"]:
        """How the last card of a hand may be played (B8)."""
        return "discard" if self.must_discard_last else "any"

    @property
    def shape(self) -> Shape:
        """The shape that a valid meld must have (B1, B4)."""
        return _SHAPES[self.ace == "both"]

    def hand_size(self, players: int) -> int:
        return self.hand_sizes[players - SEATS[0]]


POINTS: Final = BasicRules()
_RACE: Final = replace(POINTS, name="race100", target=100, deals=None)


def _check(rules: BasicRules) -> None:
    for players, size in zip(SEATS, rules.hand_sizes, strict=True):
        # Every player can draw once before the first discard.
        if players * size + 1 + players > DECK_SIZE:
            raise InvalidRules(f"52 cards are too few for {players} players with {size} each.")
    if rules.is_per_point and (rules.deals != 1 or rules.qualifiers is not None):
        raise InvalidRules("A match without a target is one deal, and nobody goes on.")


RULES: Final = RuleBook(
    POINTS,
    replace(POINTS, name="one_meld", melds_a_turn=1, rummy_factor=1, restock="block"),
    _RACE,
    # For a first game: points rummy with time to think.
    replace(
        POINTS,
        name="lesson",
        max_missed_turns=5,
        turn_seconds=180,
        extra_seconds=180,
        max_minutes=60,
    ),
    replace(_RACE, name="one_meld100", melds_a_turn=1, rummy_factor=1, restock="block"),
    check=_check,
    internal=("qualifiers",),
)
PRESETS: Final = RULES.presets
load_rules = RULES.load


def adapt_to_event(rules: BasicRules, *, deals: int, qualifiers: int) -> BasicRules:
    """Return the rules of a race that also ends after `deals` deals (B13). Raises `InvalidRules` for points rules."""
    if rules.is_per_point:
        raise InvalidRules("A tournament plays races to a score.")
    return RULES.change(rules, deals=deals, qualifiers=qualifiers)


def largest_loss(rules: BasicRules) -> int:
    """Return the most points that a deal can cost a player (B12)."""
    most = max(max(rules.hand_sizes) * 10 * rules.rummy_factor, rules.leave_points)
    return most if rules.max_points is None else min(most, rules.max_points)
