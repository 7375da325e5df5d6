"""The registry of the games that can be played at a table. Each game has a code.

A program that uses the engine as a library adds its own game with `register(GAME)`. An installed package offers a game
as an entry point of the group `openrummy.games`, which `load_installed()` registers:

    [project.entry-points."openrummy.games"]
    highest = "highest_card:GAME"

A site offers only the games of this module, because a game at a site also needs tables, texts and a page
(docs/adding.md).
"""

from importlib.metadata import entry_points
from inspect import signature
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


# The group of entry points, each of which names a `Game`.
ENTRY_POINTS: Final = "openrummy.games"


def register(game: Game) -> Game:
    """Put a game behind its guard, add it under its code and return it.

    Raises TypeError for a value that is not a `Game` or whose bots take other arguments, and ValueError for a code that
    is already in use.
    """
    if not isinstance(game, Game):
        raise TypeError(f"{game!r} is not a Game.")
    signature(game.bots).bind({}, 0, strength="easy", rng=None)
    if game.code in GAMES:
        raise ValueError(f"There is a game {game.code!r} already.")
    return GAMES.setdefault(game.code, guard_game(game))


def load_installed() -> list[str]:
    """Register the games of installed packages and return their codes. Skips codes that are already registered."""
    found = [point.load() for point in entry_points(group=ENTRY_POINTS)]
    return [register(game).code for game in found if game.code not in GAMES]


# Return a guarded game by its code. Raises `KeyError` if it is not installed.
get_game: Final = GAMES.__getitem__


def get_format(game: str, code: str) -> Format:
    """Return the format of a game with this code. Raises `KeyError` for an unknown game or code."""
    for format in GAMES[game].formats:
        if format.code == code:
            return format
    raise KeyError(code)
