"""The numbers of a format side by side, read from the rule sets that are played."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from tables.games.base import JSON
from tables.games.registry import get_format, get_game
from tables.play.titles import title_of_preset
from tables.play.wording import translated


@dataclass(frozen=True, slots=True)
class Fact:
    """`values` has a number or a word for each rule set, None where there is no such thing."""

    label: str
    field: str
    values: Sequence[JSON]


def columns_of(game: str, format: str) -> list[str]:
    """What tables by each rule set of this format are called."""
    return [title_of_preset(game, preset) for preset in get_format(game, format).presets]


def facts_of(game_code: str, format: str) -> list[Fact]:
    """What decides a match of this format; what none of its rule sets has is left out."""
    game = get_game(game_code)
    presets = get_format(game_code, format).presets
    rules = [game.rules_json(game.preset(preset)) for preset in presets]
    facts = [
        Fact(translated(fact.label), fact.name, [_shown(numbers[fact.name]) for numbers in rules])
        for fact in game.rule_facts
    ]
    return [fact for fact in facts if any(fact.values)]


def _shown(value: JSON) -> JSON:
    if value is True:
        return gettext("yes")
    return value or None
