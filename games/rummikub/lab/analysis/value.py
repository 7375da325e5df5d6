"""What tiles on a rack cost, in net points of the deal. All constants are measured.

A bot that overlooks one lay in five, against itself (743 deals of two, `hard` otherwise): a tile that
could have been laid and was not costs 0.0 ± 0.1 points, as it can be laid later and the tile drawn
instead may fit. Two things do cost. Whoever misses the lay that ends the deal does not win 23 of 100
of these deals any more. And if another player ends the deal first, every tile kept counts. So the
loss of a turn is a risk times points, and the points are exact, by the solver. Whoever would be left
with few tiles does well to draw on and lay all at once (the expert does, docs/bots.md): nothing is
lost by that.
"""

from collections import Counter
from collections.abc import Collection
from typing import Final

from games.cards import Card
from games.rummikub.rules.laying import Stand, count_most_points, find_best_lay
from games.rummikub.rules.melds import count
from games.rummikub.rules.ruleset import RummikubRules

# Share of deals that are lost after missing the lay that would have ended them.
LOST_AFTER_MISSING: Final = 0.23
# Chance to end the deal in one turn, by the tiles on a rack: `hard` in 155 deals of two and four.
_ENDING: Final = (0.0, 0.056, 0.081, 0.040, 0.008, 0.004)
_ENDING_WITH_MORE: Final = 0.0015

# Cost of a rack against an empty one, by the tiles that cannot be laid: fitted to 364 deals of two. Further
# tiles cost little more, because the deal goes on until few are left.
_STUCK: Final = (0.0, 14.0, 18.5, 20.5, 23.0, 24.0, 24.5)
# Cost before the initial meld with no meld on the rack; each point of its melds reduces it.
_NOT_OPENED: Final = 30.0
_A_MELDED_POINT: Final = 0.05


def risk_of_missing(others: int) -> float:
    """Return the chance to lose the deal after a missed lay that ends it."""
    return 1 - (1 - LOST_AFTER_MISSING) ** others


def estimate_risk(racks: Collection[int]) -> float:
    """Return the chance that one of the others ends the deal before the next turn, by their tiles."""
    goes_on = 1.0
    for tiles in racks:
        goes_on *= 1 - (_ENDING[tiles] if tiles < len(_ENDING) else _ENDING_WITH_MORE)
    return 1 - goes_on


def estimate_count(tiles: int, hidden: Collection[Card], rules: RummikubRules) -> float:
    """Return the mean points of a rack of hidden tiles (K15)."""
    points = tiles * count(hidden, rules.joker_points) / max(1, len(hidden))
    return points if rules.max_points is None else min(points, rules.max_points)


def estimate_burden(stand: Stand) -> float:
    """Return what this rack costs its player before the next turn."""
    best = find_best_lay(stand)
    if best is None and not stand.has_opened:
        points = count_most_points(Counter(card.face for card in stand.rack))
        melded = min(points, stand.rules.initial_meld)
        return _NOT_OPENED - _A_MELDED_POINT * melded
    left = len(stand.rack) - (0 if best is None else best.tiles)
    return _STUCK[min(left, len(_STUCK) - 1)]
