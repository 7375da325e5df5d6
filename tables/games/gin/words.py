"""The words of gin on the table page, by the keys that its modules ask for.

A `{name}` is filled in by the browser. `_one` and `_other` as in tables/page/texts.py.
"""

from collections.abc import Mapping
from typing import Final

from tables.games.base import Text
from tables.games.gin.coach_words import COACH
from tables.games.rummy_words import RUMMY_WORDS
from tables.games.wording import gettext_noop as _
from tables.games.wording import pgettext, text

_STANDING: Final = {
    "status_knocked": text(_("knocked")),
    "status_even": text(_("even")),
    "target": text(_("Game to {target}")),
    "knock_limit": text(_("Knock with {limit} or less")),
    "gin_only": text(_("Gin only: an ace was turned up")),
    "spades_double": text(_("Spades: this deal counts double")),
}

_NOTICES: Final = {
    "notice_upcard": text(_("Take the upcard, or pass")),
    "notice_other_upcard": text(_("{name} may take the upcard…")),
    "notice_draw_closed": text(_("Both have passed: draw from the closed deck")),
    "notice_may_knock": text(_("Discard a card, or knock")),
    "notice_defend": text(_("{name} has knocked: lay off, then lay down")),
    "notice_wait_defence": text(_("{name} lays down…")),
}

_EVENTS: Final = {
    "event_toss": text(_("Each drew a card: the lower one deals.")),
    "event_passed": text(_("{name} passed.")),
    "event_passed_own": text(_("You passed.")),
    "event_knocked": text(_("{name} knocked with {points}.")),
    "event_knocked_own": text(_("You knocked with {points}.")),
    "event_gin": text(_("{name} has gin.")),
    "event_gin_own": text(_("You have gin.")),
    "event_big_gin": text(_("{name} has big gin.")),
    "event_big_gin_own": text(_("You have big gin.")),
    "event_defended": text(_("{name} laid down: {points} left.")),
    "event_defended_own": text(_("You laid down: {points} left.")),
    "event_won_knock": text(_("{names} wins the deal by a knock.")),
    "event_won_knock_own": text(_("You win the deal by a knock.")),
    "event_won_gin": text(_("{names} wins the deal with gin.")),
    "event_won_gin_own": text(_("You win the deal with gin.")),
    "event_won_big_gin": text(_("{names} wins the deal with big gin.")),
    "event_won_big_gin_own": text(_("You win the deal with big gin.")),
    "event_won_undercut": text(_("Undercut: {names} wins the deal.")),
    "event_won_undercut_own": text(_("Undercut: you win the deal.")),
    "event_won_forfeit": text(_("{names} wins the deal: the other player has given up.")),
    "event_won_forfeit_own": text(_("You win the deal: the other player has given up.")),
    "event_dead": text(_("Nobody knocked: the deal is dead.")),
}

_QUESTIONS: Final = {
    "knock": pgettext("button", "Knock"),
    "gin": pgettext("button", "Gin"),
    "big_gin": pgettext("button", "Big gin"),
    "defend": pgettext("button", "Lay down"),
    "lay_off": pgettext("button", "Lay off"),
    "title_knock": text(_("Knock?")),
    "title_gin": text(_("Declare gin?")),
    "title_big_gin": text(_("Declare big gin?")),
    "title_defend": text(_("Lay down like this?")),
    "then_nothing": text(_("The deal ends at once: nothing can be laid off.")),
    "then_defends": text(
        _("{name} may lay cards off on your melds. With {deadwood} or less left it is an undercut.")
    ),
    "knock_lay_out": text(_("Lay your melds out first.")),
    "knock_not_with": text(_("You cannot knock with this card. Choose another one.")),
    "lay_off_not": text(_("These cards do not fit on that meld.")),
    "take_back": text(_("Take the {card} back")),
    "defend_against": text(_("{name} has knocked with {deadwood}.")),
    "left_undercuts": text(_("{points} left: an undercut!")),
    "deadwood": text(_("Deadwood")),
    "deadwood_of": text(_("Deadwood {points}")),
    "put_down": text(_("Put down")),
    "laid_off": text(_("Laid off")),
    "knocker_melds": text(_("Melds of {name}")),
    "leave_text_playing": text(
        _(
            "You are in a deal: leaving loses it. It costs your deadwood and {points} points "
            "({cost}) more."
        )
    ),
    "leave_text_game": text(
        _("You are in a match: leaving now gives up your place and your entry fee.")
    ),
}

_RESULTS: Final = {
    "won_knock": text(_("{name} wins {points} points")),
    "won_gin": text(_("{name} wins {points} points with gin")),
    "won_big_gin": text(_("{name} wins {points} points with big gin")),
    "won_undercut": text(_("{name} undercuts and wins {points} points")),
    "won_forfeit": text(_("{name} wins {points} points: the other player has given up")),
    "you_won_knock": text(_("You win {points} points")),
    "you_won_gin": text(_("You win {points} points with gin")),
    "you_won_big_gin": text(_("You win {points} points with big gin")),
    "you_won_undercut": text(_("You undercut and win {points} points")),
    "you_won_forfeit": text(_("You win {points} points: the other player has given up")),
    "dead": text(_("Nobody knocked: the deal is dead")),
    "undercut": text(_("Undercut!")),
    "score": text(_("Score")),
    "box": text(_("Boxes")),
    "game_bonus": text(_("Game bonus")),
    "total": text(_("Total")),
    "total_shutout": text(_("Total, doubled for a shutout")),
    "how_knock": text(_("knock")),
    "how_gin": text(_("gin")),
    "how_big_gin": text(_("big gin")),
    "how_undercut": text(_("undercut")),
    "how_forfeit": text(_("given up")),
    "how_dead": text(_("dead")),
}

TEXTS: Final[Mapping[str, Text]] = {
    **RUMMY_WORDS,
    **_STANDING,
    **_NOTICES,
    **_EVENTS,
    **_QUESTIONS,
    **_RESULTS,
    **COACH,
}
