"""The expert's decisions: the fitted value of its hand, and sampled hands of the opponent.

The sample is drawn once for each decision. It prices a knock, with lay-offs and undercuts, and the
cards that each discard gives away.
"""

import random
from functools import cached_property
from typing import Final, NamedTuple

from games.cards import CARDS, Card
from games.gin.bots.playouts import choose_discard
from games.gin.bots.signs import GinSigns, Likely, sample_hands
from games.gin.bots.value import GinStanding, assess_hand, estimate_value
from games.gin.rules.defence import count_least_defended
from games.gin.rules.melding import (
    BIT,
    arrange,
    cards_of,
    count_least,
    count_least_after_discard,
    find_best_discard,
)
from games.gin.rules.melds import POINTS
from games.gin.rules.ruleset import GinRules
from games.gin.rules.scoring import score
from games.gin.rules.state import KnockKind

# Options within this many points are equal: one of them is chosen at random.
_ALIKE: Final = 0.2
# Points charged for taking a card that everybody sees.
_SHOWING: Final = 0.5
# Points charged for each point of deadwood that a discard saves the opponent.
_GIVEN: Final = 0.6
# Sampled hands, examined discards, and the step between examined draws.
_HANDS: Final = 60
_DISCARDS: Final = 5
_STRIDE: Final = 2


class GinKnowledge(NamedTuple):
    """A player's knowledge. Hands are masks, `open_card` may be taken, `kept` masks cards that may not
    be discarded, `turn` counts the player's turns."""

    rules: GinRules
    limit: int
    hand: int
    hidden: int
    signs: GinSigns
    turn: int
    open_card: int | None = None
    kept: int = 0


class Discarding(NamedTuple):
    worth: float
    card: int


class Expert:
    def __init__(self, known: GinKnowledge, rng: random.Random) -> None:
        self.known = known
        self.rng = rng
        self.hidden = [BIT[card] for card in cards_of(known.hidden)]

    def wants(self) -> bool:
        """Return whether the open card is worth more than a draw from the closed deck."""
        known = self.known
        if known.open_card is None:
            return False
        bit = BIT[known.open_card]
        opened = self.estimate_best_after(known.hand | bit, bit)
        tried = self.hidden[::_STRIDE]
        if not tried:
            return False
        closed = sum([self.estimate_best_after(known.hand | card, 0) for card in tried]) / len(
            tried
        )
        return opened - _SHOWING > closed

    def estimate_best_after(self, eleven: int, kept: int) -> float:
        """Return the worth of eleven cards with the best discard or knock."""
        first = find_best_discard(eleven, kept)
        ten = eleven ^ first
        worth = self.estimate_worth(ten)
        other = choose_discard(eleven, kept)
        if BIT[other] != first:
            worth = max(worth, self.estimate_worth(eleven ^ BIT[other]))
        points = count_least(ten)
        if points <= self.known.limit:
            worth = max(worth, self.knock_worths[points])
        return worth

    def estimate_worth(self, ten: int) -> float:
        known = self.known
        standing = GinStanding(known.turn, known.signs.held.bit_count())
        return estimate_value(assess_hand(ten, self.hidden, known.limit), standing, known.limit)

    def part(self) -> tuple[int, bool]:
        """Return the card to put down, and whether to knock with it."""
        known = self.known
        discard = self.choose_discard()
        points = count_least_after_discard(known.hand, known.kept)
        if points <= known.limit:
            card = find_best_discard(known.hand, known.kept).bit_length() - 1
            if not points or self.estimate_knock(card, points) >= discard.worth:
                return card, True
        return discard.card, False

    def estimate_knock(self, card: int, points: int) -> float:
        """Return the net points of a knock against the sampled hands."""
        melds = arrange(cards_of(self.known.hand ^ BIT[card])).groups
        total = weights = 0.0
        for likely in self.hands:
            left = count_least_defended(likely.hand, melds)
            total += likely.weight * self._net(points, left)
            weights += likely.weight
        return total / weights

    def choose_discard(self) -> Discarding:
        known = self.known
        hand = known.hand
        candidates = list_discards(hand, known.kept, _DISCARDS)
        options = [
            Discarding(
                self.estimate_worth(hand ^ BIT[card]) - _GIVEN * self.estimate_given(card), card
            )
            for card in candidates
        ]
        best = max(options).worth
        return self.rng.choice([option for option in options if option.worth >= best - _ALIKE])

    def estimate_given(self, card: int) -> float:
        """Return the deadwood that the opponent is expected to save by melding this card."""
        bit, points = BIT[card], POINTS[card]
        total = weights = 0.0
        for likely in self.hands:
            weights += likely.weight
            if count_least(likely.hand | bit) < likely.deadwood + points:
                saved = likely.deadwood - count_least_after_discard(likely.hand | bit, bit)
                total += likely.weight * saved
        return total / weights

    @cached_property
    def hands(self) -> list[Likely]:
        known = self.known
        return sample_hands(known.signs, known.hidden, known.limit, self.rng, _HANDS)

    @cached_property
    def knock_worths(self) -> list[float]:
        """Return the worth of a knock for each deadwood, without lay-offs."""
        weights = sum([likely.weight for likely in self.hands])
        return [
            sum([likely.weight * self._net(points, likely.deadwood) for likely in self.hands])
            / weights
            for points in range(self.known.limit + 1)
        ]

    def _net(self, points: int, left: int) -> float:
        kind = KnockKind.KNOCK if points else KnockKind.GIN
        scores, _how, count = score(kind, points, left, self.known.rules)
        return float(count if scores else -count)


def list_discards(hand: int, kept: int, count: int) -> list[Card]:
    """Return the discards of least deadwood, and the discard of the quick policy."""
    ordered = sorted(cards_of(hand & ~kept), key=lambda card: count_least(hand ^ BIT[card]))
    other = CARDS[choose_discard(hand, kept)]
    return list(dict.fromkeys((*ordered[:count], other)))
