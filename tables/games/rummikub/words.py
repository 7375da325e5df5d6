"""The words of Rummikub on the table page, by the keys that its modules ask for.

A `{name}` is filled in by the browser. `_one` and `_other` as in tables/page/texts.py.
"""

from collections.abc import Mapping
from typing import Final

from tables.games.base import Text
from tables.games.rummikub.coach_words import COACH
from tables.games.wording import gettext_noop as _
from tables.games.wording import pgettext, text

_TILES: Final = {
    "tile_S": text(_("black {number}")),
    "tile_H": text(_("red {number}")),
    "tile_D": text(_("orange {number}")),
    "tile_C": text(_("blue {number}")),
    "tile_joker": text(_("joker")),
    "tile_joker_for": text(_("joker for {tile}")),
    "of_your_rack": text(_("of your rack")),
    "just_drawn": text(_("just drawn")),
    "just_laid": text(_("laid by the last lay")),
    "just_moved": text(_("moved by the last lay")),
    "tiles": text(_("{count} tiles")),
    "tiles_one": text(_("{count} tile")),
    "pool": text(_("Pool: {count} tiles")),
    "pool_one": text(_("Pool: {count} tile")),
}

_TABLE: Final = {
    "table_empty": text(_("Nothing has been laid yet.")),
    "meld_label": text(_("Meld {number}, {kind}")),
    "kind_run": text(_("run")),
    "kind_group": text(_("group")),
    "kind_none": text(_("not a meld yet")),
    "kind_open": text(_("being checked")),
    "new_meld": pgettext("button", "New meld"),
    "add_to": text(_("Add the chosen tiles to meld {number}")),
    "reread": text(_("Let the joker stand for another tile")),
    "checking": text(_("Checking…")),
    "lay_worth": text(_("Tiles: {tiles}, points: {points}")),
    "opening_worth": text(_("{points} of {least} points to begin")),
    "last_lay": text(_("{name} laid {count} tiles.")),
    "last_lay_one": text(_("{name} laid {count} tile.")),
    "last_lay_moved": text(_("{name} laid {count} tiles and moved {moved}.")),
    "last_lay_moved_one": text(_("{name} laid {count} tile and moved {moved}.")),
    "reason_table_not_valid": text(_("Not every meld is complete.")),
    "reason_tiles_missing": text(_("Tiles of the table are missing.")),
    "reason_nothing_laid": text(_("Lay at least one tile of your rack.")),
    "reason_below_initial_meld": text(_("Not enough to begin with yet:")),
    "reason_table_not_yours": text(_("Leave the table as it is until you have begun.")),
    "reason_joker_is_frozen": text(_("A meld with a joker has to stay together.")),
    "reason_joker_not_laid": text(_("The joker needs two more tiles of your rack.")),
    "reason_card_not_held": text(_("A tile is not yours.")),
    "by_number": text(_("By number")),
    "by_colour": text(_("By colour")),
    "no_advice": text(_("There is no advice just now.")),
    "nothing_to_lay": text(_("There is nothing to lay: draw a tile.")),
}

_STANDING: Final = {
    "status_not_opened": text(_("has not begun")),
    "status_missed": text(_("missed {missed} of {of}")),
    "status_out": text(_("out")),
    "status_left": text(_("left")),
    "status_won": text(_("won")),
    "status_lost": text(_("lost")),
    "score_of": text(_("{points} points")),
    "score_of_one": text(_("{points} point")),
    "deal_of": text(_("Deal {deal} of {deals}")),
    "deal_number": text(_("Deal {deal}")),
    "deal": text(_("Deal")),
    "total": text(_("Total")),
    "score_sheet": text(_("Score sheet")),
    "read_time": text(_("Time left {time}")),
    "leave_text": text(_("Your stack goes back to your wallet.")),
    "leave_text_playing": text(
        _("You are in a deal: leaving now costs what your rack counts at once.")
    ),
    "leave_text_session": text(
        _("You are in a match: leaving now gives up your place and your entry fee.")
    ),
}

_NOTICES: Final = {
    "notice_open_draw": text(_("Your turn: lay {least} points to begin, or draw")),
    "notice_open_pass": text(_("Your turn: lay {least} points to begin, or pass")),
    "notice_lay_draw": text(_("Your turn: lay tiles, or draw")),
    "notice_lay_pass": text(_("Your turn: lay tiles, or pass")),
    "notice_other": text(_("{name} plays…")),
}

_EVENTS: Final = {
    "event_dealt": text(_("The tiles are dealt.")),
    "event_toss": text(_("Each drew a tile: the highest begins.")),
    "event_laid": text(_("{name} laid tiles worth {points} points.")),
    "event_laid_own": text(_("You laid tiles worth {points} points.")),
    "event_opened": text(_("{name} has begun with {points} points.")),
    "event_opened_own": text(_("You have begun with {points} points.")),
    "event_drew": text(_("{name} drew a tile.")),
    "event_drew_own": text(_("You drew a tile.")),
    "event_drew_overtime": text(_("Time is up: {name} drew {count} tiles.")),
    "event_drew_overtime_one": text(_("Time is up: {name} drew a tile.")),
    "event_drew_overtime_own": text(_("Time is up: you drew {count} tiles.")),
    "event_drew_overtime_own_one": text(_("Time is up: you drew a tile.")),
    "event_drew_invalid": text(
        _("Time is up: the table of {name} was not valid, so it is as it was; {count} tiles drawn.")
    ),
    "event_drew_invalid_own": text(
        _("Time is up: your table was not valid, so it is as it was; you drew {count} tiles.")
    ),
    "event_passed": text(_("{name} passed.")),
    "event_passed_own": text(_("You passed.")),
    "event_missed_turn": text(_("{name} missed a turn.")),
    "event_missed_turn_own": text(_("You missed a turn.")),
    "event_out": text(_("{name} is out of the deal.")),
    "event_out_own": text(_("You are out of the deal.")),
    "event_won_laid_out": text(_("{names} has laid the last tile and wins the deal.")),
    "event_won_laid_out_own": text(_("You have laid the last tile and win the deal.")),
    "event_won_count": text(_("Nobody goes on: {names} wins with the lowest rack.")),
    "event_won_count_own": text(_("Nobody goes on: you win with the lowest rack.")),
    "event_won_last_player": text(_("{names} wins the deal: all others are out.")),
    "event_won_last_player_own": text(_("You win the deal: all others are out.")),
    "you_drew": text(_("You drew {tiles}.")),
}

_RESULTS: Final = {
    "result_laid_out": text(_("{names} has laid everything and wins {points} points")),
    "result_laid_out_own": text(_("You have laid everything and win {points} points")),
    "result_blocked": text(_("{names} wins {points} points with the lowest rack")),
    "result_blocked_own": text(_("You win {points} points with the lowest rack")),
    "result_limit": text(_("Time for the deal is over: {names} wins {points} points")),
    "result_limit_own": text(_("Time for the deal is over: you win {points} points")),
    "result_last_player": text(_("{names} wins {points} points: all others are out")),
    "result_last_player_own": text(_("You win {points} points: all others are out")),
    "rack_counts": text(_("Rack {points}")),
    "rack_empty": text(_("Nothing is left.")),
    "loses": text(_("loses {points} points")),
    "loses_one": text(_("loses {points} point")),
}

TEXTS: Final[Mapping[str, Text]] = {
    **_TILES,
    **_TABLE,
    **_STANDING,
    **_NOTICES,
    **_EVENTS,
    **_RESULTS,
    **COACH,
}
