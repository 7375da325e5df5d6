"""What of a seat's moves may be told to everybody."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.engine.base import JSON


def open_part(game: Any, state: Any, seat: int) -> list[dict[str, JSON]]:
    """The entries of `legal_view` that hold no secret."""
    entries: list[dict[str, JSON]] = game.core.legal_view(state, seat)
    return [entry for entry in entries if entry["kind"] in game.core.public_kinds]


def legal_templates(moves: Sequence[Mapping[str, JSON]]) -> list[dict[str, JSON]]:
    """Moves of one kind as one entry, each of its fields with the values that are allowed."""
    entries: dict[str, dict[str, Any]] = {}
    for move in moves:
        kind = str(move["kind"])
        entry = entries.setdefault(kind, {"kind": kind})
        for name, value in move.items():
            if name != "kind" and value not in entry.setdefault(name, []):
                entry[name].append(value)
    return list(entries.values())
