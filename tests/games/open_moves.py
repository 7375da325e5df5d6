"""What of a seat's moves may be told to everybody."""

from typing import Any

from games.engine.base import JSON


def open_part(game: Any, state: Any, seat: int) -> list[dict[str, JSON]]:
    """The entries of `legal_view` that hold no secret."""
    open_moves = {move.kind for move in game.core.moves if move.is_public}
    return [entry for entry in game.core.legal_view(state, seat) if entry["kind"] in open_moves]
