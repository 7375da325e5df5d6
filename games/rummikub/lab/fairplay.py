"""How players of Rummikub gave points away (docs/fair-play.md).

The loss of a turn is the points of the best lay less the points of the tiles laid, at least 0 and at most `_MOST`.
There are no discards, so no player can be fed tiles. Only dumping is possible, and `PairSums` contains only losses.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.cards import CARD_BY_TEXT
from games.engine.game import Delivery, PairSums
from games.rummikub.lab.analysis.report import ANALYSIS
from games.rummikub.rules.laying import find_best_lay
from games.rummikub.rules.melds import count

# The most points that a turn can give away.
_MOST: Final = 30


class RummikubFairPlay:
    """The fair-play part of Rummikub (`Game.fair_play`)."""

    version: int = 2

    def compute_sums(self, records: Sequence[Mapping[str, Any]]) -> dict[tuple[int, int], PairSums]:
        """See `games.engine.game.FairPlay`."""
        losses: defaultdict[int, list[float]] = defaultdict(list)
        pairs = set()
        for record in records:
            order = record["order"]
            pairs |= {(one, other) for one in order for other in order if one != other}
            for _number, step, situation in ANALYSIS.read_situations(record):
                move = step.get("move") or {}
                if move.get("kind") in ("draw", "pass", "lay"):
                    place = order.index(step["seat"])
                    best = find_best_lay(situation.stand(place))
                    laid = [
                        CARD_BY_TEXT[card]
                        for event in step["events"]
                        if event["kind"] == "laid"
                        for card in event["from_rack"]
                    ]
                    most = 0 if best is None else best.points
                    missed = most - count(laid, situation.rules.joker_points)
                    losses[step["seat"]].append(min(_MOST, max(0, missed)))
        return {
            (giver, taker): PairSums(loss=float(sum(losses[giver])), decisions=len(losses[giver]))
            for giver, taker in sorted(pairs)
        }

    def list_deliveries(self, record: Mapping[str, Any], giver: int, taker: int) -> list[Delivery]:
        """Return an empty list, because tiles are never discarded."""
        del record, giver, taker
        return []


FAIR_PLAY: Final = RummikubFairPlay()
