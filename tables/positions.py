"""Stored states that this process has read or made: loaded, and with their views.

A move needs the views before it and after it, and "before" is mostly the "after" of the last move.
They are found by the stored bytes themselves, so what is remembered can never be out of date, and
nothing depends on its being there: any process may serve any table.
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

from tables.games.base import Game
from tables.seat_view import View, private_views

REMEMBERED: Final = 2_500  # states; about 10 KB each

_positions: OrderedDict[tuple[str, bytes], "Position"] = OrderedDict()
_lock = Lock()


@dataclass(frozen=True, slots=True)
class Position:
    """A state of a game with what everybody and each seat sees of it. Not to be changed."""

    state: Any
    stored: bytes
    public: View
    private: Mapping[str, View]


def position_of(game: Game[Any, Any, Any], stored: bytes) -> Position:
    """The position that these bytes of a table's row are."""
    key = (game.code, stored)
    with _lock:
        found = _positions.get(key)
        if found is not None:
            _positions.move_to_end(key)
            return found
    return _remember(key, game, game.load(stored))


def new_position(game: Game[Any, Any, Any], state: Any) -> Position:
    """The position of a state that is about to be stored."""
    return _remember((game.code, game.dump(state)), game, state)


def _remember(key: tuple[str, bytes], game: Game[Any, Any, Any], state: Any) -> Position:
    position = Position(state, key[1], game.public_view(state), private_views(game, state))
    with _lock:
        _positions[key] = position
        if len(_positions) > REMEMBERED:
            _positions.popitem(last=False)
    return position
