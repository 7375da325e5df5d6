"""The key of a tournament's fee schedule: the game, with tournaments as one of its formats."""

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _

from tables.catalog import offered_games, title_of_game
from wallet.api import ChargedFormat

FEE_FORMAT: Final = "TOURNAMENT"


def charged_formats() -> Iterator[ChargedFormat]:
    """Tournaments of each game that has them."""
    for code, game in offered_games().items():
        if any(format.is_for_events for format in game.formats):
            yield ChargedFormat(code, title_of_game(code), FEE_FORMAT, _("tournament"))
