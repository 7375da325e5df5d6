"""The views of basic rummy: the public one, and the private one of a seat (B16)."""

from typing import Any, Final

from games.basic.rules.laying import count
from games.basic.rules.match import Match
from games.engine import laid
from games.engine.game import View
from games.engine.laying import WORD_FOR_RUN


def public_view(match: Match) -> dict[str, Any]:
    scores = match.scores
    return laid.public_view(
        match,
        WORD_FOR_RUN,
        count,
        players=lambda player: {"score": scores[player.seat]},
        more={
            "target": match.rules.target,
            "scores": {str(seat): score for seat, score in scores.items()},
        },
    )


def private_view(match: Match, seat: int) -> dict[str, Any]:
    return laid.private_view(match, seat, count)


VIEW: Final = View(public_view, private_view, laid.NOTHING_PRIVATE)
