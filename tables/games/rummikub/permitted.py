"""What a seat may do now, as its browser is told: by kinds of moves, without looking for lays."""

from typing import Final

from tables.games.base import JSON
from tables.games.rummikub import play
from tables.games.rummikub.deal import Deal
from tables.games.rummikub.moves import Draw, Pass
from tables.games.rummikub.rulesets import RummikubRules

Entry = dict[str, JSON]

_LAY: Final[Entry] = {"kind": "lay", "table": None}
_ARRANGE: Final[Entry] = {"kind": "arrange", "rev": None, "table": None}
_LEAVE: Final[Entry] = {"kind": "leave"}


def legal_view(deal: Deal, rules: RummikubRules, seat: int) -> list[Entry]:
    """Of a running deal. Whether a table can be laid is answered by trying: `table` is free, and a
    `lay` is told also where nothing can be laid (K5)."""
    player = deal.player(seat)
    if player is None or not player.is_playing:
        return []
    if deal.at_turn.seat != seat:
        return [_LEAVE]
    others: list[Entry] = [
        {"kind": move.kind}
        for move in (Draw(), Pass())
        if play.refusal_of(deal, rules, seat, move) is None
    ]
    return [_LAY, *others, _ARRANGE, _LEAVE]
