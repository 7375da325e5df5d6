"""Help for one seat: the best lay."""

from tables.games.base import JSON
from tables.games.rummikub.deal import Deal, Phase
from tables.games.rummikub.melds import melds_json
from tables.games.rummikub.refusals import Refusal, illegal
from tables.games.rummikub.rulesets import RummikubRules
from tables.games.rummikub.turns import best_of, check_turn


def answer(deal: Deal, rules: RummikubRules, seat: int) -> dict[str, JSON]:
    """`{"kind": "lay"}`: the most `tiles` that can be laid now, the most `points` among those, and
    the whole `table` after it, as `lay` takes it; `table` is null where nothing can be laid.

    Raises `IllegalMove` if it is not this seat's turn.
    """
    player = deal.player(seat)
    if player is None or not player.is_playing:
        raise illegal(Refusal.NOT_IN_DEAL)
    if deal.phase is Phase.OVER or check_turn(deal, player) is not None:
        raise illegal(Refusal.NO_SUCH_HELP)
    best = best_of(deal, rules, player)
    if best is None:
        return {"tiles": 0, "points": 0, "table": None}
    return {"tiles": best.tiles, "points": best.points, "table": melds_json(best.table)}
