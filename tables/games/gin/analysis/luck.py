"""Luck: what the cards that came were worth, against those that might have come.

Both hands are known after the deal. Of a draw from the closed deck: the value of the position after
it, less its mean over the orders of the deck. Of the dealing: the value of what was dealt, less the
mean of deals by the same rules. Both are 0 on average whatever the players do, so the result less
the luck is an unbiased measure of how well was played.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any, Final

from tables.games.analysis.judging import Effort
from tables.games.analysis.luck import Luck
from tables.games.cards import CARD_BY_TEXT, CARDS, Card
from tables.games.gin.analysis.reading import Situation, Step, at_the_beginning, situations
from tables.games.gin.analysis.worlds import reshuffled
from tables.games.gin.playouts import Playouts, dealt
from tables.games.gin.rulesets import DECK_SIZE, HAND_SIZE

# Orders of the deck for one draw, however many draws there were.
_LEAST_ORDERS: Final = 8

# Makes what plays out deals with this upcard.
MakePlayouts = Callable[[Card], Playouts]


def luck_of(
    record: Mapping[str, Any],
    place: int,
    make: MakePlayouts,
    rng: random.Random,
    effort: Effort,
) -> Luck:
    begun = at_the_beginning(record)
    playouts = make(begun.upcard)
    draws = sum(map(_is_closed_draw, record["steps"]))
    orders = max(_LEAST_ORDERS, effort.orders // max(1, draws))
    own: dict[int, float] = {}
    others = 0.0
    for number, step, situation in situations(record):
        if not _is_closed_draw(step):
            continue
        worth = _worth_of_draw(situation, step, playouts, rng, orders)[place]
        if situation.position.turn == place:
            own[number] = worth
        else:
            others += worth
    as_dealt = _mean(effort.deals, lambda: playouts.net(reshuffled(begun, rng))[place])
    usual = _mean(effort.deals, lambda: _any_deal(make, rng)[place])
    return Luck(as_dealt - usual, sum(own.values()), others, own)


def _worth_of_draw(
    situation: Situation, step: Step, playouts: Playouts, rng: random.Random, orders: int
) -> tuple[float, float]:
    """The same orders of the deck, once with the card that came put on top."""
    card = CARD_BY_TEXT[step["drew"]]
    total = 0.0
    for _ in range(orders):
        other = reshuffled(situation, rng)
        came = other.copy()
        at = came.closed.index(card)
        if at == len(came.closed) - 1:
            continue  # the same card: no difference
        came.closed[at], came.closed[-1] = came.closed[-1], came.closed[at]
        for world, sign in ((came, 1), (other, -1)):
            playouts.take_closed(world)
            total += sign * playouts.net(world)[0]
    return total / orders, -total / orders


def _is_closed_draw(step: Step) -> bool:
    return any(event["kind"] == "drawn" and event["source"] == "closed" for event in step["events"])


def _any_deal(make: MakePlayouts, rng: random.Random) -> tuple[float, float]:
    cards = rng.sample(range(DECK_SIZE), DECK_SIZE)
    return make(CARDS[cards[2 * HAND_SIZE]]).net(dealt(cards))


def _mean(times: int, value: Callable[[], float]) -> float:
    return sum(value() for _ in range(times)) / times
