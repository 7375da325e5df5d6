"""Hands played alone, for the draws that they take to a declaration."""

import random
from collections import Counter

from tables.games.cards import Card, full_deck
from tables.games.indian.distance import distances, shape_of
from tables.games.indian.jokers import is_joker, wild_rank
from tables.games.indian.prospects import Prospect, discards
from tables.games.indian.rulesets import POINTS
from tables.games.indian.value import turns_to_go

# How often the card on the open pile may be taken: what others throw is the worse part of the cards.
_OFFERED = 0.6
_MOST_TURNS = 25
_ODD = 0.15


def play_alone(rng: random.Random) -> list[tuple[Prospect, int]]:
    """What the hand was after each discard, and the draws from then on."""
    deck = rng.sample(full_deck(2), 106)
    wild = wild_rank(deck.pop())
    hand: tuple[Card, ...] = tuple(deck.pop() for _ in range(13))
    known = distances(wild)
    unseen = Counter(card.face for card in deck)
    passed: list[Prospect] = []
    while len(passed) < _MOST_TURNS and len(deck) > 2:
        drawn = None
        offered = deck.pop()
        unseen[offered.face] -= 1
        if rng.random() < _OFFERED and not is_joker(offered, wild):
            near = known.missing(shape_of(hand, wild))
            if known.reaches(shape_of((*hand, offered), wild), near - 1):
                drawn = offered
        if drawn is None:
            drawn = deck.pop()
            unseen[drawn.face] -= 1
        hand = (*hand, drawn)
        if known.missing(shape_of(hand, wild)) == 0:
            return [(hand, len(passed) - index) for index, hand in enumerate(passed)]
        options = discards(hand, wild, POINTS, unseen)
        if rng.random() < _ODD:
            card, left = rng.choice(options)
        else:
            card, left = min(options, key=lambda option: turns_to_go(option[1]) + option[1].count / 50)
        hand = tuple(other for other in hand if other != card)
        passed.append(left)
    return [(hand, _MOST_TURNS) for hand in passed[:8]]
