"""The rule sets of 500 Rum: the choices that docs/rules-five_hundred.md leaves open."""

from typing import Annotated, Final, Literal

from games.cards import ACE, CARDS, FACES, Card
from games.engine.base import InvalidRules
from games.engine.core import PACK
from games.engine.fields import (
    CardPoints,
    Deals,
    ExtraSeconds,
    MaxPoints,
    Minutes,
    MissedTurns,
    Points,
    Qualifiers,
    Seconds,
    Target,
    Turns,
    Within,
)
from games.engine.laid import LOW_ACE, Meld, Shape
from games.engine.rules import RuleBook
from games.engine.state import Value, replace

SEATS: Final = range(2, 9)
# Two packs, as a prefix of all cards. The jokers among them are not dealt.
DECK_SIZE: Final = 2 * FACES
# By whether a set may hold a suit twice.
_SHAPES: Final = (Shape(ace_high=True), Shape(ace_high=True, repeats=True))
_PICTURES: Final = 10
_FIVE: Final = 5


def decks(packs: int) -> tuple[Card, ...]:
    """Return the cards of this many packs, without jokers, in their order before the shuffle."""
    return tuple(CARDS[pack * FACES + card] for pack in range(packs) for card in PACK)


class FiveHundredRules(Value, kw_only=True):
    name: str = "points"

    # Cards and melds.
    hand_sizes: Annotated[tuple[Annotated[int, Within(3, 13)], ...], Within(7, 7)] = (
        13,
        7,
        7,
        7,
        7,
        7,
        7,
    )  # F2: for two, three, … eight players
    packs: Annotated[tuple[Annotated[int, Within(1, 2)], ...], Within(7, 7)] = (
        1,
        1,
        1,
        2,
        2,
        2,
        2,
    )  # F1: likewise
    repeated_suits: bool = False  # F4: whether a set may hold a suit twice
    free_top_card: bool = False  # F6: whether a top card taken by itself may be kept in hand

    # Counting.
    ace_points: CardPoints = 15  # F10
    low_ace_points: CardPoints = 1  # F10: of an ace below a two
    number_points: Literal["pips", "five"] = "pips"  # F10: five for each card from two to nine
    max_points: MaxPoints | None = 200  # F12: the most that a deal costs
    leave_points: Points = 50  # F16: the least that leaving costs

    # A deal.
    max_turns: Turns = 60  # F9: of each player
    max_minutes: Minutes = 20
    max_missed_turns: MissedTurns = 3  # F15: in a row

    # A match.
    # F13: the score that wins the pot; None: one deal is the match, paid by its points.
    target: Target | None = None
    # F13: after this many deals the highest score wins, as scores may fall for ever.
    deals: Deals = 1
    qualifiers: Qualifiers | None = None  # How many players advance from a tournament table.

    # Clocks.
    turn_seconds: Seconds = 40
    extra_seconds: ExtraSeconds = 90  # F15: of each player, for the whole deal
    break_seconds: Seconds = 10  # between two deals of a match

    @property
    def is_per_point(self) -> bool:
        """Whether losers pay for the points of the deal. Otherwise each player pays an entry fee."""
        return self.target is None

    @property
    def last_card(self) -> Literal["any"]:
        """How the last card of a hand may be played (F8)."""
        return "any"

    @property
    def may_return_open_card(self) -> bool:
        return False

    @property
    def shape(self) -> Shape:
        """The shape that a valid meld must have (F4)."""
        return _SHAPES[self.repeated_suits]

    def deck(self, players: int) -> tuple[Card, ...]:
        """Return the cards of the deal in their order before the shuffle."""
        return decks(self.packs_for(players))

    def hand_size(self, players: int) -> int:
        return self.hand_sizes[players - SEATS[0]]

    def packs_for(self, players: int) -> int:
        return self.packs[players - SEATS[0]]

    def points_of(self, card: Card) -> int:
        """Return the points of a card, except for an ace that lies below a two (F10, `count_points_laid`)."""
        if card.rank == ACE:
            return self.ace_points
        is_five = self.number_points == "five" and card.rank < _PICTURES
        return _FIVE if is_five else min(card.rank, _PICTURES)

    def count_points_laid(self, meld: Meld) -> tuple[int, ...]:
        """Return the points of each card of a meld on the table. An ace that lies below a two counts less (F10)."""
        points = tuple(map(self.points_of, meld.cards))
        return (self.low_ace_points, *points[1:]) if meld.start == LOW_ACE else points


POINTS: Final = FiveHundredRules()
_RACE: Final = replace(POINTS, name="race500", target=500, deals=20)


def _check(rules: FiveHundredRules) -> None:
    for players, size in zip(SEATS, rules.hand_sizes, strict=True):
        # Every player can draw once before the first discard.
        if players * size + 1 + players > len(rules.deck(players)):
            raise InvalidRules(f"The cards are too few for {players} players with {size} each.")
    if rules.is_per_point and (rules.deals != 1 or rules.qualifiers is not None):
        raise InvalidRules("A match without a target is one deal, and nobody goes on.")


RULES: Final = RuleBook(
    POINTS,
    # The oldest way of counting: five for each card below the ten.
    replace(POINTS, name="fives", number_points="five"),
    _RACE,
    replace(_RACE, name="race250", target=250, deals=10),
    # For a first game: points rummy with time to think.
    replace(
        POINTS,
        name="lesson",
        hand_sizes=(7,) * 7,
        max_missed_turns=5,
        turn_seconds=180,
        extra_seconds=180,
        max_minutes=60,
    ),
    check=_check,
    internal=("qualifiers",),
)


def adapt_to_event(rules: FiveHundredRules, *, deals: int, qualifiers: int) -> FiveHundredRules:
    """Return the rules of a race that also ends after `deals` deals (F13). Raises `InvalidRules` for points rules."""
    if rules.is_per_point:
        raise InvalidRules("A tournament plays races to a score.")
    return RULES.change(rules, deals=deals, qualifiers=qualifiers)


def largest_loss(rules: FiveHundredRules) -> int:
    """Return the most points that a deal can cost a player (F12)."""
    if rules.max_points is not None:
        return rules.max_points
    dearest_ace = max(rules.ace_points, rules.low_ace_points)
    most = sum(
        dearest_ace if card.rank == ACE else rules.points_of(card)
        for card in decks(max(rules.packs))
    )
    return max(most, rules.leave_points)
