"""Words of the table page for games with melds on the table (basic and Contract Rummy).

A `{name}` is filled in by the browser. `_one` and `_own` as in tables/page/texts.py.
"""

from collections.abc import Mapping
from typing import Final

from tables.games.base import Text
from tables.games.rummy_words import RUMMY_WORDS
from tables.games.wording import gettext_noop as _
from tables.games.wording import pgettext, text

LAID_WORDS: Final[Mapping[str, Text]] = {
    **RUMMY_WORDS,
    "lay": pgettext("button", "Lay down"),
    "lay_off": pgettext("button", "Lay off"),
    "melds_on_table": text(_("Melds on the table")),
    "no_melds": text(_("No melds yet.")),
    "meld_label": text(_("Meld {number}, {kind}, {count} cards")),
    "stands_for": text(_("{card} for {face}")),
    "laid_by": text(_("laid by {name}")),
    "lay_off_here": text(_("Lay the chosen cards off on meld {number}")),
    "lay_off_not": text(_("These cards do not fit on that meld.")),
    "keep_a_discard": text(_("Keep a card that you can discard.")),
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
    "event_out": text(_("{name} is out.")),
    "event_out_own": text(_("You are out.")),
    "event_last_player": text(_("{name} wins: nobody else is left.")),
    "event_blocked": text(_("No card is left to draw: the hands are counted.")),
    "event_limit": text(_("The deal has lasted long enough: the hands are counted.")),
    "won_out": text(_("{name} is out and wins the deal")),
    "you_won_out": text(_("You are out and win the deal")),
    "won_lowest": text(_("{names} holds the lowest count and wins the deal")),
    "won_last_player": text(_("{name} wins: nobody else is left")),
    "points_lost": text(_("{name} loses {points}")),
    "hand_left": text(_("{points} left in hand")),
    "total": text(_("Total")),
}
