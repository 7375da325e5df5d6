"""Estimates how likely sampled hands of the opponent are, by a network fitted to deals of bots (docs/bots.md).

The analysis still uses the weights of the module `signs`, because its constants were measured with them.
"""

import random
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from math import exp
from typing import Final

from games.gin.bots.closeness import APART, CLOSE, PAIRS, count_pairs
from games.gin.bots.signs import GinSigns, Likely
from games.gin.bots.weights import LIKELIHOOD
from games.gin.rules.melding import BIT, cards_of, count_least, find_loose
from games.gin.rules.melds import POINTS

# The most draws that make a difference, and the points of the highest cards and of low ones.
_LATEST: Final = 12
_HIGHEST: Final = 10
_LOW: Final = 3
# How many recent discards are compared with the loose cards, and the points used before the first one.
_RECENT: Final = 2
_NONE_THROWN: Final = 11


def estimate_likelihoods(hands: Sequence[int], signs: GinSigns, limit: int) -> list[Likely]:
    """Return these hands, each weighted by how likely the opponent is to hold it. The weights add up to one.

    `limit` is the most deadwood with which a player may knock.
    """
    network = LIKELIHOOD.fix(_list_terms_of_signs(signs))
    found = []
    for hand in hands:
        deadwood = count_least(hand)
        weight = exp(network.compute(_list_terms(hand, deadwood, signs, limit)))
        found.append(Likely(hand, deadwood, weight))
    total = sum([likely.weight for likely in found])
    return [likely._replace(weight=likely.weight / total) for likely in found]


def choose_likely(hands: Sequence[Likely], count: int, rng: random.Random) -> list[Likely]:
    """Return a sample of this many hands, drawn by their weights, with new weights that add up to one."""
    ends = list(accumulate([likely.weight for likely in hands]))
    start, last = rng.random(), len(hands) - 1
    chosen = Counter(
        [min(last, bisect_left(ends, (start + number) / count)) for number in range(count)]
    )
    return [hands[place]._replace(weight=times / count) for place, times in chosen.items()]


def _list_terms_of_signs(signs: GinSigns) -> list[float]:
    """Return the network's inputs that are the same for all hands.

    They are the number of the opponent's draws, the number of cards known to be in their hand, and the points of their
    latest discard and of their lowest one.
    """
    points = [POINTS[card] for card in signs.thrown] or [_NONE_THROWN]
    return [
        min(signs.draws, _LATEST) / 10,
        signs.held.bit_count() / 4,
        points[-1] / 10,
        min(points) / 10,
    ]


def _list_terms(hand: int, deadwood: int, signs: GinSigns, limit: int) -> list[float]:
    """Return the network's inputs for one hand that the opponent may hold.

    They describe the hand's deadwood, and how well the hand explains the cards that the opponent refused and discarded.
    """
    loose = find_loose(hand)
    loose_cards = cards_of(loose)
    points = [POINTS[card] for card in loose_cards]
    return [
        deadwood / 10,
        deadwood * deadwood / 1000,
        float(deadwood <= limit),
        float(deadwood <= limit // 2),
        float(not deadwood),
        float(len(loose_cards)),
        count_pairs(loose_cards, loose),
        float((signs.held & loose).bit_count()),
        float(points.count(_HIGHEST)),
        float(sum([worth <= _LOW for worth in points])),
        float(sum([_makes_meld(hand, card) for card in cards_of(signs.held)])),
        *_list_terms_of_refused(hand, deadwood, signs.refused),
        *_list_terms_of_thrown(hand, signs.thrown),
        *_list_terms_of_recent(hand, loose_cards, signs.thrown[: -_RECENT - 1 : -1]),
    ]


def _makes_meld(hand: int, card: int) -> bool:
    return any(hand & pair == pair for pair in PAIRS[card])


def _list_terms_of_refused(hand: int, deadwood: int, refused: Sequence[int]) -> list[float]:
    """Return the network's inputs for the cards that the opponent refused, if they hold this hand.

    They are the number of refused cards that would have made a meld, the number that would have extended one, the
    number of cards in the hand that are close to a refused card, and how many of the two latest refused cards would
    have been melded.
    """
    made = lengthened = near = recent = 0
    for place, card in enumerate(refused, 2 - len(refused)):
        close = (hand & CLOSE[card]).bit_count()
        if not close:
            continue
        near += close
        makes = close > 1 and _makes_meld(hand, card)
        lengthens = not makes and count_least(hand | BIT[card]) < deadwood + POINTS[card]
        made += makes
        lengthened += lengthens
        recent += place >= 0 and (makes or lengthens)
    return [float(made), float(lengthened), float(near), float(recent)]


def _list_terms_of_thrown(hand: int, thrown: Sequence[int]) -> list[float]:
    """Return the network's inputs for all cards that the opponent discarded, if they hold this hand.

    They are the number of cards in the hand that are close to a discard, the number of cards of its suit with one rank
    between, and the number of discards that would make a meld with the hand.
    """
    close = apart = made = 0
    for card in thrown:
        near = (hand & CLOSE[card]).bit_count()
        close += near
        apart += (hand & APART[card]).bit_count()
        made += near > 1 and _makes_meld(hand, card)
    return [float(close), float(apart), float(made)]


def _list_terms_of_recent(
    hand: int, loose_cards: Sequence[int], recent: Sequence[int]
) -> list[float]:
    """Return the network's inputs for each recent discard, the latest one first.

    They are the number of loose cards with more points than the discard, the number of cards in the hand that are close
    to it, and the number of cards of its suit with one rank between. Two more inputs count loose cards that are close
    to no other card: those with as many points as the discard, and those with more.
    """
    alone = [POINTS[card] for card in loose_cards if not hand & CLOSE[card]]
    terms = []
    for card in recent:
        worth = POINTS[card]
        terms += [
            float(sum([POINTS[other] > worth for other in loose_cards])),
            float((hand & CLOSE[card]).bit_count()),
            float((hand & APART[card]).bit_count()),
            float(alone.count(worth)),
            float(sum([other > worth for other in alone])),
        ]
    return terms + [0.0] * (5 * (_RECENT - len(recent)))
