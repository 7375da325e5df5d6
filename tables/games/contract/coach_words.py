"""The words of the coach at a first deal; static/js/games/contract/core/lesson.js says what when."""

from typing import Final

from tables.games.rummy.laid_words import LAID_COACH
from tables.games.wording import gettext_noop as _
from tables.games.wording import text

COACH: Final = {
    **LAID_COACH,
    "coach_goal_contract": text(_("Contract")),
    "coach_wait": text(
        _(
            "Your opponent sits down and the cards are dealt in a moment. This deal asks for two "
            "sets: three cards of one rank each, laid at once. A joker stands for any card."
        )
    ),
    "coach_draw": text(
        _("Your turn: you do not need the card on the open pile. Draw from the closed deck.")
    ),
    "coach_draw_open": text(
        _("Your turn: the {cards} on the open pile completes a set. Tap it to take it.")
    ),
    "coach_buy": text(
        _(
            "The other player does not want the {cards}, and it completes a set of yours: press "
            "Buy. One more card of the closed deck comes with it."
        )
    ),
    "coach_pass": text(
        _("The other player does not want the {cards}. It does not help you either: press Pass.")
    ),
    "coach_answered": text(_("The others are asked whether they buy the card.")),
    "coach_best": text(_("You hold the contract! Press Best, and it lies in groups.")),
    "coach_contract": text(
        _("Your contract lies in groups: press Lay the contract, look, and confirm.")
    ),
    "coach_discard": text(
        _("Put one card away that goes with no other: choose the {cards} and press Discard.")
    ),
    "coach_discard_laid": text(
        _("Nothing more can be laid in this turn: choose the {cards} and press Discard.")
    ),
    "coach_waiting": text(_("The other player thinks. Your contract lacks {count} cards.")),
    "coach_waiting_one": text(_("The other player thinks. Your contract lacks {count} card.")),
    "coach_waiting_laid": text(
        _("The other player thinks. You hold {count} points: lay cards off to get rid of them.")
    ),
    "coach_won": text(
        _("You have won your first deal of Contract Rummy. That is all there is to it!")
    ),
}
