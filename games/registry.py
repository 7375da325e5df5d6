"""The games that can be played at a table."""

from typing import Any, Final

from games.basic.game import BASIC
from games.contract.game import CONTRACT
from games.engine.base import Format, Game
from games.engine.guard import guarded
from games.gin.game import GIN
from games.indian.game import INDIAN
from games.rummikub.game import RUMMIKUB

AnyGame = Game[Any, Any, Any]

# By code, the usual one first.
GAMES: Final[dict[str, AnyGame]] = {
    game.code: guarded(game) for game in (INDIAN, GIN, BASIC, CONTRACT, RUMMIKUB)
}

# Codes of all formats, whichever game has them.
FORMATS: Final = sorted({format.code for game in GAMES.values() for format in game.formats})


def get_game(code: str) -> AnyGame:
    """The game behind its guard; raise `KeyError` for one that is not installed."""
    return GAMES[code]


def get_format(game: str, code: str) -> Format:
    """A format of a game; raise `KeyError` for one that there is not."""
    for format in GAMES[game].formats:
        if format.code == code:
            return format
    raise KeyError(code)
