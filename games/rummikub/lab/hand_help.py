"""Help for a seat: the best lay that it can make."""

from collections.abc import Mapping
from typing import Final

from games.engine.base import JSON
from games.engine.game import HandHelp
from games.engine.moves import NO_SUCH_HELP, NOT_IN_DEAL
from games.rummikub.rules.deal import Step
from games.rummikub.rules.match import Match
from games.rummikub.rules.melds import melds_json
from games.rummikub.rules.moves import find_own_best


def answer_for(match: Match, seat: int, question: Mapping[str, JSON]) -> dict[str, JSON]:
    """Answer `{"kind": "lay"}` with the most `tiles` that can be laid now, and the `points` of that lay.

    `table` is the whole table after that lay, in the form that the move `lay` takes, or null if no tile can be laid.
    Raises `IllegalMove` if it is not this seat's turn.
    """
    step = Step(match, seat)
    if not step.is_in_deal:
        raise NOT_IN_DEAL.error()
    if not step.is_own_turn:
        raise NO_SUCH_HELP.error()
    best = find_own_best(step)
    if best is None:
        return {"tiles": 0, "points": 0, "table": None}
    return {"tiles": best.tiles, "points": best.points, "table": melds_json(best.table)}


HELP: Final = HandHelp({"lay": "arrangement"}, answer_for)
