"""Hidden cards as a seat may imagine them: hands that the other may hold, and the deck at random."""

import random
from itertools import accumulate
from typing import Final

from games.gin.bots.playouts import Position
from games.gin.bots.signs import Likely, likely_hands
from games.gin.lab.analysis.reading import Situation
from games.gin.rules.melding import cards_of

# Hands that the worlds of one decision are drawn from, by how likely they are.
_HANDS: Final = 240


class Worlds:
    """Deals in which this place has seen the very same: its own cards and the open pile are what they
    are, and so is what the other took from there and still holds."""

    def __init__(self, situation: Situation, place: int, rng: random.Random) -> None:
        self.place = place
        self.rng = rng
        self.position = situation.position
        self.hidden = situation.hidden_from(place)
        self.hands: list[Likely] = likely_hands(
            situation.signs_for(place), self.hidden, situation.limit, rng, _HANDS
        )
        self._sums = list(accumulate(likely.weight for likely in self.hands))

    def imagined(self) -> Position:
        (likely,) = self.rng.choices(self.hands, cum_weights=self._sums)
        world = self.position.copy()
        world.hands[1 - self.place] = likely.hand
        world.closed = list(cards_of(self.hidden & ~likely.hand))
        self.rng.shuffle(world.closed)
        return world
