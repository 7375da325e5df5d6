"""Why a move is refused, in a code for programs and a sentence for players."""

from enum import StrEnum
from typing import Final

from tables.games.base import IllegalMove
from tables.games.wording import gettext_noop as _


class Refusal(StrEnum):
    MALFORMED_MOVE = "malformed_move"
    MATCH_OVER = "match_over"
    DEAL_OVER = "deal_over"
    NOT_IN_DEAL = "not_in_deal"
    NOT_YOUR_TURN = "not_your_turn"
    TIME_IS_UP = "time_is_up"
    POOL_EMPTY = "pool_empty"
    POOL_NOT_EMPTY = "pool_not_empty"
    MUST_PLAY = "must_play"
    CARD_NOT_HELD = "card_not_held"
    TABLE_NOT_VALID = "table_not_valid"
    TILES_MISSING = "tiles_missing"
    NOTHING_LAID = "nothing_laid"
    BELOW_INITIAL_MELD = "below_initial_meld"
    TABLE_NOT_YOURS = "table_not_yours"
    JOKER_IS_FROZEN = "joker_is_frozen"
    JOKER_NOT_LAID = "joker_not_laid"
    NO_SUCH_HELP = "no_such_help"


SENTENCES: Final = {
    Refusal.MALFORMED_MOVE: _("That is not a move of this game."),
    Refusal.MATCH_OVER: _("The match is over."),
    Refusal.DEAL_OVER: _("The deal is over."),
    Refusal.NOT_IN_DEAL: _("You are not in this deal any more."),
    Refusal.NOT_YOUR_TURN: _("It is not your turn."),
    Refusal.TIME_IS_UP: _("Your time has run out."),
    Refusal.POOL_EMPTY: _("The pool is empty: lay tiles or pass."),
    Refusal.POOL_NOT_EMPTY: _("There are tiles in the pool: lay tiles or draw one."),
    Refusal.MUST_PLAY: _("You can lay tiles, so you may not draw."),
    Refusal.CARD_NOT_HELD: _("A tile is neither on the table nor on your rack."),
    Refusal.TABLE_NOT_VALID: _("Something on the table is neither a run nor a group."),
    Refusal.TILES_MISSING: _("Tiles that lay on the table are missing."),
    Refusal.NOTHING_LAID: _("Lay at least one tile of your rack, or draw one."),
    Refusal.BELOW_INITIAL_MELD: _("Melds of your rack alone are worth too little to begin with."),
    Refusal.TABLE_NOT_YOURS: _("Until you have begun, what lies on the table stays as it is."),
    Refusal.JOKER_IS_FROZEN: _(
        "A meld with a joker stays together until a tile of your rack takes the joker's place."
    ),
    Refusal.JOKER_NOT_LAID: _(
        "A joker that you free goes into a meld with two more tiles of your rack."
    ),
    Refusal.NO_SUCH_HELP: _("There is nothing to be helped with now."),
}


def illegal(refusal: Refusal) -> IllegalMove:
    return IllegalMove(refusal.value, SENTENCES[refusal])
