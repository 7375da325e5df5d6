"""The drop-down of a form that asks by which rules of which game something is played."""

from collections.abc import Callable, Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tables.games.registry import get_format
from tables.play.offered import offered_games
from tables.play.titles import played, title_of_format, title_of_preset

Choices = list[tuple[str, list[tuple[str, str]]]]
Fits = Callable[[str, str], bool]


def rules_of(game: str, preset: str) -> str:
    """How the field writes a rule set."""
    return f"{game}:{preset}"


def rules_choices(fits: Fits = lambda _game, _preset: True) -> Choices:
    """The rule sets that fit, under the title of each format of each game that is offered."""
    groups = (
        (
            title_of_format(game, format),
            list(_options(game, get_format(game, format).presets, fits)),
        )
        for game, format in played()
    )
    return [(title, options) for title, options in groups if options]


def _options(game: str, presets: Iterable[str], fits: Fits) -> Iterable[tuple[str, str]]:
    for preset in presets:
        if fits(game, preset):
            yield rules_of(game, preset), f"{title_of_preset(game, preset)} ({preset})"


class RulesField(forms.ChoiceField):
    """Cleaned to "indian:pool101". Whether the game has such rules is asked by the form, which can
    say what is wrong with them."""

    default_error_messages = {"invalid_choice": _("There is no such game.")}

    def __init__(self, *, fits: Fits = lambda _game, _preset: True, **options: Any) -> None:
        super().__init__(choices=lambda: [("", "---------"), *rules_choices(fits)], **options)

    def valid_value(self, value: Any) -> bool:
        return str(value).partition(":")[0] in offered_games()


class AsksRules(forms.BaseForm):
    """A form of a model with `game` and `preset`, which one field `preset` asks for together."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        instance = self.instance  # type: ignore[attr-defined] # of a form of a model
        if "preset" in self.fields and instance.preset:
            self.initial["preset"] = rules_of(instance.game, instance.preset)

    def split_rules(self, cleaned: dict[str, Any]) -> None:
        """The two columns of what was chosen."""
        if cleaned.get("preset"):
            game, _colon, cleaned["preset"] = cleaned["preset"].partition(":")
            cleaned["game"] = game
            self.instance.game = game  # type: ignore[attr-defined] # likewise
