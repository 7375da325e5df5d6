"""The games that can be played at a table."""

from collections.abc import Mapping
from typing import Any, Final

from tables.games.base import Game
from tables.games.indian.game import INDIAN

AnyGame = Game[Any, Any, Any]

GAMES: Final[Mapping[str, AnyGame]] = {game.code: game for game in (INDIAN,)}


def get_game(code: str) -> AnyGame:
    """Raise `KeyError` for a game that is not installed."""
    return GAMES[code]
