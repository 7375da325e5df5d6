"""The games that can be played at a table."""

from typing import Final

from games.basic.game import GAME as BASIC
from games.contract.game import GAME as CONTRACT
from games.engine.base import Format
from games.engine.game import Game, guard_game
from games.five_hundred.game import GAME as FIVE_HUNDRED
from games.gin.game import GAME as GIN
from games.indian.game import GAME as INDIAN
from games.rummikub.game import GAME as RUMMIKUB

# By code, the default first. Each is wrapped in a guard (games/engine/game.py).
GAMES: Final[dict[str, Game]] = {
    game.code: guard_game(game) for game in (INDIAN, GIN, BASIC, CONTRACT, RUMMIKUB, FIVE_HUNDRED)
}

# Codes of all formats of all games.
FORMATS: Final = sorted({format.code for game in GAMES.values() for format in game.formats})


# Return a guarded game by its code. Raises `KeyError` if it is not installed.
get_game: Final = GAMES.__getitem__


def get_format(game: str, code: str) -> Format:
    """Return a format of a game. Raises `KeyError` for an unknown one."""
    for format in GAMES[game].formats:
        if format.code == code:
            return format
    raise KeyError(code)
