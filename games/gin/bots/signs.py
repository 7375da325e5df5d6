"""Hands that the opponent may hold, judged by the cards that the opponent took, discarded and refused."""

import random
from collections.abc import Sequence
from typing import Final, NamedTuple

from games.gin.bots.closeness import CLOSE, PAIRS
from games.gin.rules.melding import BIT, cards_of, count_least, find_best_discard
from games.gin.rules.ruleset import HAND_SIZE

_MOST_DRAWS: Final = 4
# How likely the opponent's behaviour is with certain cards in hand, compared with others: refusing a card that
# makes a meld with two of them; discarding such a card; discarding a card close to one of them; and not knocking
# although the deadwood is low enough.
_LETS_LIE: Final = 0.4
_THROWS_MELD: Final = 0.3
_THROWS_CLOSE: Final = 0.8
_SILENT: Final = 0.3


class GinSigns(NamedTuple):
    """The opponent's play, as far as it is known.

    `held` is the mask of cards known to be held. `thrown` and `refused` are the cards discarded and refused, in order.
    `draws` is the number of draws.
    """

    held: int
    thrown: tuple[int, ...]
    refused: tuple[int, ...]
    draws: int


class Likely(NamedTuple):
    """A hand, its deadwood, and its weight: how likely it is, compared with other hands."""

    hand: int
    deadwood: int
    weight: float


def sample_hands(
    signs: GinSigns, hidden: int, limit: int, rng: random.Random, count: int
) -> list[Likely]:
    """Return random hands of ten cards, weighted by how likely they are. They contain all cards known to be held."""
    found = []
    for hand in draw_hands(signs, hidden, rng, count):
        deadwood = count_least(hand)
        weight = _score_hand(hand, signs) * (_SILENT if deadwood <= limit else 1.0)
        found.append(Likely(hand, deadwood, weight))
    return found


def draw_hands(signs: GinSigns, hidden: int, rng: random.Random, count: int) -> list[int]:
    """Return random hands as `sample_hands` does, but without weights."""
    unseen = [BIT[card] for card in cards_of(hidden)]
    taken = cards_of(signs.held)
    return [_draw_hand(signs, taken, hidden, unseen, rng) for _ in range(count)]


def _draw_hand(
    signs: GinSigns, taken: Sequence[int], hidden: int, unseen: Sequence[int], rng: random.Random
) -> int:
    """Return a random hand of the opponent.

    Cards that the opponent took are put into melds. The hand is filled up at random, and improved by as many draws as
    the opponent has had, up to `_MOST_DRAWS`.
    """
    hand = kept = signs.held
    for card in taken:
        if any(pair & hand == pair for pair in PAIRS[card]):
            continue
        pairs = [pair for pair in PAIRS[card] if pair & (hidden | hand) == pair]
        if pairs:
            chosen = rng.choice(pairs)
            if (hand | chosen).bit_count() <= HAND_SIZE:
                hand |= chosen
    size = HAND_SIZE - hand.bit_count()
    draws = min(signs.draws, _MOST_DRAWS)
    fresh = [
        card for card in rng.sample(unseen, min(len(unseen), size + draws + 4)) if not card & hand
    ]
    for card in fresh[:size]:
        hand |= card
    for card in fresh[size : size + draws]:
        eleven = hand | card
        hand = eleven ^ find_best_discard(eleven, kept)
    return hand


def _score_hand(hand: int, signs: GinSigns) -> float:
    weight = 1.0
    for card in signs.refused:
        if any(hand & pair == pair for pair in PAIRS[card]):
            weight *= _LETS_LIE
    for card in signs.thrown:
        close = (hand & CLOSE[card]).bit_count()
        if close:
            weight *= _THROWS_CLOSE**close
            if close > 1 and any(hand & pair == pair for pair in PAIRS[card]):
                weight *= _THROWS_MELD
    return weight
