"""The opponent's possible actions in their next turn, estimated from sampled hands.

The opponent may knock, take the discard, or discard a card.

For each hand, draws of some unseen cards outside the hand are tried. Knocks are answered with lay-offs.
"""

import random
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from games.cards import ACE, RANKS, Card
from games.gin.bots.closeness import CLOSE
from games.gin.bots.likelihood import choose_likely
from games.gin.bots.playouts import choose_discard
from games.gin.bots.signs import Likely
from games.gin.rules.defence import count_least_defended
from games.gin.rules.melding import (
    BIT,
    arrange,
    cards_of,
    count_least,
    count_least_after_discard,
    find_best_discard,
    mask_of,
)
from games.gin.rules.melds import POINTS, Groups

# Draws tried for each hand.
_DRAWS: Final = 4
# How many of the sampled hands reply.
_REPLYING: Final = 100
# A discard that makes no meld does not bring hands with more deadwood within the limit of a knock.
_FAR: Final = 10


class Threat(NamedTuple):
    """A possible knock of the opponent.

    `chance` is its likelihood, `number` the index of the sampled hand that knocks, `points` the deadwood, and `melds`
    the melds that are laid. `near` is a mask of cards: a hand without any of them has nothing to lay off on these
    melds.
    """

    chance: float
    number: int
    points: int
    melds: Groups
    near: int

    def answer(self, hand: int, deadwood: int) -> int:
        """Return the least deadwood that a hand can have left after an answer to this knock.

        `deadwood` is what the hand has left without lay-offs.
        """
        return count_least_defended(hand, self.melds) if hand & self.near else deadwood


class Reply(NamedTuple):
    """How the opponent may reply to a discard.

    `saved` is the deadwood that the discard saves the opponent on average, and `taken` is the chance that the opponent
    takes it. `threats` are the opponent's possible knocks, and `knocks` is the chance of a knock.
    """

    saved: float
    taken: float
    threats: Sequence[Threat]
    knocks: float


class Opponent:
    """The opponent, represented by hands that the opponent may hold, sampled at random.

    `hands`, which are examined closely, are chosen from `sampled`. In each of the two lists the weights add up to one.
    `hidden` is the mask of the cards that the player has not seen. With at most `limit` deadwood a player may knock.
    """

    def __init__(
        self, sampled: Sequence[Likely], hidden: int, limit: int, rng: random.Random
    ) -> None:
        self.sampled = sampled
        self.hands = choose_likely(sampled, _REPLYING, rng) if len(sampled) > _REPLYING else sampled
        self.hidden = hidden
        self.limit = limit
        self.rng = rng
        self.deadwood = sum([likely.weight * likely.deadwood for likely in sampled])
        self._replies: dict[int, Reply] = {}

    def estimate_chance(self, deadwood: int) -> float:
        """Return the chance that the opponent has at most this much deadwood."""
        return sum([likely.weight for likely in self.hands if likely.deadwood <= deadwood])

    @cached_property
    def closed(self) -> Mapping[int, float]:
        """How likely each hidden card is to be the next card of the closed deck. The keys are the cards' bits."""
        held = dict.fromkeys([BIT[card] for card in cards_of(self.hidden)], 0.0)
        for likely in self.sampled:
            for card in cards_of(likely.hand & self.hidden):
                held[BIT[card]] += likely.weight
        total = max(1e-9, len(held) - sum(held.values()))
        return {card: (1 - chance) / total for card, chance in held.items()}

    @cached_property
    def _drawn(self) -> tuple[list[Threat], dict[int, float]]:
        """The opponent's possible knocks after a draw from the closed deck, and the mapping that `thrown` returns."""
        threats, thrown = [], dict.fromkeys(self.closed, 0.0)
        for number, likely in enumerate(self.hands):
            chance = likely.weight / _DRAWS
            unseen = [card for card in self.closed if not card & likely.hand]
            for card in self.rng.sample(unseen, min(_DRAWS, len(unseen))):
                eleven = likely.hand | card
                points = count_least_after_discard(eleven)
                if points <= self.limit:
                    threats.append(_make_threat(chance, number, points, eleven, 0))
                elif (down := BIT[choose_discard(eleven, 0)]) in thrown:
                    thrown[down] += chance
        return threats, thrown

    @property
    def thrown(self) -> Mapping[int, float]:
        """How likely the opponent is to discard each hidden card next. The keys are the cards' bits.

        The opponent is assumed to draw from the closed deck and not to knock.
        """
        return self._drawn[1]

    def reply(self, card: int) -> Reply:
        """Return the opponent's replies to this discard."""
        if card not in self._replies:
            self._replies[card] = self._find_reply(card)
        return self._replies[card]

    def _find_reply(self, card: int) -> Reply:
        drawn = self._drawn[0]
        bit, worth, close = BIT[card], POINTS[card], CLOSE[card]
        saved = taken = 0.0
        threats, knocking = [], set()
        for number, likely in enumerate(self.hands):
            eleven = likely.hand | bit
            melds = likely.hand & close and count_least(eleven) < likely.deadwood + worth
            if not melds and likely.deadwood > self.limit + _FAR:
                continue
            points = count_least_after_discard(eleven, bit)
            knocks = points <= self.limit
            if melds:
                saved += likely.weight * (likely.deadwood - points)
            if melds or knocks:
                taken += likely.weight
            if knocks:
                knocking.add(number)
                threats.append(_make_threat(likely.weight, number, points, eleven, bit))
        threats += [threat for threat in drawn if threat.number not in knocking]
        return Reply(saved, taken, threats, sum([threat.chance for threat in threats]))


def _make_threat(chance: float, number: int, points: int, eleven: int, kept: int) -> Threat:
    if not points:
        return Threat(chance, number, 0, (), 0)  # nothing can be laid off on gin
    melds = arrange(cards_of(eleven ^ find_best_discard(eleven, kept))).groups
    near = 0
    for meld in melds:
        near |= _find_near(meld)
    return Threat(chance, number, points, melds, near)


def _find_near(meld: Sequence[Card]) -> int:
    """Return a mask of cards: a hand without any of them has nothing to lay off on this meld.

    The cards of the meld are in order.
    """
    first, last = meld[0], meld[-1]
    if first.rank == last.rank:
        return CLOSE[first] & CLOSE[last] & ~mask_of(meld)
    below = BIT[first - 1] if first.rank > ACE else 0
    return below | (BIT[last + 1] if last.rank < len(RANKS) else 0)
