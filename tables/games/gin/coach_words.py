"""The words of the coach at a first deal of gin; static/js/games/gin/core/lesson.js says what when."""

from typing import Final

from tables.games.rummy_words import COACH_WORDS
from tables.games.wording import gettext_noop as _
from tables.games.wording import text

COACH: Final = {
    **COACH_WORDS,
    "coach_goal_meld": text(_("Meld")),
    "coach_goal_knock": text(_("Knock")),
    "coach_wait": text(
        _(
            "Your opponent sits down and the cards are dealt in a moment. You get ten cards: lay "
            "them in sets and sequences, and knock when little is left over."
        )
    ),
    "coach_upcard_take": text(
        _("The {cards} was turned up and makes a meld with your cards: press Take it.")
    ),
    "coach_upcard_pass": text(
        _("The {cards} was turned up. It makes no meld with your cards: press Pass.")
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
    "coach_draw_closed": text(_("Both have passed: draw the first card from the closed deck.")),
    "coach_meld_there": text(
        _("You hold a meld: {cards}. Tap these cards one after the other, then press Group.")
    ),
    "coach_discard": text(
        _(
            "Now put one card away. The {cards} counts {count} and lies in no meld: choose it and "
            "press Discard."
        )
    ),
    "coach_best": text(_("Every card lies in a meld. Press Best to see which one can go.")),
    "coach_knock": text(
        _(
            "You may knock! With the {cards} put down you have {count} of deadwood, and {limit} is "
            "the most. Press Knock, look, and confirm; or play on for gin."
        )
    ),
    "coach_gin": text(
        _("Gin! Put the {cards} down and nothing is left over: press Gin and confirm.")
    ),
    "coach_big_gin": text(_("All eleven cards lie in melds: press Big gin and confirm.")),
    "coach_waiting": text(
        _(
            "The other player thinks. What lies in no meld counts {count} now; with {limit} or less "
            "after your discard you may knock."
        )
    ),
    "coach_defend": text(
        _(
            "The other player has knocked. Your melds are laid out, and what fits on theirs is laid "
            "off for you: look, then press Lay down. As little as theirs or less is an undercut."
        )
    ),
    "coach_answered": text(
        _("You have knocked. The other player lays down melds and lays off on yours.")
    ),
    "coach_dead": text(
        _("The closed deck is used up and nobody has knocked: the cards are dealt anew.")
    ),
    "coach_out": text(_("You are out of this deal. The next one begins in a moment.")),
    "coach_even": text(_("Your first deal is over, and nobody pays. Now you know how it goes.")),
    "coach_won": text(
        _("You won your first deal of gin by {count} points. That is all there is to it!")
    ),
    "coach_lost": text(
        _(
            "Your first deal is over: the other player wins {count} points. Cards that count much "
            "go first next time. Now you know how it goes."
        )
    ),
}
