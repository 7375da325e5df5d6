"""Basic rummy as data: one `BasicRules`, made up of the choices that docs/rules-basic.md leaves open."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from tables.games.base import JSON, InvalidRules
from tables.games.rummy.melds import Shape
from tables.games.rummy.rule_fields import RuleFields

DECK_SIZE: Final = 52
SEATS: Final = range(2, 7)

Ace = Literal["low", "both"]
Restock = Literal["shuffle", "turn", "block"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BasicRules:
    name: str = "points"

    # Cards and melds.
    hand_sizes: tuple[int, ...] = (10, 7, 7, 6, 6)  # B3: for two, three, … six players
    ace: Ace = "low"  # B1
    melds_a_turn: int | None = None  # B5; None: as many as one likes
    may_return_open_card: bool = False  # B7
    must_discard_last: bool = False  # B8

    # Counting.
    rummy_factor: int = 2  # B9; 1: going rummy counts like any other way out
    max_points: int | None = None  # B12: the most that a deal costs
    leave_points: int = 30  # B15: the least that leaving costs

    # A deal.
    restock: Restock = "shuffle"  # B10
    max_restocks: int = 2
    max_turns: int = 40  # B11: of each player
    max_minutes: int = 20
    max_missed_turns: int = 3  # B14: in a row

    # A match.
    # B13: the score that wins the pot; None: one deal is the match, paid by its points.
    target: int | None = None
    deals: int | None = 1  # After so many deals the highest score wins.
    qualifiers: int | None = None  # How many go on from a tournament's table.

    # Clocks.
    turn_seconds: int = 30
    extra_seconds: int = 60  # B14: of each player, for the whole deal
    break_seconds: int = 8  # between two deals of a match

    @property
    def is_per_point(self) -> bool:
        """Whether the losers pay the points of the deal; otherwise everybody has paid a fee."""
        return self.target is None

    @property
    def last_card(self) -> Literal["any", "discard", "lay"]:
        """B8: how the last card of a hand may go."""
        return "discard" if self.must_discard_last else "any"

    @property
    def shape(self) -> Shape:
        """B1, B4."""
        return Shape(ace_high=self.ace == "both")

    def hand_size(self, players: int) -> int:
        return self.hand_sizes[players - SEATS[0]]


POINTS: Final = BasicRules()
_RACE: Final = replace(POINTS, name="race100", target=100, deals=None)

PRESETS: Final[Mapping[str, BasicRules]] = {
    rules.name: rules
    for rules in (
        POINTS,
        replace(POINTS, name="one_meld", melds_a_turn=1, rummy_factor=1, restock="block"),
        _RACE,
        # For whoever plays for the first time: points with time to think.
        replace(
            POINTS,
            name="lesson",
            max_missed_turns=5,
            turn_seconds=180,
            extra_seconds=180,
            max_minutes=60,
        ),
        replace(_RACE, name="one_meld100", melds_a_turn=1, rummy_factor=1, restock="block"),
    )
}


def _read_hand_sizes(value: object) -> tuple[int, ...]:
    if not isinstance(value, list | tuple) or len(value) != len(SEATS):
        raise ValueError
    if not all(type(size) is int and 3 <= size <= 10 for size in value):
        raise ValueError
    return tuple(value)


def _check(rules: BasicRules) -> None:
    for players, size in zip(SEATS, rules.hand_sizes, strict=True):
        # Everybody can draw once before anything has been discarded.
        if players * size + 1 + players > DECK_SIZE:
            raise InvalidRules(f"52 cards are too few for {players} players with {size} each.")
    if rules.is_per_point and (rules.deals != 1 or rules.qualifiers is not None):
        raise InvalidRules("A match without a target is one deal, and nobody goes on.")


_FIELDS: Final = RuleFields(
    BasicRules,
    PRESETS,
    at_least_one=frozenset(
        {
            "melds_a_turn",
            "rummy_factor",
            "max_points",
            "max_turns",
            "max_minutes",
            "max_missed_turns",
            "target",
            "deals",
            "qualifiers",
            "turn_seconds",
            "break_seconds",
        }
    ),
    read={"hand_sizes": _read_hand_sizes},
    check=_check,
)


def parse_rules(data: object) -> BasicRules:
    return _FIELDS.parse(data)


def rules_json(rules: BasicRules) -> dict[str, JSON]:
    return _FIELDS.json(rules)


def rules_changes(rules: BasicRules) -> dict[str, JSON]:
    return _FIELDS.changes(rules)


def for_event(rules: BasicRules, *, deals: int, qualifiers: int) -> BasicRules:
    """B13: a race that ends after so many deals as well. Raises `InvalidRules` for points rules."""
    if rules.is_per_point:
        raise InvalidRules("A tournament plays races to a score.")
    return parse_rules({**rules_json(rules), "deals": deals, "qualifiers": qualifiers})


def largest_loss(rules: BasicRules) -> int:
    """B12: the most points that one deal can cost a player."""
    most = max(max(rules.hand_sizes) * 10 * rules.rummy_factor, rules.leave_points)
    return most if rules.max_points is None else min(most, rules.max_points)
