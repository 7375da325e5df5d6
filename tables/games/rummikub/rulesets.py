"""Rummikub as data: one `RummikubRules`, made of the choices that docs/rules-rummikub.md leaves open."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from typing import Any, Final, Literal, get_args

from tables.games.base import JSON, InvalidRules

SEATS: Final = range(2, 5)
TILES: Final = 106

JokerMelds = Literal["frozen", "free"]
SwapFrom = Literal["rack", "anywhere"]
GroupSwap = Literal["one", "both"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RummikubRules:
    name: str = "points"

    # Tiles and melds.
    rack_size: int = 14  # K3
    initial_meld: int = 50  # K7
    # K7: whether the lay that meets the initial meld may use the table as well.
    open_then_play: bool = True
    joker_melds: JokerMelds = "frozen"  # K9
    swap_from: SwapFrom = "rack"  # K10
    group_swap: GroupSwap = "one"
    must_play: bool = False  # K5: whether drawing is refused while something can be laid

    # Counting.
    joker_points: int = 30  # K15
    max_points: int | None = 200  # K16: what a rack counts at most

    # A deal.
    overtime_tiles: int = 1  # K12
    invalid_tiles: int = 3
    max_missed_turns: int = 3  # K13: in a row
    max_turns: int = 40  # K17: of each player
    max_minutes: int = 60

    # A match.
    deals: int = 1  # K16: one, paid by its points, or a session for a pot
    qualifiers: int | None = None  # How many go on from a tournament's table.

    # Clocks.
    turn_seconds: int = 120  # K12
    away_seconds: int = 15  # K13
    break_seconds: int = 12  # between two deals of a match

    @property
    def is_per_point(self) -> bool:
        """Whether losers pay the points of the deal; otherwise everybody has paid a fee."""
        return self.deals == 1 and self.qualifiers is None


POINTS: Final = RummikubRules()
_SESSION: Final = replace(POINTS, name="session4", deals=4)
_THIRTY: Final = replace(POINTS, name="sabra30", initial_meld=30)
_MODERN: Final[Mapping[str, Any]] = {
    "initial_meld": 30,
    "joker_melds": "free",
    "swap_from": "anywhere",
    "turn_seconds": 60,
}

PRESETS: Final[Mapping[str, RummikubRules]] = {
    rules.name: rules
    for rules in (
        POINTS,
        _SESSION,
        _THIRTY,
        replace(POINTS, name="modern", **_MODERN),
        replace(_SESSION, name="modern4", **_MODERN),
        # With time to think, for whoever plays for the first time.
        replace(_THIRTY, name="lesson", turn_seconds=600, max_missed_turns=5, max_minutes=120),
    )
}

_FIELDS: Final = {field.name: field.type for field in fields(RummikubRules)}
_OPTIONAL: Final = {name for name, kind in _FIELDS.items() if kind == int | None}
_CHOICES: Final = {
    name: get_args(kind)
    for name, kind in _FIELDS.items()
    if kind in (JokerMelds, SwapFrom, GroupSwap)
}
# Counts of something that has to be there; every other number may be zero.
_AT_LEAST_ONE: Final = {
    "rack_size",
    "max_points",
    "max_missed_turns",
    "max_turns",
    "max_minutes",
    "deals",
    "qualifiers",
    "turn_seconds",
    "away_seconds",
    "break_seconds",
}


def parse_rules(data: object) -> RummikubRules:
    """Read a rule set: the preset that `name` names, if any, with the other fields on top."""
    if not isinstance(data, Mapping):
        raise InvalidRules("Rules are an object of fields.")
    values = dict(data)
    for field, value in values.items():
        _check_field(field, value)
    base = PRESETS.get(str(values.get("name", POINTS.name)), POINTS)
    return _checked(replace(base, **values))


def rules_json(rules: RummikubRules) -> dict[str, JSON]:
    return dict(_as_dict(rules))


@lru_cache(maxsize=256)  # at most 1 MB
def _as_dict(rules: RummikubRules) -> dict[str, JSON]:
    return asdict(rules)


def rules_changes(rules: RummikubRules) -> dict[str, JSON]:
    """The fields that differ from the preset of this name; `parse_rules` reads them back."""
    base = PRESETS.get(rules.name, POINTS)
    return {
        name: value
        for name, value in rules_json(rules).items()
        if name == "name" or value != getattr(base, name)
    }


def for_event(rules: RummikubRules, *, deals: int, qualifiers: int) -> RummikubRules:
    """K16: a session of so many deals from which so many go on.

    Raises `InvalidRules` for points rules.
    """
    if rules.is_per_point:
        raise InvalidRules("A tournament plays sessions for a pot.")
    return parse_rules({**rules_json(rules), "deals": deals, "qualifiers": qualifiers})


def largest_loss(rules: RummikubRules) -> int:
    """K15, K16: the most points that one deal can cost a player."""
    all_tiles = 8 * sum(range(1, 14)) + 2 * rules.joker_points
    return all_tiles if rules.max_points is None else min(rules.max_points, all_tiles)


def _check_field(field: object, value: object) -> None:
    if field not in _FIELDS:
        raise InvalidRules(f"There is no rule {field!r}.")
    if not _is_value(str(field), value):
        raise InvalidRules(f"{value!r} is no value for {field}.")
    if type(value) is int and value < (field in _AT_LEAST_ONE):
        raise InvalidRules(f"{field} is too small.")


def _is_value(field: str, value: Any) -> bool:
    if field in _CHOICES:
        return value in _CHOICES[field]
    if field in _OPTIONAL:
        return value is None or type(value) is int
    return type(value) is _FIELDS[field]


def _checked(rules: RummikubRules) -> RummikubRules:
    # At a full table each has a rack, and somebody has to draw.
    if rules.rack_size * SEATS[-1] >= TILES:
        raise InvalidRules("Nothing is left to draw.")
    if rules.qualifiers is not None and rules.qualifiers >= SEATS[-1]:
        raise InvalidRules("Not all of a table go on.")
    return rules
