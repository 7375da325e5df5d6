"""Traces of matches of honest and colluding players, made up without playing."""

import random

from games.engine.game import PairSums
from history.fairplay.pairs import Trace

SEATS = 4


def match_traces(number, order, rng, *, feeds=None, dumps=None):
    """Return all traces of one match. The pairs (giver, taker) in `feeds` and `dumps` get raised values."""
    loss = {user: rng.expovariate(1 / 8) for user in order}
    if dumps and dumps[0] in order and dumps[1] in order:
        loss[dumps[0]] += 40
    winner = rng.choice(order)
    rows = []
    for place, giver in enumerate(order):
        following = order[(place + 1) % SEATS]
        labels = [rng.gauss(0, 4) for _ in range(SEATS - 1)]
        mean = sum(labels) / len(labels)
        fed, *others = [label - mean for label in labels]
        if feeds == (giver, following):
            fed, others = fed + 8, [other - 4 for other in others]
        paid = 0.0 if giver == winner else rng.uniform(10, 80)
        for taker in order:
            if taker == giver:
                continue
            is_next = taker == following
            rows.append(
                Trace(
                    number,
                    giver,
                    taker,
                    PairSums(
                        feeding=fed if is_next else 0.0,
                        feeding_others=tuple(others) if is_next else (),
                        withheld=0.0 if is_next else -fed,
                        loss=loss[giver],
                        decisions=6,
                        offered=5 if is_next else 0,
                        picked=rng.randrange(3) if is_next else 0,
                        picks_due=1.0 if is_next else 0.0,
                        paid=paid if taker == winner else 0.0,
                        paid_due=paid / (SEATS - 1),
                    ),
                )
            )
    return rows


def club(matches, seed, **guilty):
    """Return traces of twelve players in random fours. Half of the matches include players 1 and 2, or 3 and 4."""
    rng = random.Random(seed)
    traces = []
    for number in range(matches):
        order = rng.sample(range(1, 13), SEATS)
        if number % 2:
            pair = rng.choice([(1, 2), (3, 4)])
            order = [*pair, *rng.sample(range(5, 13), 2)]
            rng.shuffle(order)
        traces += match_traces(number, order, rng, **guilty)
    return traces
