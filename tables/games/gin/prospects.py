"""What a hard bot expects: of the next draws, of what the other collects, and of a knock."""

import random
from collections.abc import Iterator
from typing import Final

from tables.games.cards import CARDS, Card
from tables.games.gin.defence import least_defended
from tables.games.gin.melding import BIT, Melding, cards_of, least, least_after_discard
from tables.games.gin.melds import POINTS
from tables.games.gin.sight import Sight

# How many draws ahead a better prospect is worth its points.
_HORIZON: Final = 2.0
# Points by which a card that the other can use is dearer to throw.
_DANGER: Final = 3.0
# Hands of the other that a knock is tried against.
_SAMPLES: Final = 24


class Outlook:
    def __init__(self, sight: Sight, rng: random.Random) -> None:
        self.sight = sight
        self.rng = rng
        self.hidden = [BIT[card] for card in cards_of(sight.hidden)]

    def cost(self, rest: int) -> float:
        """The deadwood of ten cards, less what the next draws are expected to save."""
        now = least(rest)
        if not self.hidden:
            return float(now)
        saved = sum(now - least_after_discard(rest | card) for card in self.hidden)
        return now - _HORIZON * saved / len(self.hidden)

    def worst_card(self, hand: int, kept: int) -> Card:
        """The discard after which the hand is best, dear ones and harmless ones first."""

        def price(card: Card) -> float:
            return self.cost(hand ^ BIT[card]) + _DANGER * self.use(card)

        return min((card for card in cards_of(hand & ~kept)), key=price)

    def use(self, card: Card) -> float:
        """How likely the other can meld this card: by what they took, and what is not seen."""
        held, hidden = self.sight.held_by_other, self.sight.hidden
        most = 0.0
        for pair in pairs_with(card):
            known = (held & pair).bit_count()
            if known == 2:
                return 1.0
            if (held | hidden) & pair == pair:
                most += 0.3 if known else 0.06
        return min(1.0, most)

    def wants(self, hand: int, card: Card) -> bool:
        """Whether the open card leads to a better hand than the closed deck does."""
        taken = min(self.cost(hand ^ BIT[card] ^ BIT[other]) for other in cards_of(hand))
        if not self.hidden:
            return taken < least(hand)
        drawn = 0.0
        for unseen in self.hidden:
            drawn += self._cost_of_best(hand | unseen)
        return taken < drawn / len(self.hidden)

    def _cost_of_best(self, hand: int) -> float:
        return float(least_after_discard(hand))

    def is_worth_knocking(self, best: Melding) -> bool:
        return best.deadwood == 0 or self.expected_points(best) > 0

    def expected_points(self, best: Melding) -> float:
        total = 0.0
        for _ in range(_SAMPLES):
            left = least_defended(self._sampled_hand(), best.groups)
            if left <= best.deadwood:
                total += left - best.deadwood - self.sight.rules.undercut_bonus
            else:
                total += left - best.deadwood
        return total / _SAMPLES

    def _sampled_hand(self) -> int:
        """Ten cards of the other, made better by the draws they have had."""
        turns = self.sight.public["turn_number"] // 2
        held = self.sight.held_by_other
        size = 10 - held.bit_count()
        cards = self.rng.sample(self.hidden, min(len(self.hidden), size + min(turns, 8)))
        hand = held
        for card in cards[:size]:
            hand |= card
        for card in cards[size:]:
            hand |= card
            before = hand
            options = list(bits(hand & ~held)) or list(bits(hand))
            hand = min((before ^ bit for bit in options), key=least)
        return hand


def bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest
        mask ^= lowest


def _pairs() -> list[list[int]]:
    """By card: the pairs that make a meld of three with it."""
    pairs: list[list[int]] = []
    for card in CARDS[:52]:
        suits = [CARDS[suit * 13 + card.rank - 1] for suit in range(4) if suit != card.suit]
        of_set = [BIT[a] | BIT[b] for place, a in enumerate(suits) for b in suits[place + 1 :]]
        of_run = [
            BIT[card + first] | BIT[card + second]
            for first, second in ((-2, -1), (-1, 1), (1, 2))
            if card.rank + min(first, 1) >= 1
            and card.rank + first >= 1
            and card.rank + second <= 13
        ]
        pairs.append(of_set + of_run)
    return pairs


_PAIRS: Final = _pairs()
_ = POINTS


def pairs_with(card: Card) -> list[int]:
    return _PAIRS[card]
