"""The value of cards in gin, from which luck is computed. It is derived from the estimated value of hands.

Both hands are known after the deal. A card that allows a knock is worth what that knock gains against the opponent's
hand. Any other card is worth the value of the hand that is kept. Nothing is played out, because the value of a hand
predicts a result better than a playout by one policy.
"""

from statistics import fmean
from typing import Final

from games.gin.bots.playouts import GinPlayouts, choose_discard
from games.gin.bots.value import GinStanding, assess_hand, estimate_value
from games.gin.lab.analysis.reading import ALL, GinSituation
from games.gin.rules.melding import (
    BIT,
    cards_of,
    count_least_after_discard,
    find_best_discard,
    mask_of,
)

# Weight of the opponent's hand relative to the player's own: a value is that of a hand against any other.
_OTHERS: Final = 0.7


def estimate_worth_of_draw(situation: GinSituation, came: int, playouts: GinPlayouts) -> float:
    """Return the value of the drawn card `came` less the mean value of all cards of the closed deck.

    The values are net points of the current player.
    """
    place = situation.position.turn
    other = estimate_worth_of_hand(situation, situation.position.hands[1 - place], 1 - place)
    worths = {
        card: _estimate_worth_with(situation, card, other, playouts)
        for card in situation.list_closed()
    }
    return worths[came] - fmean(worths.values())


def _estimate_worth_with(
    situation: GinSituation, card: int, other: float, playouts: GinPlayouts
) -> float:
    position = situation.position
    eleven = position.hands[position.turn] | BIT[card]
    if count_least_after_discard(eleven) <= situation.limit:
        world = position.copy()
        world.hands[position.turn] = eleven
        down = find_best_discard(eleven).bit_length() - 1
        return playouts.score_knock(world, down)[position.turn]
    rest = eleven ^ BIT[choose_discard(eleven, 0)]
    return (
        estimate_worth_of_hand(situation, rest, position.turn) - _OTHERS * other
    ) * playouts.factor


def estimate_worth_of_hand(situation: GinSituation, ten: int, place: int) -> float:
    """Return the expected net points of the player at `place` with these ten cards."""
    hidden = ALL & ~(ten | mask_of(situation.position.open_pile))
    cards = [BIT[card] for card in cards_of(hidden)]
    turn = max(1, situation.position.turns[place])
    return estimate_value(
        assess_hand(ten, cards, situation.limit), GinStanding(turn, 0), situation.limit
    )
