"""Why a move is refused where melds lie on the table: a code for programs, a sentence for players."""

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
    OPEN_PILE_EMPTY = "open_pile_empty"
    CARD_NOT_HELD = "card_not_held"
    MAY_NOT_RETURN_OPEN_CARD = "may_not_return_open_card"
    GROUPS_NOT_YOUR_HAND = "groups_not_your_hand"
    NOTHING_LAID = "nothing_laid"
    NOT_A_MELD = "not_a_meld"
    NO_SUCH_MELD = "no_such_meld"
    DOES_NOT_FIT = "does_not_fit"
    TOO_MANY_MELDS = "too_many_melds"
    MUST_KEEP_A_DISCARD = "must_keep_a_discard"
    NO_SUCH_HELP = "no_such_help"
    CONTRACT_NOT_MET = "contract_not_met"
    CONTRACT_ALREADY_MET = "contract_already_met"
    NOT_IN_THIS_TURN = "not_in_this_turn"
    JOKER_IS_DEAD = "joker_is_dead"
    NO_SUCH_JOKER = "no_such_joker"
    NOT_ASKED = "not_asked"


SENTENCES: Final = {
    Refusal.MATCH_OVER: _("The match is over."),
    Refusal.DEAL_OVER: _("The deal is over."),
    Refusal.NOT_IN_DEAL: _("You are not in this deal any more."),
    Refusal.NOT_YOUR_TURN: _("It is not your turn."),
    Refusal.WRONG_STEP: _("That cannot be done at this point of the turn."),
    Refusal.TIME_IS_UP: _("Your time has run out."),
    Refusal.OPEN_PILE_EMPTY: _("The open pile is empty."),
    Refusal.CARD_NOT_HELD: _("You do not hold that card."),
    Refusal.MAY_NOT_RETURN_OPEN_CARD: _(
        "A card from the open pile cannot go back in the same turn."
    ),
    Refusal.GROUPS_NOT_YOUR_HAND: _("The groups may hold the cards of your hand, each once."),
    Refusal.NOTHING_LAID: _("Choose the cards to lay down."),
    Refusal.NOT_A_MELD: _("One of the groups is no meld."),
    Refusal.NO_SUCH_MELD: _("There is no such meld on the table."),
    Refusal.DOES_NOT_FIT: _("These cards do not fit on that meld."),
    Refusal.TOO_MANY_MELDS: _("You have laid as many melds as you may in one turn."),
    Refusal.MUST_KEEP_A_DISCARD: _("Keep a card that you can discard."),
    Refusal.NO_SUCH_HELP: _("There is nothing to be helped with now."),
    Refusal.CONTRACT_NOT_MET: _("These melds are not the contract of this deal."),
    Refusal.CONTRACT_ALREADY_MET: _("You have laid the contract already."),
    Refusal.NOT_IN_THIS_TURN: _("Lay off from your next turn on."),
    Refusal.JOKER_IS_DEAD: _("A joker in a set cannot be taken."),
    Refusal.NO_SUCH_JOKER: _("No joker of that run stands for this card."),
    Refusal.NOT_ASKED: _("You are not asked for this card."),
}


def illegal(refusal: Refusal) -> IllegalMove:
    return IllegalMove(refusal.value, SENTENCES[refusal])
