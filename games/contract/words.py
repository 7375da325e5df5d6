"""All English texts of Contract Rummy: names, rule facts, and those of the table page and its coach.

The page fills in `{name}` in a text. Key suffixes such as `_one` are explained in tables/texts.py.
static/js/games/contract/core/lesson.js decides when the coach speaks.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from games.contract.rules.ruleset import SEATS, ContractRules
from games.engine.base import Format, RuleFact, Text, group_facts, pgettext, text
from games.engine.base import gettext_noop as _
from games.laid_words import (
    LAID_COACH,
    LAID_WORDS,
    MOST_POINTS,
    RESTOCKS,
)
from games.rummy_words import (
    BREAK_SECONDS,
    DEAL_LIMITS,
    EXTRA_SECONDS,
    NO_LIMIT,
    OPEN_CARD,
    TURN_SECONDS,
)

TITLE: Final = text(_("Contract Rummy"))

FORMATS: Final = (
    Format(
        code="CONTRACTS",
        title=text(_("Seven contracts")),
        stake="entry_fee",
        seats=SEATS,
        presets=("contract", "pagat", "no_buying", "multiple_buys", "deuces_wild"),
        is_for_events=True,
    ),
    Format(
        code="POINTS",
        title=text(_("One contract")),
        stake="per_point",
        seats=SEATS,
        presets=("single",),
    ),
)

_TITLES: Final = {
    "pagat": text(_("Contract Rummy, 12 cards from deal 4")),
    "no_buying": text(_("Contract Rummy without buying")),
    "multiple_buys": text(_("Contract Rummy, several buys")),
    "deuces_wild": text(_("Contract Rummy, deuces wild")),
}


def format_title(rules: ContractRules) -> Text:
    if rules.per_point:
        return text(_("Contract Rummy, one contract"))
    return _TITLES.get(rules.name, TITLE)


RULE_FACTS: Final[Sequence[RuleFact]] = (
    *group_facts(
        "cards",
        RuleFact(
            text(_("Contracts, deal by deal")),
            "contracts",
            words={"set": text(_("set")), "run": text(_("run"))},
        ),
        RuleFact(text(_("Cards dealt to each player, deal by deal")), "hand_sizes"),
        RuleFact(text(_("Packs for two, three, four, and more players")), "packs"),
        RuleFact(
            text(_("Jokers")),
            "jokers",
            words={
                "per_players": text(_("one fewer than there are players")),
                "all_printed": text(_("four")),
                "two_a_pack": text(_("two for each pack")),
            },
        ),
        RuleFact(text(_("Deuces are wild")), "deuces_wild"),
        RuleFact(text(_("Fewest cards of a set")), "min_set"),
        RuleFact(text(_("Fewest cards of a run")), "min_run"),
        RuleFact(text(_("Fewest cards of a set that are not jokers")), "min_naturals_set"),
        RuleFact(text(_("Fewest cards of a run that are not jokers")), "min_naturals_run"),
        RuleFact(text(_("No more cards than the contract needs")), "exact_contract"),
        RuleFact(text(_("The last contract takes the whole hand")), "whole_hand_last"),
        RuleFact(text(_("Laying off in the turn of the contract")), "lay_off_same_turn"),
        OPEN_CARD,
        RuleFact(text(_("The last card has to be laid")), "must_go_out_by_laying"),
    ),
    *group_facts(
        "deal",
        RuleFact(text(_("Buying")), "buying"),
        RuleFact(
            text(_("Buys of a player in a deal")),
            "max_buys",
            words=NO_LIMIT,
            needs="buying",
        ),
        RuleFact(text(_("Several cards may be bought in a turn")), "multiple_buys", needs="buying"),
        RESTOCKS,
        RuleFact(text(_("Missed turns in a row until the server plays")), "max_missed_turns"),
        *DEAL_LIMITS,
    ),
    *group_facts(
        "counting",
        RuleFact(text(_("A joker in hand counts")), "joker_points"),
        RuleFact(text(_("An ace in hand counts")), "ace_points"),
        RuleFact(
            text(_("A number card in hand counts")),
            "number_points",
            words={"pips": text(_("its number")), "five": text(_("5 points"))},
        ),
        RuleFact(text(_("Points for each deal after leaving")), "leave_points"),
        MOST_POINTS,
    ),
    *group_facts("match", RuleFact(text(_("Deals")), "deals", only_in="CONTRACTS")),
    *group_facts(
        "clock",
        TURN_SECONDS,
        EXTRA_SECONDS,
        RuleFact(text(_("Seconds to buy")), "buy_seconds", needs="buying"),
        BREAK_SECONDS,
    ),
)

_COACH: Final = {
    **LAID_COACH,
    "coach_goal_contract": text(_("Contract")),
    "coach_wait": text(
        _(
            "Your opponent sits down and the cards are dealt in a moment. This deal asks for "
            "two sets: three cards of one rank each, laid at once. A joker replaces any card."
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
            "The other player does not want the {cards}, and it completes a set of "
            "yours: press Buy. One more card from the closed deck comes with it."
        )
    ),
    "coach_pass": text(
        _("The other player does not want the {cards}. It does not help you either: press Pass.")
    ),
    "coach_answered": text(_("The others are being asked whether they want to buy the card.")),
    "coach_best": text(_("You hold the contract! Press Best to put it into groups.")),
    "coach_contract": text(
        _("Your contract is in groups: press Lay the contract, check, and confirm.")
    ),
    "coach_discard": text(
        _("Discard a card that goes with no other: choose the {cards} and press Discard.")
    ),
    "coach_discard_laid": text(
        _("Nothing more can be laid in this turn: choose the {cards} and press Discard.")
    ),
    "coach_waiting": text(
        _("The other player is thinking. You need {count} more cards for your contract.")
    ),
    "coach_waiting_one": text(
        _("The other player is thinking. You need {count} more card for your contract.")
    ),
    "coach_waiting_laid": text(
        _(
            "The other player is thinking. You hold {count} points: lay cards off to get rid of "
            "them."
        )
    ),
    "coach_won": text(
        _("You have won your first deal of Contract Rummy. That is all there is to it!")
    ),
}

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
    "not_in_this_turn": text(_("You may lay off from your next turn on.")),
    "buy": pgettext("button", "Buy"),
    "pass": pgettext("button", "Pass"),
    "never_buy": text(_("Never buy in this deal")),
    "buys_left": text(_("{count} buys left")),
    "buys_left_one": text(_("{count} buy left")),
    "notice_buy": text(_("{name} does not want the {card}. Buy it?")),
    "notice_wait_buy": text(_("The others are deciding about the {card}…")),
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
    "event_swapped_moved": text(
        _("{name} put the {card} in place of a joker and moved the joker.")
    ),
    "event_swapped_moved_own": text(
        _("You put the {card} in place of a joker and moved the joker.")
    ),
    "event_absent": text(_("{name} is away: the server plays for them.")),
    "event_absent_own": text(_("You are away: the server plays for you.")),
    "event_gone": text(_("{name} has not played for a whole deal and is out of the match.")),
    "event_gone_own": text(_("You have not played for a whole deal and are out of the match.")),
    "leave_text_playing": text(_("You are in a deal: leaving costs the points in your hand.")),
    **_COACH,
}
