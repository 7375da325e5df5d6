"""What a hard bot expects: of the next draws, of what the other collects, and of a knock."""
import os
import random
from collections.abc import Iterator
from typing import Final

from tables.games.cards import CARDS, Card
from tables.games.gin.defence import least_defended
from tables.games.gin.melding import BIT, Melding, best_discard, cards_of, least, least_after_discard
from tables.games.gin.sight import Sight

P=lambda n,d: float(os.environ.get(n,d))
_HORIZON = P("HORIZON", 1.5)
_DANGER = P("DANGER", 4)
_SAMPLES = int(P("SAMPLES", 24))
_BIAS=P("BIAS",-2)
_KNOCK=P("KNOCK",0.4)
_SILENT=P("SILENT",0.3)


_CAND=int(P("CAND",4)); _STEPS=int(P("STEPS",4)); _ROLL=int(P("ROLL",24)); _GAMMA=P("GAMMA",.85); _LEAST=P("LEAST",0); _LOW=P("LOW",0.02)
import math
EXP=[math.exp(-max(0,d-5)/P("TAU",20)) for d in range(120)]
_STRIDE=int(P("STRIDE",2))
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
        after = sum([least_after_discard(rest | card) for card in self.hidden])
        return now - _HORIZON * (now - after / len(self.hidden))

    def worst_card(self, hand: int, kept: int) -> Card:
        def price(card: Card) -> float:
            return self.cost(hand ^ BIT[card]) + _DANGER * self.use(card)

        return min((card for card in cards_of(hand & ~kept)), key=price)

    def use(self, card: Card) -> float:
        """How likely the other can meld this card: by what they took, and what is not seen."""
        held, hidden = self.sight.held_by_other, self.sight.hidden
        chance = (10 - held.bit_count()) / max(1, len(self.hidden))
        useless = 1.0
        for pair in pairs_with(card):
            if (held | hidden) & pair == pair:
                useless *= 1 - chance ** (hidden & pair).bit_count()
        return 1 - useless

    def wants(self, hand: int, card: Card) -> bool:
        if least_after_discard(hand | BIT[card], BIT[card]) <= self.sight.limit:
            return True
        taken = min([self.cost(hand | BIT[card] ^ BIT[other]) for other in cards_of(hand)])
        if not self.hidden:
            return taken < least(hand)
        drawn = 0.0
        for unseen in self.hidden[::_STRIDE]:
            eleven = hand | unseen
            drawn += self.cost(eleven ^ best_discard(eleven))
        return taken + _BIAS < drawn / len(self.hidden[::_STRIDE])

    def is_worth_knocking(self, best: Melding) -> bool:
        return best.deadwood == 0 or self.chance_to_win(best) > _KNOCK

    def chance_to_win(self, best: Melding) -> float:
        won = weights = 0.0
        for _ in range(_SAMPLES):
            hand = self._sampled_hand()
            weight = _SILENT if least(hand) <= self.sight.limit else 1.0
            won += weight * (least_defended(hand, best.groups) > best.deadwood)
            weights += weight
        return won / weights

    def _sampled_hand(self) -> int:
        """Ten cards of the other, made better by the draws they have had."""
        turns = min(self.sight.public["turn_number"] // 2, 8)
        hand = held = self.sight.held_by_other
        size = 10 - held.bit_count()
        cards = self.rng.sample(self.hidden, min(len(self.hidden), size + turns))
        for card in cards[:size]:
            hand |= card
        for card in cards[size:]:
            hand |= card
            hand ^= best_discard(hand, held)
        return hand


def _pairs() -> list[list[int]]:
    """By card: the pairs that make a meld of three with it."""
    pairs: list[list[int]] = []
    for card in CARDS[:52]:
        suits = [CARDS[suit * 13 + card.rank - 1] for suit in range(4) if suit != card.suit]
        of_set = [BIT[a] | BIT[b] for place, a in enumerate(suits) for b in suits[place + 1 :]]
        of_run = [
            BIT[card + first] | BIT[card + second]
            for first, second in ((-2, -1), (-1, 1), (1, 2))
            if card.rank + first >= 1 and card.rank + second <= 13
        ]
        pairs.append(of_set + of_run)
    return pairs


_PAIRS: Final = _pairs()


def pairs_with(card: Card) -> list[int]:
    return _PAIRS[card]
