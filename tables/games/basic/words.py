"""The words of basic rummy on the table page, by the keys that its modules ask for."""

from collections.abc import Mapping
from typing import Final

from tables.games.base import Text
from tables.games.basic.coach_words import COACH
from tables.games.rummy.laid_words import LAID_WORDS
from tables.games.wording import gettext_noop as _
from tables.games.wording import text

TEXTS: Final[Mapping[str, Text]] = {
    **LAID_WORDS,
    "target": text(_("Race to {target}")),
    "status_dropped": text(_("out of the deal")),
    "lay_title": text(_("Lay these melds down?")),
    "lay_text": text(_("They stay on the table. Others may lay off on them.")),
    "lay_choose": text(_("Choose the cards of a meld, or put them into one group.")),
    "not_a_meld": text(_("These cards are no meld.")),
    "event_dropped": text(_("{name} missed too many turns and counts {points}.")),
    "event_dropped_own": text(_("You missed too many turns and count {points}.")),
    "event_rummy": text(_("Rummy! {name} went out in one turn: the others count double.")),
    "event_rummy_own": text(_("Rummy! You went out in one turn: the others count double.")),
    "won_rummy": text(_("{name} goes rummy: everything counts double")),
    "you_won_rummy": text(_("You go rummy: everything counts double")),
    "how_out": text(_("went out")),
    "how_rummy": text(_("rummy")),
    "how_blocked": text(_("blocked")),
    "how_limit": text(_("time over")),
    "how_last_player": text(_("last player")),
    "leave_text_playing": text(
        _("You are in a deal: leaving costs what you hold, and {points} points ({cost}) at least.")
    ),
    "leave_text_game": text(
        _("You are in a match: leaving now gives up your place and your entry fee.")
    ),
    **COACH,
}
