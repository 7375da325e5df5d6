"""Rule facts and table-page words for the games with melds on the table (basic rummy, Contract Rummy and 500 Rum).

The browser fills in `{name}`. Keys ending in `_one` and `_own` are explained in tables/texts.py.
"""

from collections.abc import Mapping
from typing import Final

from games.engine.base import RuleFact, Text, pgettext, text
from games.engine.base import gettext_noop as _
from games.rummy_words import COACH_WORDS, NO_LIMIT, RUMMY_WORDS

MOST_POINTS: Final = RuleFact(
    text(_("Most points that a deal costs")), "max_points", words=NO_LIMIT
)
LEAST_LEAVING: Final = RuleFact(text(_("Minimum points that leaving costs")), "leave_points")
RESTOCKS: Final = RuleFact(
    text(_("How many times an empty closed deck may be refilled from the open pile")),
    "max_restocks",
)
RACE: Final = (
    RuleFact(text(_("Score that wins the match")), "target", needs="target"),
    RuleFact(text(_("Most deals of a race")), "deals", words=NO_LIMIT, needs="target"),
)

LAID_WORDS: Final[Mapping[str, Text]] = {
    **RUMMY_WORDS,
    "lay": pgettext("button", "Lay down"),
    "lay_off": pgettext("button", "Lay off"),
    "lay_title": text(_("Lay these melds down?")),
    "lay_text": text(_("They stay on the table. Others may lay off on them.")),
    "lay_choose": text(_("Choose the cards of a meld, or put them into one group.")),
    "not_a_meld": text(_("These cards are not a meld.")),
    "no_melds": text(_("No melds yet.")),
    "meld_label": text(_("Meld {number}, {kind}, {count} cards")),
    "stands_for": text(_("{card} for {face}")),
    "dead_joker": text(_("stays in its set")),
    "laid_by": text(_("laid by {name}")),
    "lay_off_here": text(_("Lay the chosen cards off on meld {number}")),
    "lay_off_not": text(_("These cards do not fit on that meld.")),
    "in_hand": text(_("In hand: {points}")),
    "notice_lay_or_discard": text(_("Lay cards down, or discard one")),
    "notice_other_lays": text(_("{name} lays down or discards…")),
    "event_toss": text(_("Each drew a card: the lowest one deals.")),
    "event_melded": text(_("{name} laid down {melds}.")),
    "event_melded_own": text(_("You laid down {melds}.")),
    "event_laid_off": text(_("{name} laid off {cards}.")),
    "event_laid_off_own": text(_("You laid off {cards}.")),
    "event_reshuffled": text(_("The open pile was shuffled: it is the closed deck now.")),
    "event_turned_over": text(_("The open pile was turned over: it is the closed deck now.")),
    "event_left": text(_("{name} left the match.")),
    "event_out": text(_("{name} goes out and wins the deal.")),
    "event_out_own": text(_("You go out and win the deal.")),
    "event_last_player": text(_("{name} wins: nobody else is left.")),
    "event_last_player_own": text(_("You win: nobody else is left.")),
    "event_blocked": text(_("No card is left to draw: the hands are counted.")),
    "event_limit": text(_("The deal has reached its limit: the hands are counted.")),
    "won_out": text(_("{name} goes out first and wins the deal")),
    "you_won_out": text(_("You go out first and win the deal")),
    "won_lowest": text(_("{names} holds the lowest count and wins the deal")),
    "you_won_lowest": text(_("You hold the lowest count and win the deal")),
    "won_last_player": text(_("{name} wins: nobody else is left")),
    "you_won_last_player": text(_("You win: nobody else is left")),
    "counted": text(_("Everybody counts their hand")),
    "lesson": text(
        _("Cards left in your hand cost points: lay melds early, and discard high cards first.")
    ),
    "points_lost": text(_("{points} points lost")),
    "points_lost_one": text(_("{points} point lost")),
    "hand_left": text(_("{points} left in hand")),
    "total": text(_("Total")),
    "leave_text_game": text(
        _("You are in a match: if you leave now, you lose your place and your entry fee.")
    ),
}

# Texts of the coach in a first deal.
LAID_COACH: Final[Mapping[str, Text]] = {
    **COACH_WORDS,
    "coach_goal_lay_off": text(_("Lay off")),
    "coach_goal_out": text(_("Go out")),
    "coach_lay_off": text(
        _("The {cards} fits on meld {count} on the table. Tap it, then press Lay off at the meld.")
    ),
    "coach_out": text(_("You are out of this deal. The next one begins in a moment.")),
    "coach_lost": text(
        _(
            "Your first deal is over, and you lose {count} points. Next time, discard "
            "your high cards first. Now you know how it goes."
        )
    ),
}
