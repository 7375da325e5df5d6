"""The words of Contract Rummy on the table page, by the keys that its modules ask for."""

from collections.abc import Mapping
from typing import Final

from tables.games.base import Text
from tables.games.contract.coach_words import COACH
from tables.games.rummy.laid_words import LAID_WORDS
from tables.games.wording import gettext_noop as _
from tables.games.wording import pgettext, text

TEXTS: Final[Mapping[str, Text]] = {
    **LAID_WORDS,
    "kind_run": text(_("Run")),
    "contract": text(_("Contract: {melds}")),
    "contract_whole": text(_("Contract: {melds}, with the whole hand")),
    "set_of": text(_("set of {size}")),
    "run_of": text(_("run of {size}")),
    "deal_of": text(_("Deal {deal} of {deals}")),
    "contract_title": text(_("Lay the contract like this?")),
    "contract_groups": text(_("Put the melds of the contract into groups first.")),
    "missing": text(_("{count} cards missing")),
    "missing_one": text(_("{count} card missing")),
    "missing_none": text(_("You hold the contract")),
    "lay_off_as": text(_("Lay off as {faces}")),
    "of_meld": text(_("in meld {number}")),
    "contract_lay": pgettext("button", "Lay the contract"),
    "contract_met": text(_("contract laid")),
    "contract_first": text(_("Lay the contract first.")),
    "not_in_this_turn": text(_("Lay off from your next turn on.")),
    "buy": pgettext("button", "Buy"),
    "pass": pgettext("button", "Pass"),
    "never_buy": text(_("Never buy in this deal")),
    "buys_left": text(_("{count} buys left")),
    "buys_left_one": text(_("{count} buy left")),
    "notice_buy": text(_("{name} does not want the {card}. Buy it?")),
    "notice_wait_buy": text(_("The others are asked for the {card}…")),
    "you_answered": text(_("You have answered. Wait for the others.")),
    "you_bought": text(_("You bought the {card} and got the {other}.")),
    "swap_joker": pgettext("button", "Take the joker"),
    "move_front": pgettext("button", "Joker to the front"),
    "move_back": pgettext("button", "Joker to the back"),
    "status_absent": text(_("away")),
    "event_offered": text(_("The others may buy the {card}.")),
    "event_bought": text(_("{name} bought the {card}.")),
    "event_bought_own": text(_("You bought the {card}.")),
    "event_bought_wanted": text(_("{name} bought the {card}; {names} wanted it too.")),
    "event_bought_wanted_own": text(_("You bought the {card}; {names} wanted it too.")),
    "event_unsold": text(_("Nobody bought the {card}.")),
    "event_contract_laid": text(_("{name} laid the contract: {melds}.")),
    "event_contract_laid_own": text(_("You laid the contract: {melds}.")),
    "event_swapped_hand": text(_("{name} took a joker for the {card}.")),
    "event_swapped_hand_own": text(_("You took a joker for the {card}.")),
    "event_swapped_moved": text(_("{name} laid the {card} and moved its joker.")),
    "event_swapped_moved_own": text(_("You laid the {card} and moved its joker.")),
    "event_absent": text(_("{name} is away: the server plays for them.")),
    "event_absent_own": text(_("You are away: the server plays for you.")),
    "event_gone": text(_("{name} has not played for a whole deal and is out of the match.")),
    "event_gone_own": text(_("You have not played for a whole deal and are out of the match.")),
    "leave_text_playing": text(_("You are in a deal: leaving costs what you hold.")),
    "leave_text_game": text(
        _("You are in a match: leaving now gives up your place and your entry fee.")
    ),
    **COACH,
}
