"""Numbers of the rules for the help pages, read from the rule sets themselves."""

from typing import Any

from django import template

from games.registry import get_game

register = template.Library()


@register.simple_tag
def game_rules(code: str) -> dict[str, Any]:
    """Return a mapping from the name of each rule to its value in the game's default rules.

    Two more keys: `lesson` has the rules of the guided first deal, `formats` maps each format to its rule sets.
    """
    game = get_game(code)

    def numbers(preset: str) -> dict[str, Any]:
        return game.rules.json(game.rules.preset(preset))

    return {
        **numbers(game.formats[0].presets[0]),
        "lesson": None if game.lesson is None else numbers(game.lesson.preset),
        "formats": {
            format.code: [numbers(preset) for preset in format.presets] for format in game.formats
        },
    }
