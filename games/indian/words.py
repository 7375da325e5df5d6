"""The words of Indian rummy on the table page, by the keys that its modules ask for.

A `{name}` is filled in by the browser. `_one` and `_other` as in tables/page/texts.py.
"""

from collections.abc import Mapping
from typing import Final

from games.base import Text
from games.indian.coach_words import COACH
from games.rummy_words import RUMMY_WORDS
from games.wording import gettext_noop as _
from games.wording import pgettext, text

_CARDS: Final = {
    "wild_joker": text(_("Wild joker")),
    "kind_pure_sequence": text(_("Pure sequence")),
    "ready_to_declare": text(_("Ready to declare")),
}

_STANDING: Final = {
    "status_shown": text(_("submitted")),
    "status_dropped": text(_("dropped")),
    "status_wrong": text(_("wrong declaration")),
    "read_turn": text(_("{name} is at turn")),
    "read_wild": text(_("Wild joker: {card}")),
}

_NOTICES: Final = {
    "notice_declare": text(_("Lay out your groups and declare")),
    "notice_show": text(_("{name} has declared. Lay out your groups and submit them.")),
    "notice_wait_show": text(_("{name} has declared. The others lay out their groups.")),
    "notice_other_declare": text(_("{name} is about to declare…")),
    "notice_wait": text(_("One moment…")),
    "notice_out": text(_("You are out of this deal.")),
}

_EVENTS: Final = {
    "event_toss": text(_("Everybody drew a card for the first move.")),
    "event_reshuffled": text(_("The open pile was shuffled into a new closed deck.")),
    "event_dropped": text(_("{name} dropped for {points} points.")),
    "event_dropped_own": text(_("You dropped for {points} points.")),
    "event_finished": text(_("{name} put a card on the finish slot.")),
    "event_finished_own": text(_("You put a card on the finish slot.")),
    "event_declared": text(_("{name} declared, and rightly.")),
    "event_declared_own": text(_("Your declaration is right.")),
    "event_declared_wrong": text(_("{name} made a wrong declaration.")),
    "event_declared_wrong_own": text(_("Your declaration was wrong.")),
    "event_shown": text(_("{name} submitted {points} points.")),
    "event_shown_one": text(_("{name} submitted {points} point.")),
    "event_shown_own": text(_("You submitted {points} points.")),
}

_QUESTIONS: Final = {
    "finish": pgettext("button", "Finish"),
    "finish_title": text(_("Finish and declare?")),
    "declare": pgettext("button", "Declare"),
    "declare_title": text(_("Declare these groups?")),
    "declare_text": text(_("Your groups are judged exactly as they lie here.")),
    "verdict_good": text(_("This is a right declaration.")),
    "verdict_wait": text(_("Your groups are being checked…")),
    "verdict_group": text(_("Group {number}: {flaw}")),
    "flaw_wrong_card_count": text(_("A declaration has thirteen cards.")),
    "flaw_loose_cards": text(_("Some cards are in no group.")),
    "flaw_no_pure_sequence": text(_("There is no pure sequence.")),
    "flaw_no_second_sequence": text(_("There is only one sequence.")),
    "flaw_too_few_cards": text(_("it has fewer than three cards.")),
    "flaw_too_many_cards": text(_("it is longer than a suit.")),
    "flaw_cards_do_not_match": text(_("its cards are neither of one suit nor of one rank.")),
    "flaw_gap_in_sequence": text(_("cards are missing and no joker fills the gap.")),
    "flaw_equal_cards": text(_("it has the same card twice.")),
    "flaw_two_of_a_suit_in_set": text(_("a set has each suit once only.")),
    "flaw_set_too_large": text(_("it has too many cards for a set.")),
    "wrong_costs": text(_("A wrong declaration costs {points} points ({cost}).")),
    "wrong_costs_match": text(_("A wrong declaration costs {points} points.")),
    "show": pgettext("button", "Submit"),
    "show_title": text(_("Submit these groups?")),
    "show_text": text(_("This is how your hand will be counted.")),
    "drop": pgettext("button", "Drop"),
    "drop_title": text(_("Drop out of this deal?")),
    "drop_text": text(_("Dropping now costs {points} points ({cost}).")),
    "drop_text_match": text(_("Dropping now costs {points} points.")),
    "leave_text_playing": text(
        _(
            "You are in a deal: leaving now costs {points} points ({cost}). "
            "The rest of your stack goes back to your wallet."
        )
    ),
    "leave_text_match": text(
        _("You are in a match: leaving now gives up your place and your entry fee.")
    ),
}

_MATCHES: Final = {
    "deal_of": text(_("Deal {deal} of {deals}")),
    "deal_staked": text(_("Deal {deal} of {deals} · {stake} chips a point")),
    "deal_staked_one": text(_("Deal {deal} of {deals} · {stake} chip a point")),
    "score_total": text(_("Total")),
    "score_chips": text(_("Chips")),
    "score_drops_left": text(_("Drops left")),
    "score_deals_won": text(_("Deals won")),
    "status_eliminated": text(_("out")),
    "notice_out_of_match": text(_("You are out of this match.")),
    "notice_rejoin": text(_("{names} may come back: {time}")),
    "notice_split": text(_("{name} offers to split the prize: {time}")),
    "notice_tie_breaker": text(_("A tie at the top: the deciding deal begins in {time}")),
    "ask_rejoin_title": text(_("You are out. Come back?")),
    "ask_rejoin_wait": text(_("Who comes back?")),
    "ask_rejoin_text": text(_("For {price} from your wallet you play on with {points} points.")),
    "ask_rejoin_others": text(_("For {price} they play on with {points} points.")),
    "ask_rejoin_yes": text(_("Rejoin for {price}")),
    "ask_rejoin_no": text(_("Stay out")),
    "ask_split_table": text(_("The table offers to split the prize")),
    "notice_split_table": text(_("The table offers to split the prize: {time}")),
    "hand_points": text(_("Hand {points}")),
    "hand_points_most": text(_("Hand {points} (max.)")),
    "score_of": text(_("Score {points}")),
    "ask_split_title": text(_("{name} offers to split the prize")),
    "ask_split_wait": text(_("The others answer")),
    "ask_split_text": text(_("If all agree the match ends and {prize} are shared like this.")),
    "ask_split_yes": text(_("Split the prize")),
    "ask_split_no": text(_("Play on")),
    "ask_offer_title": text(_("Split the prize?")),
    "ask_offer_text": text(_("You may ask the others to share {prize} like this.")),
    "ask_offer_yes": text(_("Ask the others")),
    "ask_bring_title": text(_("Play on?")),
    "ask_bring_entry": text(_("The next match costs {price} from your wallet.")),
    "ask_bring_stack": text(_("Your stack is too small for the next deal.")),
    "ask_bring_yes": text(_("Bring {price}")),
    "answer_asks": text(_("asks")),
    "answer_agreed": text(_("agrees")),
    "answer_waiting": text(_("has not answered")),
    "answer_deciding": text(_("is deciding")),
    "event_eliminated": text(_("{names} are out of the match.")),
    "event_eliminated_one": text(_("{names} is out of the match.")),
    "event_eliminated_own": text(_("You are out of the match.")),
    "event_rejoin_open": text(_("{names} may come back.")),
    "event_rejoin_open_own": text(_("You may come back.")),
    "event_rejoined": text(_("{name} came back.")),
    "event_rejoined_own": text(_("You came back.")),
    "event_rejoin_declined": text(_("{name} stays out.")),
    "event_rejoin_declined_own": text(_("You stay out.")),
    "event_split_open": text(_("Shall the prize be split? Everybody left is asked.")),
    "event_split_offered": text(_("{name} offers to split the prize.")),
    "event_split_offered_own": text(_("You offered to split the prize.")),
    "event_split_accepted": text(_("{name} agrees to the split.")),
    "event_split_accepted_own": text(_("You agree to the split.")),
    "event_split_refused": text(_("{name} wants to play on.")),
    "event_split_refused_own": text(_("You want to play on.")),
    "event_split_agreed": text(_("All agree: the prize is split.")),
    "event_split_closed": text(_("The prize is not split.")),
    "event_tie_breaker": text(_("There is a tie at the top: one more deal decides.")),
}

_REASONS: Final = {
    "reason_wrong_card_count": text(_("A declaration has thirteen cards.")),
    "reason_no_pure_sequence": text(_("Wrong declaration: there is no pure sequence.")),
    "reason_no_second_sequence": text(_("Wrong declaration: there is only one sequence.")),
    "reason_not_declared_in_time": text(_("Wrong declaration: the time ran out.")),
    "reason_left_before_declaring": text(_("The player left before declaring.")),
    "reason_too_few_cards": text(_("Wrong declaration: a group has fewer than three cards.")),
    "reason_too_many_cards": text(_("Wrong declaration: a group is longer than a suit.")),
    "reason_cards_do_not_match": text(
        _("Wrong declaration: cards of a group are neither of one suit nor of one rank.")
    ),
    "reason_gap_in_sequence": text(
        _("Wrong declaration: cards are missing in a sequence and no joker fills the gap.")
    ),
    "reason_equal_cards": text(_("Wrong declaration: a group has the same card twice.")),
    "reason_two_of_a_suit_in_set": text(_("Wrong declaration: a set has two cards of one suit.")),
    "reason_set_too_large": text(_("Wrong declaration: a set has too many cards.")),
}

_RESULTS: Final = {
    "result_title": text(_("{names} wins the deal")),
    "result_won": text(_("You win the deal")),
    "how_shown": text(_("submitted")),
    "how_saved": text(_("saved groups")),
    "how_best": text(_("best arrangement")),
    "how_first_drop": text(_("first drop")),
    "how_middle_drop": text(_("middle drop")),
    "how_full_count": text(_("full count")),
    "how_wrong": text(_("wrong declaration")),
}

TEXTS: Final[Mapping[str, Text]] = {
    **RUMMY_WORDS,
    **_CARDS,
    **_STANDING,
    **_NOTICES,
    **_EVENTS,
    **_QUESTIONS,
    **_MATCHES,
    **_REASONS,
    **_RESULTS,
    **COACH,
}
