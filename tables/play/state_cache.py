"""The newest state of each table that this process has read or made: loaded, and with its views.

A move needs the views before it and after it, and "before" is mostly the "after" of the last move.
What is remembered counts only for the very bytes that it was made of, so it can never be out of
date, and nothing depends on its being there: any process may serve any table.
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

from games.engine.core import Outcome, Status
from games.engine.game import Game
from tables.play.seat_view import View, private_views

# A table takes 18 to 46 KB, 75 at most (docs/bots.md), so all together stay below 188 MB.
REMEMBERED: Final = 2_500

_positions: OrderedDict[int, "Position"] = OrderedDict()
_lock = Lock()


@dataclass(frozen=True, slots=True)
class Position:
    """A state of a game with what everybody and each seat sees of it. Not to be changed."""

    state: Any
    stored: bytes
    public: View
    private: Mapping[str, View]
    status: Status


def position_of(game: Game, table_id: int, stored: bytes) -> Position:
    """The position that these bytes of the table's row are."""
    with _lock:
        remembered = _positions.get(table_id)
        if remembered is not None and remembered.stored == stored:
            _positions.move_to_end(table_id)
            return remembered
    state = game.stored.load(stored)
    return _remember(game, table_id, state, stored, game.core.status(state))


def new_position(game: Game, table_id: int, outcome: Outcome) -> Position:
    """The position of a state that is about to be stored."""
    return _remember(game, table_id, outcome.state, game.stored.dump(outcome.state), outcome.status)


def _remember(game: Game, table_id: int, state: Any, stored: bytes, status: Status) -> Position:
    views = game.view.public(state), private_views(game, state, status.seats)
    position = Position(state, stored, *views, status)
    with _lock:
        _positions[table_id] = position
        _positions.move_to_end(table_id)
        if len(_positions) > REMEMBERED:
            _positions.popitem(last=False)
    return position
