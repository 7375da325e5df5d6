"""The cost of the tiles on a rack, in net points of the deal. All constants are measured.

In 743 deals of two players, a bot that overlooks one lay in five played against the same bot without this weakness,
both otherwise `hard`. A tile that could have been laid and was not cost 0.0 ± 0.1 points: it can be laid later, and the
tile drawn instead may fit.

Two things do cost points. A player who misses the lay that would have ended the deal fails to win 23 of 100 such deals.
And if another player ends the deal first, every tile still on the rack is scored against its player. So the loss of a
turn is a risk times a number of points, which the solver finds exactly.

A player who would be left with few tiles does well to go on drawing and to lay all tiles at once, and loses nothing.
The expert plays that way (docs/bots.md).
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

# Cost of a rack compared with an empty one, by the tiles that cannot be laid: fitted to 364 deals of two. Further
# tiles cost little more, because the deal goes on until few are left.
_STUCK: Final = (0.0, 14.0, 18.5, 20.5, 23.0, 24.0, 24.5)
# Cost before the initial meld with no meld on the rack; each point of its melds reduces it.
_NOT_OPENED: Final = 30.0
_A_MELDED_POINT: Final = 0.05


def risk_of_missing(others: int) -> float:
    """Return the chance that a player who misses the lay that would have ended the deal loses the deal.

    `others` is the number of other players.
    """
    return 1 - (1 - LOST_AFTER_MISSING) ** others


def estimate_risk(racks: Collection[int]) -> float:
    """Return the chance that another player ends the deal before the player's next turn.

    `racks` are the numbers of tiles on the other players' racks.
    """
    goes_on = 1.0
    for tiles in racks:
        goes_on *= 1 - (_ENDING[tiles] if tiles < len(_ENDING) else _ENDING_WITH_MORE)
    return 1 - goes_on


def estimate_count(tiles: int, hidden: Collection[Card], rules: RummikubRules) -> float:
    """Return the expected points of a rack with this many of the hidden tiles (K15)."""
    points = tiles * count(hidden, rules.joker_points) / max(1, len(hidden))
    return points if rules.max_points is None else min(points, rules.max_points)


def estimate_burden(stand: Stand) -> float:
    """Return the points that this rack is expected to cost its player, compared with an empty one."""
    best = find_best_lay(stand)
    if best is None and not stand.has_opened:
        points = count_most_points(Counter(card.face for card in stand.rack))
        melded = min(points, stand.rules.initial_meld)
        return _NOT_OPENED - _A_MELDED_POINT * melded
    left = len(stand.rack) - (0 if best is None else best.tiles)
    return _STUCK[min(left, len(_STUCK) - 1)]
