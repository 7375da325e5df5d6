"""Refusals: a code for programs and a sentence for players.

These are common to all games. A game declares its own beside the rule that refuses.
"""

from typing import Final, NamedTuple

from games.engine.base import IllegalMove
from games.engine.wording import gettext_noop as _


class Refusal(NamedTuple):
    """The reason why the rules refuse a move."""

    code: str
    sentence: str

    def error(self) -> IllegalMove:
        return IllegalMove(self.code, self.sentence)


MALFORMED: Final = Refusal("malformed_move", _("That is not a move of this game."))
MATCH_OVER: Final = Refusal("match_over", _("The match is over."))
DEAL_OVER: Final = Refusal("deal_over", _("The deal is over."))
NOT_IN_DEAL: Final = Refusal("not_in_deal", _("You are not in this deal any more."))
NOT_YOUR_TURN: Final = Refusal("not_your_turn", _("It is not your turn."))
WRONG_STEP: Final = Refusal("wrong_step", _("That cannot be done at this point of the turn."))
TIME_IS_UP: Final = Refusal("time_is_up", _("Your time has run out."))
OPEN_PILE_EMPTY: Final = Refusal("open_pile_empty", _("The open pile is empty."))
CARD_NOT_HELD: Final = Refusal("card_not_held", _("You do not hold that card."))
MAY_NOT_RETURN_OPEN_CARD: Final = Refusal(
    "may_not_return_open_card", _("A card from the open pile cannot go back in the same turn.")
)
GROUPS_NOT_YOUR_HAND: Final = Refusal(
    "groups_not_your_hand", _("The groups may hold the cards of your hand, each once.")
)
NOT_A_MELD: Final = Refusal("not_a_meld", _("One of the groups is no meld."))
NO_SUCH_HELP: Final = Refusal("no_such_help", _("There is nothing to be helped with now."))
