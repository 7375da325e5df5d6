"""Why a move is refused, in a code for programs and a sentence for players."""

from enum import StrEnum
from typing import Final

from tables.games.base import IllegalMove
from tables.games.wording import gettext_noop as _


class Refusal(StrEnum):
    MATCH_OVER = "match_over"
    DEAL_OVER = "deal_over"
    NOT_IN_DEAL = "not_in_deal"
    NOT_YOUR_TURN = "not_your_turn"
    WRONG_STEP = "wrong_step"
    TIME_IS_UP = "time_is_up"
    MUST_DRAW_CLOSED = "must_draw_closed"
    OPEN_PILE_EMPTY = "open_pile_empty"
    CARD_NOT_HELD = "card_not_held"
    MAY_NOT_RETURN_OPEN_CARD = "may_not_return_open_card"
    GROUPS_NOT_YOUR_HAND = "groups_not_your_hand"
    NOT_A_MELD = "not_a_meld"
    TOO_MUCH_DEADWOOD = "too_much_deadwood"
    NO_BIG_GIN = "no_big_gin"
    DOES_NOT_FIT = "does_not_fit"
    NO_SUCH_HELP = "no_such_help"


SENTENCES: Final = {
    Refusal.MATCH_OVER: _("The match is over."),
    Refusal.DEAL_OVER: _("The deal is over."),
    Refusal.NOT_IN_DEAL: _("You are not in this deal any more."),
    Refusal.NOT_YOUR_TURN: _("It is not your turn."),
    Refusal.WRONG_STEP: _("That cannot be done at this point of the turn."),
    Refusal.TIME_IS_UP: _("Your time has run out."),
    Refusal.MUST_DRAW_CLOSED: _("Both have passed: draw from the closed deck."),
    Refusal.OPEN_PILE_EMPTY: _("The open pile is empty."),
    Refusal.CARD_NOT_HELD: _("You do not hold that card."),
    Refusal.MAY_NOT_RETURN_OPEN_CARD: _(
        "A card from the open pile cannot go back in the same turn."
    ),
    Refusal.GROUPS_NOT_YOUR_HAND: _("The groups may hold the cards of your hand, each once."),
    Refusal.NOT_A_MELD: _("One of the groups is no meld."),
    Refusal.TOO_MUCH_DEADWOOD: _("Your deadwood is more than you may knock with."),
    Refusal.NO_BIG_GIN: _("Big gin is not played here: choose a card to put down."),
    Refusal.DOES_NOT_FIT: _("That card cannot be laid off there."),
    Refusal.NO_SUCH_HELP: _("There is nothing to be helped with now."),
}


def illegal(refusal: Refusal) -> IllegalMove:
    return IllegalMove(refusal.value, SENTENCES[refusal])
