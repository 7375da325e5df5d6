"""The words of the coach at a first deal of Rummikub; static/js/games/rummikub/core/lesson.js says what
when."""

from typing import Final

from tables.games.rummy_words import COACH_WORDS
from tables.games.wording import gettext_noop as _
from tables.games.wording import text

COACH: Final = {
    **COACH_WORDS,
    "coach_goal_meld": text(_("Meld")),
    "coach_goal_open": text(_("Open")),
    "coach_goal_more": text(_("Lay more")),
    "coach_wait": text(
        _(
            "Your opponent sits down and the tiles are dealt in a moment. You get fourteen: the first "
            "to lay them all wins."
        )
    ),
    "coach_waiting": text(
        _("The other player thinks. Sort shows your tiles by colour or by number: look for melds.")
    ),
    "coach_draw_first": text(
        _(
            "Your turn. Your first lay needs melds of {least} points or more from your rack alone, and "
            "you have none yet that you could see at once. Press Best to be sure, or Draw a tile."
        )
    ),
    "coach_open": text(
        _(
            "You can begin: you hold melds of {count} points, and {least} are needed. Choose {cards}, "
            "then press New meld."
        )
    ),
    "coach_more": text(
        _(
            "{count} of {least} points lie there. Add the next meld: choose {cards}, then press New "
            "meld."
        )
    ),
    "coach_short": text(
        _(
            "These melds have {count} of the {least} points that your first lay needs. Press Reset my "
            "turn, then draw."
        )
    ),
    "coach_meld": text(_("You hold a meld: choose {cards}, then press New meld.")),
    "coach_add": text(_("The {cards} fits on meld {count}: choose it, then press + at that meld.")),
    "coach_draw": text(
        _(
            "No meld on your rack, and no tile that fits at once. Best looks for a way to rearrange the "
            "table; or press Draw."
        )
    ),
    "coach_pass": text(_("The pool is empty and nothing fits at once: press Best, or Pass.")),
    "coach_checking": text(_("Checking…")),
    "coach_lay": text(
        _("That is right: every meld on the table is one. Press Lay; or go on and lay more.")
    ),
    "coach_not_valid": text(
        _(
            "Not every meld is one yet: each needs three tiles or more, of one number in different "
            "colours, or of one colour in a row. Go on, or press Undo."
        )
    ),
    "coach_out": text(_("You are out of this deal.")),
    "coach_won": text(
        _("You won your first deal of Rummikub by {count} points. That is all there is to it!")
    ),
    "coach_lost": text(
        _(
            "Your first deal is over: what was left on your rack counts {count} points. Now you know "
            "how it goes."
        )
    ),
}
