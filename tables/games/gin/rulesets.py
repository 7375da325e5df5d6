"""Gin as data: one `GinRules`, made up of the choices that docs/rules-gin.md leaves open."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from typing import Any, Final, Literal, get_args

from tables.games.base import JSON, InvalidRules

HAND_SIZE: Final = 10
DECK_SIZE: Final = 52
# The most that ten cards without a meld count: K K Q Q J J T T 9 9. A hand never counts more.
MOST_DEADWOOD: Final = 98

NextDealer = Literal["loser", "winner", "alternate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GinRules:
    name: str = "points"

    # Knocking and counting.
    knock_limit: int = 10  # G7
    gin_bonus: int = 25  # G8
    undercut_bonus: int = 25  # G11
    big_gin_bonus: int = 31  # G9; 0: big gin is not played
    oklahoma: bool = False  # G13: the upcard says what may be knocked with
    spades_double: bool = False

    # A deal.
    wall: int = 2  # G12: cards of the closed deck that nobody draws
    max_turns: int = 40  # G12: of each player
    max_minutes: int = 20
    may_return_open_card: bool = False  # G5
    open_discards: bool = True  # G17
    max_missed_turns: int = 3  # G16: in a row

    # A match.
    next_dealer: NextDealer = "loser"  # G2
    # G14: the score that wins; None: one scored deal is the match, paid by its points.
    target: int | None = None
    # G14: after so many scored deals the higher score wins.
    deals: int | None = 1
    qualifiers: int | None = None  # How many go on from this match: one, or it is not asked.
    game_bonus: int = 100  # On the score sheet only, as the two next ones.
    box_bonus: int = 25
    shutout_doubles: bool = True
    max_dead_deals: int = 3  # G15: in a row

    # Clocks.
    turn_seconds: int = 30
    extra_seconds: int = 60  # G16: of each player, for the whole deal
    show_seconds: int = 45  # G10
    break_seconds: int = 8  # between two deals of a match

    @property
    def is_per_point(self) -> bool:
        """Whether the loser pays the points of the deal; otherwise everybody has paid a fee."""
        return self.target is None


POINTS: Final = GinRules()
_GAME: Final = replace(POINTS, name="game100", target=100, deals=None)
# Where sources differ: gin 20, an undercut 10, no big gin.
_CLASSIC: Final[Mapping[str, Any]] = {"gin_bonus": 20, "undercut_bonus": 10, "big_gin_bonus": 0}
_OKLAHOMA: Final[Mapping[str, Any]] = {"oklahoma": True, "spades_double": True}

PRESETS: Final[Mapping[str, GinRules]] = {
    rules.name: rules
    for rules in (
        POINTS,
        replace(POINTS, name="oklahoma", **_OKLAHOMA),
        _GAME,
        replace(_GAME, name="oklahoma100", **_OKLAHOMA),
        # Points gin with time to think, for whoever plays for the first time.
        replace(
            POINTS,
            name="lesson",
            max_missed_turns=5,
            turn_seconds=180,
            extra_seconds=180,
            show_seconds=120,
            max_minutes=60,
        ),
        replace(POINTS, name="classic", **_CLASSIC),
        replace(_GAME, name="classic100", **_CLASSIC, box_bonus=20),
    )
}

_FIELDS: Final = {field.name: field.type for field in fields(GinRules)}
_OPTIONAL: Final = {name for name, kind in _FIELDS.items() if kind == int | None}
# Counts of something that has to be there; every other number may be zero.
_AT_LEAST_ONE: Final = {
    "max_turns",
    "max_minutes",
    "max_missed_turns",
    "target",
    "deals",
    "qualifiers",
    "max_dead_deals",
    "turn_seconds",
    "show_seconds",
    "break_seconds",
}


def parse_rules(data: object) -> GinRules:
    """Read a rule set: the preset that `name` names, if any, with the other fields on top."""
    if not isinstance(data, Mapping):
        raise InvalidRules("Rules are an object of fields.")
    values = dict(data)
    for field, value in values.items():
        _check_field(field, value)
    base = PRESETS.get(str(values.get("name", POINTS.name)), POINTS)
    return _checked(replace(base, **values))


def rules_json(rules: GinRules) -> dict[str, JSON]:
    return dict(_as_dict(rules))


@lru_cache(maxsize=256)  # at most 1 MB
def _as_dict(rules: GinRules) -> dict[str, JSON]:
    return asdict(rules)


def rules_changes(rules: GinRules) -> dict[str, JSON]:
    """The fields that differ from the preset of this name; `parse_rules` reads them back."""
    base = PRESETS.get(rules.name, POINTS)
    return {
        name: value
        for name, value in rules_json(rules).items()
        if name == "name" or value != getattr(base, name)
    }


def for_event(rules: GinRules, *, deals: int, qualifiers: int) -> GinRules:
    """G14: a match of two that ends at its target or after so many scored deals; one goes on.

    Raises `InvalidRules` for points rules and where more than one shall go on.
    """
    if rules.is_per_point:
        raise InvalidRules("A tournament plays games to a target.")
    return parse_rules({**rules_json(rules), "deals": deals, "qualifiers": qualifiers})


def largest_loss(rules: GinRules) -> int:
    """G14: the most points that one deal can cost a player."""
    limit = max(rules.knock_limit, HAND_SIZE) if rules.oklahoma else rules.knock_limit
    beaten = MOST_DEADWOOD + max(rules.gin_bonus, rules.big_gin_bonus)
    most = max(beaten, limit + rules.undercut_bonus)
    return most * 2 if rules.oklahoma and rules.spades_double else most


def _check_field(field: object, value: object) -> None:
    if field not in _FIELDS:
        raise InvalidRules(f"There is no rule {field!r}.")
    if not _is_value(str(field), value):
        raise InvalidRules(f"{value!r} is no value for {field}.")
    if type(value) is int and value < (field in _AT_LEAST_ONE):
        raise InvalidRules(f"{field} is too small.")


def _is_value(field: str, value: Any) -> bool:
    expected = _FIELDS[field]
    if field in _OPTIONAL:
        return value is None or type(value) is int
    if expected is NextDealer:
        return value in get_args(NextDealer)
    return type(value) is expected


def _checked(rules: GinRules) -> GinRules:
    # Twenty cards are dealt, one is turned up, and somebody has to draw.
    if rules.wall > DECK_SIZE - 2 * HAND_SIZE - 2:
        raise InvalidRules("Nothing is left to draw before the wall.")
    if rules.is_per_point and (rules.deals != 1 or rules.qualifiers is not None):
        raise InvalidRules("A match without a target is one scored deal, and nobody goes on.")
    if rules.qualifiers not in (None, 1):
        raise InvalidRules("One of two goes on.")
    return rules
