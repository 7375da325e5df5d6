"""The numbers of the rules for the help pages, from the rule sets that are played."""

from typing import Any

from django import template

from tables.games.registry import get_format
from tables.play.offered import usual_game

register = template.Library()


@register.simple_tag
def game_rules() -> dict[str, Any]:
    """The points rules by name, with those of the pools and of the deals matches beside them."""
    game = usual_game()

    def numbers(preset: str) -> dict[str, Any]:
        return game.rules_json(game.preset(preset))

    return {
        **numbers("points"),
        "lesson": numbers("lesson"),
        "pools": [numbers(preset) for preset in get_format(game.code, "POOL").presets],
        "matches": [numbers(preset) for preset in get_format(game.code, "DEALS").presets],
    }
