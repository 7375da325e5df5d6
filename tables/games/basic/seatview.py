"""What may be seen: by everybody, and by the player on one seat alone (B16)."""

from typing import Any

from tables.games.base import JSON
from tables.games.basic.best import count
from tables.games.basic.match import Match, scores_of
from tables.games.basic.turns import WORD_FOR_RUN
from tables.games.rummy import seatview

NOTHING_PRIVATE = seatview.NOTHING_PRIVATE


def public_view(match: Match) -> dict[str, JSON]:
    view: dict[str, Any] = seatview.public_view(match, WORD_FOR_RUN, count)
    scores = scores_of(match)
    players = {
        str(player.seat): {
            **seatview.player_view(match, player),
            "score": scores[player.seat],
        }
        for player in match.deal.players
    }
    more = {
        "target": match.rules.target,
        "scores": {str(seat): score for seat, score in scores.items()},
    }
    return {**view, "players": players, "match": {**view["match"], **more}}


def private_view(match: Match, seat: int) -> dict[str, JSON]:
    return seatview.private_view(match, seat, count)
