"""The games that can be played at a table."""

from typing import Any, Final

from tables.games.base import Game
from tables.games.guard import guarded
from tables.games.indian.game import INDIAN

AnyGame = Game[Any, Any, Any]

GAMES: Final[dict[str, AnyGame]] = {game.code: guarded(game) for game in (INDIAN,)}


def get_game(code: str) -> AnyGame:
    """The game behind its guard; raise `KeyError` for one that is not installed."""
    return GAMES[code]
