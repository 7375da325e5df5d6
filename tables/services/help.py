"""A player's hand laid out for him."""

from collections.abc import Mapping
from dataclasses import dataclass

from tables.games.base import JSON
from tables.help import best_arrangement
from tables.services.play import MoveRequest, Played, play_move


@dataclass(frozen=True, slots=True)
class Arranged:
    """What was saved for the player, as the `arrange` move on the wire, and what became of it."""

    move: Mapping[str, JSON]
    played: Played


def arrange_best(*, table_id: int, user_id: int | None, rev: int) -> Arranged:
    """Save the best arrangement of this player's hand as revision `rev` of his groups.

    It is reckoned before the table is locked; if the hand is another one by then, the move is
    refused like any arrangement that was overtaken. Raises a Refusal if the table gives no help.
    """
    move = best_arrangement(table_id=table_id, user_id=user_id, rev=rev)
    request = MoveRequest(table_id=table_id, user_id=user_id, move=dict(move))
    return Arranged(move, play_move(request))
