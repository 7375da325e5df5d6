"""Luck: the value of the cards that came, against those that might have come.

All hands are known after the deal. The luck of a draw from the closed deck is the value of the
position after it, less its mean over the orders of the deck. The luck of the deal is the value of
the cards dealt, less the mean over deals by the same rules. Both are 0 on average whatever the
players do, so the result less the luck is an unbiased measure of play.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any, Final

from games.analysis.judging import Effort
from games.analysis.report import Luck, is_closed_draw
from games.cards import ACE, CARD_BY_TEXT, FACE_RANK, FACES, full_deck
from games.indian.bots.playouts import Playouts, Position, make_playouts
from games.indian.lab.analysis.options import reshuffle
from games.indian.lab.analysis.reading import Situation, begin_situation, read_situations
from games.indian.rules.ruleset import HAND_SIZE, RuleSet

# Orders of the deck for one draw, even with many draws.
_LEAST_ORDERS: Final = 4


def weigh_luck(record: Mapping[str, Any], place: int, rng: random.Random, effort: Effort) -> Luck:
    begun = begin_situation(record)
    playing = make_playouts(begun.rules, begun.wild, rng)
    draws = sum(map(is_closed_draw, record["steps"]))
    orders = max(_LEAST_ORDERS, effort.orders // max(1, draws))
    own = others = 0.0
    for _number, step, situation in read_situations(record):
        if not is_closed_draw(step):
            continue
        worth = _estimate_worth_of_draw(situation, step, playing, rng, orders)
        if situation.position.turn == place:
            own += worth[place]
        else:
            others += worth[place]
    dealt = _compute_mean(effort.deals, lambda: playing.play_out(reshuffle(begun, rng))[place])
    usual = _compute_mean(
        effort.deals, lambda: _sample_deal(begun.rules, len(begun.order), rng)[place]
    )
    return Luck(dealt - usual, own, others)


def _estimate_worth_of_draw(
    situation: Situation,
    step: Mapping[str, Any],
    playing: Playouts,
    rng: random.Random,
    orders: int,
) -> list[float]:
    """Compare the same orders of the deck with and without the drawn card on top."""
    card = CARD_BY_TEXT[step["drew"]]
    totals = [0.0] * len(situation.order)
    for _ in range(orders):
        other = reshuffle(situation, rng)
        came = other.copy()
        at = came.closed.index(card)
        if at == len(came.closed) - 1:
            continue  # the same card: no difference
        came.closed[at], came.closed[-1] = came.closed[-1], came.closed[at]
        for world, sign in ((came, 1), (other, -1)):
            playing.take_closed(world)
            for place, net in enumerate(playing.play_out(world)):
                totals[place] += sign * net
    return [total / orders for total in totals]


def _sample_deal(rules: RuleSet, places: int, rng: random.Random) -> list[float]:
    cards: list[int] = list(full_deck(rules.packs_at(places)))
    rng.shuffle(cards)
    hands = [[cards.pop() for _ in range(HAND_SIZE)] for _ in range(places)]
    wild = FACE_RANK[cards.pop() % FACES] or ACE  # R1.4: a printed joker makes aces wild
    position = Position(
        hands=hands,
        open_pile=[cards.pop()],
        closed=cards,
        playing=[True] * places,
        lost=[0] * places,
        turns=[1] + [0] * (places - 1),
        is_first_turn=True,
    )
    return make_playouts(rules, wild, rng).play_out(position)


def _compute_mean(count: int, value: Callable[[], float]) -> float:
    return sum(value() for _ in range(count)) / count
