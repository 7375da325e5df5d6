"""What the `hard` bot expects from its next draws, from the cards that the opponent collects, and from a knock.

Hands are masks of 52 bits, as in `melding`. The constants below were chosen by duels with the rule agent of
`bench/arena.py`.
"""

import random
from typing import Final

from games.cards import Card
from games.gin.bots.closeness import PAIRS
from games.gin.bots.sight import GinSight
from games.gin.rules.defence import count_least_defended
from games.gin.rules.melding import (
    BIT,
    Melding,
    cards_of,
    count_least,
    count_least_after_discard,
    find_best_discard,
)
from games.gin.rules.ruleset import HAND_SIZE

# Draws ahead within which better prospects are worth their points.
_HORIZON: Final = 1.5
# Points charged for a card that the opponent can certainly meld.
_DANGER: Final = 4
# Likelihood that the opponent holds two cards that would have made a meld with a card they refused,
# relative to any other two.
_REFUSED: Final = 0.2
# Points by which the open card must beat the expectation of the closed deck: taking it reveals what the
# player collects.
_SHOWN: Final = 1
# Try every third card that may be drawn, and the discards that leave least.
_STRIDE: Final = 3
_CANDIDATES: Final = 4
# Opponent's hands that a knock is tried against, and the most draws that have improved them.
_SAMPLES: Final = 24
_MOST_DRAWS: Final = 8
# Likelihood that a player whose deadwood is low enough has not knocked.
_SILENT: Final = 0.3
_LEAST_CHANCE: Final = 0.4


class Outlook:
    def __init__(self, sight: GinSight, rng: random.Random) -> None:
        self.sight = sight
        self.rng = rng
        self.unlikely = {pair for card in sight.refused for pair in PAIRS[card]}
        # The cards that may still be drawn, as far as this player knows; no card if all are seen.
        self.hidden = [BIT[card] for card in cards_of(sight.hidden)] or [0]

    def find_worst_card(self, hand: int, kept: int) -> Card:
        """Return the discard with the lowest cost, in points of deadwood.

        The cost is that of the ten cards that are left, and a charge for a card that the opponent can use. `kept` is
        the mask of cards that may not be discarded.
        """

        def price(card: Card) -> float:
            return self._cost(hand ^ BIT[card]) + _DANGER * self._use(card)

        return min(cards_of(hand & ~kept), key=price)

    def wants(self, hand: int, card: Card) -> bool:
        """Return whether taking the open card leads to a lower cost than a card of the closed deck does on average.

        The result is True if the open card allows a knock.
        """
        eleven = hand | BIT[card]
        if count_least_after_discard(eleven, BIT[card]) <= self.sight.limit:
            return True
        tens = sorted((eleven ^ BIT[other] for other in cards_of(hand)), key=count_least)
        taken = min(map(self._cost, tens[:_CANDIDATES]))
        tried = self.hidden[::_STRIDE]
        drawn = sum(self._cost(_find_best_ten(hand | unseen)) for unseen in tried)
        return taken + _SHOWN < drawn / len(tried)

    def is_worth_knocking(self, best: Melding) -> bool:
        """Return whether the knock is expected to win often enough against hands that the opponent may hold.

        It must win more than the share `_LEAST_CHANCE`, although the opponent may lay off. Gin is always worth it.
        """
        if not best.deadwood:
            return True
        won = all_of_them = 0.0
        for _ in range(_SAMPLES):
            hand = self._guess_other_hand()
            weight = _SILENT if count_least(hand) <= self.sight.limit else 1.0
            all_of_them += weight
            if count_least_defended(hand, best.groups) > best.deadwood:
                won += weight
        return won > _LEAST_CHANCE * all_of_them

    def _cost(self, ten: int) -> float:
        """Return the cost of ten cards: their deadwood, less what the next draws are expected to save."""
        now = count_least(ten)
        after = sum([count_least_after_discard(ten | card) for card in self.hidden])
        return now - _HORIZON * (now - after / len(self.hidden))

    def _use(self, card: Card) -> float:
        """Return the likelihood that the opponent holds two cards that make a meld with this one, from 0 to 1."""
        held, hidden = self.sight.held_by_other, self.sight.hidden
        chance = (HAND_SIZE - held.bit_count()) / len(self.hidden)
        useless = 1.0
        for pair in PAIRS[card]:
            if (held | hidden) & pair == pair:
                has_both = chance ** (hidden & pair).bit_count()
                useless *= 1 - has_both * (_REFUSED if pair in self.unlikely else 1)
        return 1 - useless

    def _guess_other_hand(self) -> int:
        """Return, as a mask, a random hand that the opponent may hold.

        It has been improved by as many draws as the opponent has had, up to `_MOST_DRAWS`.
        """
        draws = min(self.sight.public["turn_number"] // 2, _MOST_DRAWS)
        hand = held = self.sight.held_by_other
        size = HAND_SIZE - held.bit_count()
        cards = self.rng.sample(self.hidden, min(len(self.hidden), size + draws))
        for card in cards[:size]:
            hand |= card
        for card in cards[size:]:
            hand = _find_best_ten(hand | card, held)
        return hand


def _find_best_ten(eleven: int, kept: int = 0) -> int:
    return eleven ^ find_best_discard(eleven, kept)
