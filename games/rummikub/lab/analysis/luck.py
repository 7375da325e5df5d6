"""Luck: the tiles dealt and drawn, by what a rack costs (`value.estimate_burden`).

All racks are known after the deal. Of a draw: what the rack costs with that tile, less the mean over
the tiles of the pool. Of the dealing: the others' racks less one's own. All are 0 on average whatever
the players do, so the result less the luck is an unbiased measure of play.
"""

import random
from collections.abc import Mapping
from statistics import fmean
from typing import Any, Final

from games.analysis.judging import Effort
from games.analysis.records import event_of
from games.analysis.report import Luck
from games.cards import CARD_BY_TEXT
from games.rummikub.lab.analysis.reading import Situation, begin_situation, read_situations
from games.rummikub.lab.analysis.value import estimate_burden

# Tiles that a draw is compared with, even with many draws.
_LEAST_TILES: Final = 1


def weigh_luck(record: Mapping[str, Any], place: int, rng: random.Random, effort: Effort) -> Luck:
    draws = sum(event_of(step["events"], "drawn") is not None for step in record["steps"])
    tiles = max(_LEAST_TILES, effort.orders // max(1, draws))
    own = others = 0.0
    for _number, step, situation in read_situations(record):
        drawn = event_of(step["events"], "drawn")
        if drawn is None or event_of(step["events"], "laid") is not None:
            continue
        drawer = situation.place_of(drawn)
        worth = _estimate_worth_of_draw(situation, drawer, step["drew"], rng, tiles)
        if drawer == place:
            own += worth
        else:
            others -= worth / (len(situation.order) - 1)
    begun = begin_situation(record)
    costs = [estimate_burden(begun.stand(dealt)) for dealt in range(len(begun.order))]
    return Luck(fmean(costs[:place] + costs[place + 1 :]) - costs[place], own, others)


def _estimate_worth_of_draw(
    situation: Situation, place: int, drew: list[str], rng: random.Random, tiles: int
) -> float:
    """Return the points that this draw was better than one of the same pool at random."""
    pool, number = situation.pool(), len(drew)
    usual = [
        estimate_burden(situation.stand(place, *rng.sample(pool, number)))
        for _ in range(min(tiles, len(pool)))
    ]
    return fmean(usual) - estimate_burden(
        situation.stand(place, *(CARD_BY_TEXT[card] for card in drew))
    )
