"""Descriptions of the rules of a match in words and numbers, read from its rule set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.engine.base import JSON, RuleFact, RuleGroup
from games.engine.fields import DAY_SECONDS, NO_LIMIT_MINUTES
from games.registry import get_format, get_game
from tables.catalog import (
    Adapt,
    find_differences,
    find_nearest_preset,
    format_title,
    title_of_game,
    title_of_preset,
    translate,
)
from tables.models import Table

Rules = Mapping[str, JSON]

GROUPS: Final[Mapping[RuleGroup, Any]] = {
    "cards": _("Cards and melds"),
    "counting": _("Counting"),
    "deal": _("A deal"),
    "match": _("A match"),
    "clock": _("Clocks"),
}


@dataclass(frozen=True, slots=True)
class Fact:
    """One row of a comparison of rule sets: for each of them a number, a string, or None if the rule does not apply."""

    label: str
    field: str
    values: Sequence[JSON]


def list_columns(game: str, format: str) -> list[str]:
    """Return the titles of the columns, one for each rule set of this format."""
    return [title_of_preset(game, preset) for preset in get_format(game, format).presets]


def compare_presets(game_code: str, format: str) -> list[Fact]:
    """Return a comparison of the rule sets of a format. Facts that none of them has are left out."""
    game = get_game(game_code)
    presets = get_format(game_code, format).presets
    rules = [game.rules.json(game.rules.preset(preset)) for preset in presets]
    facts = [
        Fact(translate(fact.label), fact.name, [describe_value(fact, numbers) for numbers in rules])
        for fact in game.words.rule_facts
    ]
    return [fact for fact in facts if any(fact.values)]


@dataclass(frozen=True, slots=True)
class OwnFact:
    """A table's value of one rule, and the default value. `is_own` tells whether the two differ."""

    label: str
    field: str
    value: JSON
    usual: JSON

    @property
    def is_own(self) -> bool:
        return self.value != self.usual

    @property
    def in_words(self) -> str:
        """Return "Packs of cards: 1" or "Deuces are wild: no"."""
        value = gettext("no") if self.value is None else self.value
        return f"{self.label}: {value}"


def compare_with_usual(game_code: str, rules: Any, *, is_free: bool = False) -> list[OwnFact]:
    """Return each rule of a rule set, with its value there and in the nearest standard rule set of the same format."""
    own, usual = _pair_with_usual(game_code, rules, is_free=is_free)
    return _compare_facts(get_game(game_code).words.rule_facts, own, usual)


def own_facts(
    game_code: str, rules: Any, *, is_free: bool = False, adapt: Adapt | None = None
) -> list[OwnFact]:
    """Return the differences from the default rules, as players read them before they sit down.

    Differences that `adapt` makes, for example for a tournament, are left out. With `is_free`, differences that every
    free table has are left out, too. For example, no prize is split at a free table.
    """
    own, usual = _pair_with_usual(game_code, rules, is_free=is_free, adapt=adapt)
    # Most tables in the lobby use the default rules, so only differences become text.
    changed = set(find_differences(own, usual))
    facts = get_game(game_code).words.rule_facts
    touched = [fact for fact in facts if fact.name in changed or fact.needs in changed]
    return [fact for fact in _compare_facts(touched, own, usual) if fact.is_own]


def _pair_with_usual(
    game_code: str, rules: Any, *, is_free: bool, adapt: Adapt | None = None
) -> tuple[Rules, Rules]:
    game = get_game(game_code)
    if adapt is None:
        adapt = game.money.adapt_to_no_stake if is_free else lambda rules: rules
    own = game.rules.json(adapt(rules))
    return own, find_nearest_preset(game_code, game.money.get_format_code(rules), own, adapt=adapt)


def _compare_facts(facts: Sequence[RuleFact], own: Rules, usual: Rules) -> list[OwnFact]:
    """Return both rule sets' values of each fact, without facts that neither of them has."""
    shown = [
        OwnFact(
            translate(fact.label),
            fact.name,
            describe_value(fact, own),
            describe_value(fact, usual),
        )
        for fact in facts
    ]
    return [fact for fact in shown if fact.value or fact.usual]


# As many differences as fit in a tile; the table's page lists all.
_IN_A_LINE: Final = 3


def own_rules_line(
    game_code: str, rules: Any, *, is_free: bool = False, adapt: Adapt | None = None
) -> str:
    """Return one line of differences: "Different here: Packs of cards for two players: 1 · …".

    It is empty for the default rules.
    """
    facts = own_facts(game_code, rules, is_free=is_free, adapt=adapt)
    if not facts:
        return ""
    named = " · ".join(fact.in_words for fact in facts[:_IN_A_LINE])
    more = len(facts) - _IN_A_LINE
    if more > 0:
        words = ngettext("%(named)s and %(more)s more", "%(named)s and %(more)s more", more)
        named = words % {"named": named, "more": more}
    return gettext("Different here: %(named)s") % {"named": named}


def describe_own_rules(table: Table) -> str:
    """Return the line of differences between a table's rules and the default rules."""
    rules = get_game(table.game).rules.load(table.rules)
    return own_rules_line(table.game, rules, is_free=table.is_free)


def rules_at(table_id: int) -> dict[str, Any]:
    """Return the context of the page that compares a table's rules with the nearest standard rule set."""
    table = Table.objects.defer("state", "next_seed").get(pk=table_id)
    rules = get_game(table.game).rules.load(table.rules)
    return {
        "table": table,
        "title": format_title(table),
        "game_title": title_of_game(table.game),
        "facts": compare_with_usual(table.game, rules, is_free=table.is_free),
    }


def describe_facts(game_code: str, rules: Rules) -> list[tuple[str, JSON]]:
    """Return the label and the value of each fact of these rules, for the administration."""
    facts = get_game(game_code).words.rule_facts
    shown = [(translate(fact.label), describe_value(fact, rules)) for fact in facts]
    return [(label, value) for label, value in shown if value]


def describe_value(fact: RuleFact, rules: Rules) -> JSON:
    """Return a rule's value as a number or a string. None stands for an empty field, zero, or a flag that is off."""
    value = rules.get(fact.name)
    if fact.needs is not None and not rules.get(fact.needs):
        return None
    if isinstance(value, list):
        return " · ".join(_describe_part(fact, part) for part in value)
    if value in fact.words:
        return translate(fact.words[value])
    if fact.name == "max_minutes" and value == NO_LIMIT_MINUTES:
        return gettext("no limit")
    if fact.name.endswith("_seconds") and isinstance(value, int) and value % DAY_SECONDS == 0:
        days = value // DAY_SECONDS
        return ngettext("%(days)s day", "%(days)s days", days) % {"days": days} if days else None
    return gettext("yes") if value is True else value or None


def _describe_part(fact: RuleFact, part: JSON) -> str:
    if isinstance(part, list):
        return " + ".join(_describe_part(fact, one) for one in part)
    return translate(fact.words[part]) if part in fact.words else str(part)
