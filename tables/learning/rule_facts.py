"""The numbers of a format side by side, read from the rule sets that are played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tables.games.registry import get_game
from tables.play.titles import title_of_preset

# The rule sets that the help pages tell of, by format.
PRESETS: Final[Mapping[str, Sequence[str]]] = {
    "points": ("points",),
    "pool": ("pool61", "pool101", "pool201"),
    "deals": ("deals2", "deals3", "deals6"),
}

# What is said of each rule set, and the field of `RuleSet` that decides it.
_FACTS: Final[Sequence[tuple[Promise, str]]] = (
    (_("Packs of cards"), "packs"),
    (_("Deals in a match"), "deals"),
    (_("Out at"), "elimination_score"),
    (_("Coming back up to"), "rejoin_score"),
    (_("Chips for each deal"), "chips_per_deal"),
    (_("Most in a deal"), "max_points"),
    (_("Wrong declaration"), "wrong_declaration_points"),
    (_("First drop"), "first_drop"),
    (_("Middle drop"), "middle_drop"),
    (_("Seconds for a turn"), "turn_seconds"),
    (_("Extra seconds in a deal"), "extra_seconds"),
    (_("Seconds to declare"), "declare_seconds"),
    (_("Missed turns until you are dropped"), "max_missed_turns"),
)


@dataclass(frozen=True, slots=True)
class Fact:
    """`values` has a number for each rule set, None where there is no such thing."""

    label: Promise
    field: str
    values: Sequence[int | None]


def columns_of(format: str) -> list[str]:
    return [title_of_preset(preset) for preset in PRESETS[format]]


def facts_of(format: str) -> list[Fact]:
    """What decides a match of this format; what none of its rule sets has is left out."""
    rules = [_rules(preset) for preset in PRESETS[format]]
    facts = [Fact(label, field, [one[field] or None for one in rules]) for label, field in _FACTS]
    return [fact for fact in facts if any(fact.values)]


def _rules(preset: str) -> Mapping[str, Any]:
    game = get_game("indian")
    return game.rules_json(game.preset(preset))
