"""The numbers of a format side by side, read from the rule sets that are played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from tables.games.base import JSON
from tables.games.registry import get_format, get_game
from tables.models import Table
from tables.play.titles import nearest_preset, title_of, title_of_game, title_of_preset
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


@dataclass(frozen=True, slots=True)
class OwnFact:
    """A number of one table, and the usual one; `is_own` where they differ."""

    label: str
    field: str
    value: JSON
    usual: JSON

    @property
    def is_own(self) -> bool:
        return self.value != self.usual


def rules_at(table_id: int) -> dict[str, Any]:
    """What decides a match at this table, beside the nearest usual rule set of its format."""
    table = Table.objects.defer("state", "next_seed").get(pk=table_id)
    game = get_game(table.game)
    own = game.rules_json(game.parse_rules(table.rules))
    usual = nearest_preset(table.game, table.format, own)
    facts = [
        OwnFact(translated(f.label), f.name, _shown(own[f.name]), _shown(usual[f.name]))
        for f in game.rule_facts
    ]
    return {
        "table": table,
        "title": title_of(table),
        "game_title": title_of_game(table.game),
        "facts": [fact for fact in facts if fact.value or fact.usual],
    }


def facts_in_words(game_code: str, rules: Mapping[str, JSON]) -> list[tuple[str, JSON]]:
    """Label and value of what decides a match by these rules, for the administration."""
    facts = get_game(game_code).rule_facts
    shown = [(translated(fact.label), _shown(rules.get(fact.name))) for fact in facts]
    return [(label, value) for label, value in shown if value]


def _shown(value: JSON) -> JSON:
    if value is True:
        return gettext("yes")
    return value or None
