"""Why a move is refused, in a code for programs and a sentence for players."""

from enum import StrEnum
from typing import Final

from tables.games.base import IllegalMove


class Refusal(StrEnum):
    MALFORMED_MOVE = "malformed_move"
    MATCH_OVER = "match_over"
    DEAL_OVER = "deal_over"
    NOT_IN_DEAL = "not_in_deal"
    NOT_YOUR_TURN = "not_your_turn"
    WRONG_STEP = "wrong_step"
    TIME_IS_UP = "time_is_up"
    OPEN_PILE_EMPTY = "open_pile_empty"
    JOKER_NOT_DRAWABLE = "joker_not_drawable"
    CARD_NOT_HELD = "card_not_held"
    MAY_NOT_RETURN_OPEN_CARD = "may_not_return_open_card"
    DROP_NOT_ALLOWED = "drop_not_allowed"
    GROUPS_NOT_YOUR_HAND = "groups_not_your_hand"
    ALREADY_SHOWN = "already_shown"
    ALREADY_LEFT = "already_left"
    NOT_ASKED = "not_asked"
    SPLIT_NOT_POSSIBLE = "split_not_possible"


SENTENCES: Final = {
    Refusal.MALFORMED_MOVE: "That is not a move of this game.",
    Refusal.MATCH_OVER: "The match is over.",
    Refusal.DEAL_OVER: "The deal is over.",
    Refusal.NOT_IN_DEAL: "You are not in this deal any more.",
    Refusal.NOT_YOUR_TURN: "It is not your turn.",
    Refusal.WRONG_STEP: "That cannot be done at this point of the turn.",
    Refusal.TIME_IS_UP: "Your time has run out.",
    Refusal.OPEN_PILE_EMPTY: "The open pile is empty.",
    Refusal.JOKER_NOT_DRAWABLE: "A discarded joker cannot be picked up.",
    Refusal.CARD_NOT_HELD: "You do not hold that card.",
    Refusal.MAY_NOT_RETURN_OPEN_CARD: "A card from the open pile cannot go back in the same turn.",
    Refusal.DROP_NOT_ALLOWED: "Nobody may drop in this deal.",
    Refusal.GROUPS_NOT_YOUR_HAND: "The groups must hold exactly the cards of your hand.",
    Refusal.ALREADY_SHOWN: "You have shown your cards already.",
    Refusal.ALREADY_LEFT: "You have left already.",
    Refusal.NOT_ASKED: "Nobody waits for an answer of yours.",
    Refusal.SPLIT_NOT_POSSIBLE: "The prize cannot be split now.",
}


def illegal(refusal: Refusal) -> IllegalMove:
    return IllegalMove(refusal.value, SENTENCES[refusal])
