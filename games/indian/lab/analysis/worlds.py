"""Random worlds: the hidden cards as a seat may imagine them."""

import random

from games.indian.bots.playouts import Position
from games.indian.lab.analysis.reading import Situation


def imagined(situation: Situation, place: int, rng: random.Random) -> Position:
    """Return a deal in which this place has seen the same.

    Its own cards, the open pile, and the cards that others took from it and still hold are known;
    the rest is random. Discards in a reshuffled deck may lie in the deck or in a hand. Cards never
    seen then lie in hands, as the deck is made of seen cards.
    """
    known = situation.position
    seen = {*known.hands[place], *known.open_pile, situation.wild_card, situation.finish}
    for cards in situation.taken:
        seen.update(cards)
    hidden: list[int] = [card for card in situation.deck() if card not in seen]
    rng.shuffle(hidden)
    if situation.reshuffles:
        # Those that must lie in hands come last, where they are dealt from.
        hidden.sort(key=lambda card: card not in situation.laid)
    world = known.copy()
    others = [other for other in range(len(known.hands)) if other != place]
    sizes = [len(known.hands[other]) - len(situation.taken[other]) for other in others]
    in_hands = hidden[len(hidden) - sum(sizes) :]
    del hidden[len(hidden) - sum(sizes) :]
    rng.shuffle(in_hands)
    for other, size in zip(others, sizes, strict=True):
        world.hands[other] = situation.taken[other] + in_hands[:size]
        del in_hands[:size]
    rng.shuffle(hidden)
    world.closed = hidden
    return world


def reshuffled(situation: Situation, rng: random.Random) -> Position:
    """Return the deal with all hands known and the closed deck in another order."""
    known = situation.position
    elsewhere = {*known.open_pile, situation.wild_card, situation.finish}
    for hand in known.hands:
        elsewhere.update(hand)
    world = known.copy()
    world.closed = [card for card in situation.deck() if card not in elsewhere]
    rng.shuffle(world.closed)
    return world
