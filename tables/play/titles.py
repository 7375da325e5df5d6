"""What a table is called by what is played at it."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from tables.games.registry import get_game
from tables.models import Format, Table


def title_of(table: Table) -> str:
    """ "Points", "Pool 101", "Best of 2"."""
    return _title(table.format, table.rules)


def title_of_preset(name: str) -> str:
    """What a table by these rules will be called."""
    game = get_game("indian")
    rules = game.preset(name)
    return _title(game.family(rules), game.rules_json(rules))


def _title(format: str, rules: Mapping[str, Any]) -> str:
    if format == Format.POOL:
        return _("Pool %(score)s") % {"score": rules["elimination_score"]}
    if format == Format.DEALS:
        return _("Best of %(deals)s") % {"deals": rules["deals"]}
    return _("Points")
