"""How likely sampled hands of the opponent are, by weights fitted to deals of bots (docs/bots.md).

The analysis keeps to the weights of `signs`, by which its figures were measured.
"""

from collections.abc import Sequence
from math import exp
from typing import Final

from games.gin.bots.closeness import APART, CLOSE, PAIRS, count_pairs
from games.gin.bots.signs import GinSigns, Likely
from games.gin.rules.melding import BIT, cards_of, count_least, find_loose
from games.gin.rules.melds import POINTS

# Draws beyond which a hand is judged as after these, and the points of the highest cards.
_LATEST: Final = 12
_HIGHEST: Final = 10
# fmt: off
# By terms of `_list_terms`: how much likelier a real hand has them than a sampled one (docs/bots.md).
_WEIGHTS: Final = (
    0.815, -2.195, 0.940, -0.724, -0.686, -0.114, -0.542, -0.281, -0.134, -1.230,
    -0.713, -0.540, -0.171, 0.048, 1.423, 2.262, 0.017, -0.074, 0.057, -0.681,
)
# fmt: on


def estimate_likelihoods(hands: Sequence[Likely], signs: GinSigns, limit: int) -> list[Likely]:
    """Return these hands with weights that sum to one."""
    weights = [
        exp(sum(map(float.__mul__, _WEIGHTS, _list_terms(*likely[:2], signs, limit))))
        for likely in hands
    ]
    total = sum(weights)
    return [
        likely._replace(weight=weight / total)
        for likely, weight in zip(hands, weights, strict=True)
    ]


def _list_terms(hand: int, deadwood: int, signs: GinSigns, limit: int) -> list[float]:
    """Return what tells a real hand from a sampled one: its deadwood, and what was passed up and thrown."""
    loose = find_loose(hand)
    loose_cards = cards_of(loose)
    late = min(signs.draws, _LATEST) / 10
    count = len(loose_cards)
    may_knock = float(deadwood <= limit)
    highest = sum([POINTS[card] == _HIGHEST for card in loose_cards])
    return [
        deadwood / 10,
        may_knock,
        may_knock * late,
        *_list_terms_of_refused(hand, deadwood, signs.refused),
        *_list_terms_of_thrown(hand, loose_cards, signs.thrown),
        float(count),
        count_pairs(loose_cards, loose),
        float((signs.held & loose).bit_count()),
        highest * late,
        deadwood * late / 10,
        count * late,
        float(highest),
        deadwood * deadwood / 1000,
    ]


def _list_terms_of_refused(hand: int, deadwood: int, refused: Sequence[int]) -> list[float]:
    """Return how many of the refused cards would have made a meld, or lengthened one; their neighbours;
    and how many of the last two would have been melded."""
    made = lengthened = near = recent = 0
    for place, card in enumerate(refused, 2 - len(refused)):
        close = (hand & CLOSE[card]).bit_count()
        if not close:
            continue
        near += close
        makes = close > 1 and any(hand & pair == pair for pair in PAIRS[card])
        lengthens = not makes and count_least(hand | BIT[card]) < deadwood + POINTS[card]
        made += makes
        lengthened += lengthens
        recent += place >= 0 and (makes or lengthens)
    return [float(made), float(lengthened), float(near), float(recent)]


def _list_terms_of_thrown(
    hand: int, loose_cards: Sequence[int], thrown: Sequence[int]
) -> list[float]:
    """Return the neighbours of the discards; the discards that would make a meld; and the loose cards that
    count more than the last discard, and than the one before."""
    close = apart = made = 0
    for card in thrown:
        near = (hand & CLOSE[card]).bit_count()
        close += near
        apart += (hand & APART[card]).bit_count()
        made += near > 1 and any(hand & pair == pair for pair in PAIRS[card])
    higher = [
        float(sum([POINTS[other] > POINTS[card] for other in loose_cards]))
        for card in thrown[:-3:-1]
    ]
    return [float(close), float(apart), float(made), *higher, *[0.0] * (2 - len(higher))]
