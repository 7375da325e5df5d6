"""Luck: what the cards that came were worth, against those that might have come.

Both hands are known after the deal. Of a draw from the closed deck: what the hand is worth with that
card, less the mean over all cards of the deck; a card that lets knock is worth what that knock brings
against the hand of the other, any other card the fitted value of what is kept. Of the dealing: the
value of the one hand less that of the other. All are 0 on average whatever the players do, so the
result less the luck is an unbiased measure of how well was played. Nothing here is played out: the
value of a hand says more of a result than the cards that one policy would have thrown.
"""

from collections.abc import Mapping
from statistics import fmean
from typing import Any, Final

from games.analysis.report import Luck, is_closed_draw
from games.cards import CARD_BY_TEXT
from games.gin.bots.playouts import Playouts, choose_discard
from games.gin.bots.value import Standing, assess_hand, estimate_value
from games.gin.lab.analysis.reading import ALL, Situation, begin_situation, read_situations
from games.gin.rules.melding import (
    BIT,
    cards_of,
    count_least_after_discard,
    find_best_discard,
    mask_of,
)

# Weight of the opponent's hand relative to the player's own: a value is that of a hand against any other.
_OTHERS: Final = 0.7


def weigh_luck(record: Mapping[str, Any], place: int) -> Luck:
    begun = begin_situation(record)
    playouts = Playouts(begun.rules, begun.upcard)
    own = others = 0.0
    for _number, step, situation in read_situations(record):
        if not is_closed_draw(step):
            continue
        worth = _estimate_worth_of_draw(situation, CARD_BY_TEXT[step["drew"]], playouts)
        if situation.position.turn == place:
            own += worth
        else:
            others -= worth
    dealt = [_estimate_value(begun, hand, 0) * playouts.factor for hand in begun.position.hands]
    return Luck(dealt[place] - dealt[1 - place], own, others)


def _estimate_worth_of_draw(situation: Situation, came: int, playouts: Playouts) -> float:
    """Return the worth of the drawn card in net points of the place at turn."""
    place = situation.position.turn
    other = _estimate_value(situation, situation.position.hands[1 - place], 1 - place)
    worths = {
        card: _estimate_worth_with(situation, card, other, playouts)
        for card in situation.list_closed()
    }
    return worths[came] - fmean(worths.values())


def _estimate_worth_with(
    situation: Situation, card: int, other: float, playouts: Playouts
) -> float:
    position = situation.position
    eleven = position.hands[position.turn] | BIT[card]
    if count_least_after_discard(eleven) <= situation.limit:
        world = position.copy()
        world.hands[position.turn] = eleven
        down = find_best_discard(eleven).bit_length() - 1
        return playouts.score_knock(world, down)[position.turn]
    rest = eleven ^ BIT[choose_discard(eleven, 0)]
    return (_estimate_value(situation, rest, position.turn) - _OTHERS * other) * playouts.factor


def _estimate_value(situation: Situation, ten: int, place: int) -> float:
    """Return the value of ten cards of this place."""
    hidden = ALL & ~(ten | mask_of(situation.position.open_pile))
    cards = [BIT[card] for card in cards_of(hidden)]
    turn = max(1, situation.position.turns[place])
    return estimate_value(
        assess_hand(ten, cards, situation.limit), Standing(turn, 0), situation.limit
    )
