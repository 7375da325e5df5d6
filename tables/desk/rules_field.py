"""The drop-down of a form that asks by which rules of which game something is played."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.engine.base import InvalidRules
from tables.catalog import (
    offered_formats,
    presets_of,
    title_of_format,
    title_of_game,
    title_of_preset,
)

Choices = list[tuple[str, list[tuple[str, str]]]]
Fits = Callable[[str, str], bool]


def rules_of(game: str, preset: str) -> str:
    """Return a rule set as the field shows it."""
    return f"{game}:{preset}"


def rules_choices(fits: Fits = lambda _game, _preset: True) -> Choices:
    """The rule sets that fit, under the title of each format of each game that is offered."""
    groups = (
        (
            title_of_format(game, format),
            [
                (rules_of(game, preset), title_of_preset(game, preset))
                for preset in presets_of(game, format)
                if fits(game, preset)
            ],
        )
        for game, format in offered_formats()
    )
    return [(title, options) for title, options in groups if options]


def rules_title(game: str, preset: str) -> str:
    """Return the title of a rule set that a row names, or its code where the game has dropped it."""
    try:
        return title_of_preset(game, preset)
    except InvalidRules:
        return preset


class RulesField(forms.ChoiceField):
    """Cleaned to "indian:pool101", one of the rule sets that the list offers."""

    default_error_messages = {"invalid_choice": _("There are no such rules: choose from the list.")}

    def __init__(self, *, fits: Fits = lambda _game, _preset: True, **options: Any) -> None:
        self.fits = fits
        super().__init__(choices=self._offered, **options)

    def _offered(self) -> list[Any]:
        return [("", "---------"), *rules_choices(self.fits)]

    def offer_as_well(self, game: str, preset: str) -> None:
        """Keep the rules of a saved row among the choices, though its game is not offered now."""
        code = rules_of(game, preset)
        if not self.valid_value(code):
            saved = (title_of_game(game), [(code, rules_title(game, preset))])
            self.choices = [*self._offered(), saved]


class AsksRules(forms.BaseForm):
    """A form of a model with `game` and `preset`, which one field `preset` asks for together."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        instance = self.instance  # type: ignore[attr-defined] # of a form of a model
        field = self.fields.get("preset")
        if isinstance(field, RulesField) and instance.preset:
            self.initial["preset"] = rules_of(instance.game, instance.preset)
            field.offer_as_well(instance.game, instance.preset)

    def split_rules(self, cleaned: dict[str, Any]) -> None:
        """The two columns of what was chosen."""
        if cleaned.get("preset"):
            game, _colon, cleaned["preset"] = cleaned["preset"].partition(":")
            cleaned["game"] = game
            self.instance.game = game  # type: ignore[attr-defined] # likewise
