"""The words of the coach at a first deal; static/js/games/basic/core/lesson.js says what when."""

from typing import Final

from tables.games.rummy.laid_words import LAID_COACH
from tables.games.wording import gettext_noop as _
from tables.games.wording import text

COACH: Final = {
    **LAID_COACH,
    "coach_goal_meld": text(_("Meld")),
    "coach_wait": text(
        _(
            "Your opponent sits down and the cards are dealt in a moment. You get ten cards: lay "
            "all of them on the table before the other player does."
        )
    ),
    "coach_draw": text(
        _(
            "Your turn: draw one card. The card on the open pile makes no meld with yours, so take "
            "one from the closed deck."
        )
    ),
    "coach_draw_open": text(
        _(
            "Your turn: the {cards} on the open pile makes a meld with your cards. Tap it to take it."
        )
    ),
    "coach_meld": text(
        _("You hold a meld: {cards}. Tap these cards one after the other, then press Lay down.")
    ),
    "coach_discard": text(
        _(
            "Nothing more can be laid: put one card away. The {cards} counts {count}: choose it and "
            "press Discard."
        )
    ),
    "coach_waiting": text(
        _(
            "The other player thinks. What you hold counts {count} now; whoever has no card left wins."
        )
    ),
    "coach_won": text(_("You have won your first deal of rummy. That is all there is to it!")),
}
