"""Paces: the clocks of a rule set from blitz to a day a move, derived from the clocks of its preset.

A field whose name ends in `_seconds` is the time for one decision, except for the fields treated separately below. A
new game needs no code for its paces if the names of its clocks follow this rule. A pace changes only clocks and the
limits that depend on them.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypeAlias, get_args

from games.engine.base import JSON, Text, text
from games.engine.base import gettext_noop as _
from games.engine.fields import DAY_SECONDS, NO_LIMIT_MINUTES
from games.engine.rules import RuleBook

Pace: TypeAlias = Literal["blitz", "usual", "relaxed", "slow"]
PACES: Final[tuple[Pace, ...]] = get_args(Pace)

PACE_TITLES: Final[Mapping[Pace, Text]] = {
    "blitz": text(_("Blitz: half the time")),
    "usual": text(_("The usual time")),
    "relaxed": text(_("Relaxed: twice the time")),
    "slow": text(_("Slow: a day for each move")),
}

# Appended to a table's title; the default pace is not mentioned.
PACE_NAMES: Final[Mapping[Pace, Text]] = {
    "blitz": text(_("blitz")),
    "relaxed": text(_("relaxed")),
    "slow": text(_("slow")),
}

# The fewest seconds that a person needs. A preset with less keeps its own value.
_FLOORS: Final[Mapping[str, int]] = {
    "turn_seconds": 15,
    "extra_seconds": 15,
    "declare_seconds": 30,
    "show_seconds": 30,
    "rejoin_seconds": 15,
}
_LEAST_SECONDS: Final = 5
# A week without a move, so that a weekend away costs nobody the deal.
_SLOW_MISSED_TURNS: Final = 7


def _scale_decision(name: str, usual: int, pace: Pace) -> int:
    if pace == "slow":
        return DAY_SECONDS
    if pace == "relaxed":
        return 2 * usual
    return max(usual // 2, min(usual, _FLOORS.get(name, _LEAST_SECONDS)))


def _scale_extra(name: str, usual: int, pace: Pace) -> int:
    """Return the extra time of a deal at this pace. The slow pace has none: a turn ends exactly at the date shown."""
    return 0 if pace == "slow" else _scale_decision(name, usual, pace)


def _scale_minutes(name: str, usual: int, pace: Pace) -> int:
    if pace == "slow":
        return NO_LIMIT_MINUTES
    return 2 * usual if pace == "relaxed" else usual


def _scale_missed(name: str, usual: int, pace: Pace) -> int:
    return max(usual, _SLOW_MISSED_TURNS) if pace == "slow" else usual


_Change: TypeAlias = Callable[[str, int, Pace], int]
_SPECIAL: Final[Mapping[str, _Change]] = {
    "extra_seconds": _scale_extra,
    "max_minutes": _scale_minutes,
    "max_missed_turns": _scale_missed,
}


def _get_change(name: str) -> _Change | None:
    return _SPECIAL.get(name, _scale_decision if name.endswith("_seconds") else None)


def pace_fields(book: RuleBook[Any], rules: Any, pace: Pace) -> dict[str, JSON]:
    """Return the fields that a pace decides, with their values.

    The values are those of the preset that the rules name, changed to the pace. A field that the preset leaves empty
    stays empty.
    """
    usual = book.presets.get(rules.name, book.usual)
    return {
        name: change(name, value, pace) if value and pace != "usual" else value
        for name in book.json(usual)
        if (change := _get_change(name)) is not None
        for value in (getattr(usual, name),)
    }


def apply_pace(book: RuleBook[Any], rules: Any, pace: Pace) -> Any:
    """Return the rules at this pace."""
    return book.change(rules, **pace_fields(book, rules, pace))


def find_pace(book: RuleBook[Any], rules: Any) -> Pace | None:
    """Return the pace of a rule set, or None if its clocks match no pace."""
    for pace in PACES:
        fields = pace_fields(book, rules, pace)
        if all(getattr(rules, name) == value for name, value in fields.items()):
            return pace
    return None


def is_slow(rules: Any) -> bool:
    """Return whether a turn lasts so long (an hour or more) that players need not wait at the table."""
    return bool(rules.turn_seconds >= SLOW_FROM_SECONDS)


SLOW_FROM_SECONDS: Final = 3_600
