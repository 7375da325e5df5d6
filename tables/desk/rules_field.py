"""A drop-down of game and rules, for forms of tables, templates and tournaments."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.engine.base import InvalidRules
from games.registry import get_game
from tables.catalog import (
    list_offered_formats,
    list_presets,
    title_of_format,
    title_of_game,
    title_of_preset,
)
from tables.models import HouseRules

Choices = list[tuple[str, list[tuple[str, str]]]]
Fits = Callable[[str, Any], bool]


def format_rules(game: str, preset: str, house_rules: HouseRules | None = None) -> str:
    """Return the field's value for a rule set."""
    return f"{game}:{preset}" if house_rules is None else f"{game}:{preset}:{house_rules.pk}"


def rules_choices(
    fits: Fits = lambda _game, _rules: True, *, with_house_rules: bool = True
) -> Choices:
    """Return the choices of all rule sets that `fits` accepts, grouped by format.

    House rules follow their preset.
    """
    house = [one for one in HouseRules.objects.all() if one.is_played] * with_house_rules
    groups = []
    for game, format in list_offered_formats():
        options = [
            (format_rules(game, preset), title_of_preset(game, preset))
            for preset in list_presets(game, format)
            if fits(game, get_game(game).rules.preset(preset))
        ]
        options += [
            (format_rules(game, one.preset, one), house_title(one))
            for one in house
            if one.game == game and one.format == format and fits(game, one.rule_set)
        ]
        groups.append((title_of_format(game, format), options))
    return [(title, options) for title, options in groups if options]


def house_title(house_rules: HouseRules) -> str:
    """Return the title of house rules, together with the title of their preset."""
    return f"{rules_title(house_rules.game, house_rules.preset)} · {house_rules.shown_name}"


def rules_title(game: str, preset: str, house_rules: HouseRules | None = None) -> str:
    """Return the title of these rules, or the preset's code if the game has dropped the preset."""
    if house_rules is not None:
        return house_title(house_rules)
    try:
        return title_of_preset(game, preset)
    except InvalidRules:
        return preset


class RulesField(forms.ChoiceField):
    """A choice of rules. Its value is "indian:pool101", or "indian:pool101:12" for house rules.

    Only listed values are valid.
    """

    default_error_messages = {"invalid_choice": _("There are no such rules: choose from the list.")}

    def __init__(
        self,
        *,
        fits: Fits = lambda _game, _rules: True,
        with_house_rules: bool = True,
        **options: Any,
    ) -> None:
        self.fits, self.with_house_rules = fits, with_house_rules
        super().__init__(choices=self._list_choices, **options)

    def _list_choices(self) -> list[Any]:
        offered = rules_choices(self.fits, with_house_rules=self.with_house_rules)
        return [("", "---------"), *offered]

    def keep_offer(self, game: str, preset: str, house_rules: HouseRules | None) -> None:
        """Fix the choices for one form, and add the saved row's rules if they are no longer offered."""
        offered = self._list_choices()
        code = format_rules(game, preset, house_rules)
        if preset and not any(code == value for _title, group in offered[1:] for value, _ in group):
            offered.append((title_of_game(game), [(code, rules_title(game, preset, house_rules))]))
        self.choices = offered


class AsksRules(forms.BaseForm):
    """A model form whose single field sets `game`, `preset` and `house_rules` together."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        row = self.instance  # type: ignore[attr-defined] # of a form of a model
        field = self.fields.get("preset")
        if isinstance(field, RulesField):
            house_rules = getattr(row, "house_rules", None)
            field.keep_offer(row.game, row.preset, house_rules)
            if row.preset:
                self.initial["preset"] = format_rules(row.game, row.preset, house_rules)

    def split_rules(self, cleaned: dict[str, Any]) -> None:
        """Set the three columns from the chosen value."""
        if cleaned.get("preset"):
            game, preset, *house = cleaned["preset"].split(":")
            cleaned["game"], cleaned["preset"] = game, preset
            row = self.instance  # type: ignore[attr-defined] # likewise
            row.game = game
            if self.base_fields["preset"].with_house_rules:  # type: ignore[attr-defined] # a RulesField
                row.house_rules = HouseRules.objects.get(pk=house[0]) if house else None
