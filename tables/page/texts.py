"""The words of the table page, which is drawn by the browser.

A `{name}` is filled in there. Where a number decides the form, `_one` and `_other` follow the key,
as the browser's plural rules of the language name them.
"""

from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from tables.chat.phrases import PHRASES


def table_texts() -> dict[str, str]:
    return {
        "language": get_language() or "en",
        **_cards(),
        **_groups(),
        **_standing(),
        **_notices(),
        **_events(),
        **_questions(),
        **_matches(),
        **_reasons(),
        **_results(),
    }


def _cards() -> dict[str, str]:
    return {
        "card": _("{rank} of {suit}"),
        # A word of its own where grammar tells her from the other ranks.
        "card_queen": _("queen of {suit}"),
        "card_wild": _("{card}, wild"),
        "printed_joker": _("joker"),
        "no_card": _("empty"),
        "rank_A": _("ace"),
        "rank_2": "2",
        "rank_3": "3",
        "rank_4": "4",
        "rank_5": "5",
        "rank_6": "6",
        "rank_7": "7",
        "rank_8": "8",
        "rank_9": "9",
        "rank_T": "10",
        "rank_J": _("jack"),
        "rank_K": _("king"),
        "suit_S": _("spades"),
        "suit_H": _("hearts"),
        "suit_D": _("diamonds"),
        "suit_C": _("clubs"),
        "wild_joker": _("Wild joker"),
        "closed_deck": _("Closed deck, {count} cards"),
        "closed_deck_one": _("Closed deck, {count} card"),
        "closed_count": _("{count} cards"),
        "closed_count_one": _("{count} card"),
        "open_pile": _("Open pile: {card}"),
        "no_discards": _("Nothing has been discarded yet."),
    }


def _groups() -> dict[str, str]:
    return {
        "kind_pure_sequence": _("Pure sequence"),
        "kind_sequence": _("Sequence"),
        "kind_set": _("Set"),
        "kind_none": _("No meld"),
        "group_label": _("Group {number}, {kind}, {count} cards"),
        "group_label_one": _("Group {number}, {kind}, {count} card"),
        "group_points": _("{kind} · {points}"),
        "group_loose": pgettext("points of a group", "{points} pts"),
        "group_loose_one": pgettext("points of a group", "{points} pt"),
        "add_here": _("Add here"),
        "add_here_short": "+",
        "add_to_group": _("Add the chosen cards to group {number}"),
        "choose_group": _("Group {number}, {kind}: choose all its cards"),
        "points": _("{points} points"),
        "points_one": _("{points} point"),
        "ready_to_declare": _("Ready to declare"),
        "best": pgettext("button", "Best"),
        "undo": pgettext("button", "Undo"),
        "best_laid": _("Your hand lies at its least count."),
        "undone": _("Your cards lie as they did before."),
    }


def _standing() -> dict[str, str]:
    return {
        "stakes": _("{value} a point · service fee {rate}"),
        "you": _("(you)"),
        "bot": _("bot"),
        "dealer": _("Dealer"),
        "empty_seat": _("Empty seat"),
        "sit_here": _("Sit here"),
        "toss_card": _("Toss: {card}"),
        "status_waiting": _("next deal"),
        "status_away": _("reconnecting…"),
        "status_leaving": _("leaving"),
        "status_shown": _("submitted"),
        "status_missed": _("missed {missed} of {of}"),
        "status_dropped": _("dropped"),
        "status_wrong": _("wrong declaration"),
        "status_left": _("left"),
        "status_won": _("won"),
        "status_lost": _("lost"),
        "taken_over_title": _("This table is open somewhere else"),
        "taken_over_text": _("You play on in the tab or on the device where you opened it last."),
        "taken_over_here": _("Play here"),
        **{f"chat_{phrase.code}": str(phrase.words) for phrase in PHRASES},
        "net_online": _("Connected"),
        "net_syncing": _("Catching up…"),
        "net_connecting": _("Connecting…"),
        "net_offline": _("No connection, trying again…"),
        "extra_time": "+{time}",
        "extra_begins": _("Your extra time is running."),
        "seconds_left": _("{seconds} seconds left"),
        "read_turn": _("{name} is at turn"),
        "read_time": _("Time left {time}"),
        "read_wild": _("Wild joker: {card}"),
    }


def _notices() -> dict[str, str]:
    return {
        "your_turn": _("Your turn"),
        "notice_draw": _("Your turn: draw a card"),
        "notice_discard": _("Choose a card to discard"),
        "notice_declare": _("Lay out your groups and declare"),
        "notice_show": _("{name} has declared. Lay out your groups and submit them."),
        "notice_wait_show": _("{name} has declared. The others lay out their groups."),
        "notice_other_draw": _("{name} draws…"),
        "notice_other_discard": _("{name} discards…"),
        "notice_other_declare": _("{name} is about to declare…"),
        "notice_wait": _("One moment…"),
        "notice_out": _("You are out of this deal."),
        "notice_sending": _("Sending your move…"),
        "notice_starting": _("The deal begins in {time}"),
        "notice_sit": _("Take a seat to play"),
        "notice_out_of_order": _(
            "This table is out of order. Staff have been told; what you brought and paid is safe."
        ),
        "notice_event_over": _(
            "Play at this table is over. Whoever goes on is taken to the next one."
        ),
        "notice_closed": _("This table is closed."),
        "notice_waiting": _("Waiting for another player"),
        "next_deal": _("Next deal in {time}"),
        "next_match": _("Next match in {time}"),
        "you_drew": _("You drew the {card}."),
        "may_not_return": _("You took this card from the open pile. Discard another one."),
    }


def _events() -> dict[str, str]:
    return {
        "event_toss": _("Everybody drew a card for the first move."),
        "event_dealt": _("The cards are dealt."),
        "event_drawn_closed": _("{name} drew from the closed deck."),
        "event_drawn_closed_own": _("You drew from the closed deck."),
        "event_drawn_open": _("{name} took the {card} from the open pile."),
        "event_drawn_open_own": _("You took the {card} from the open pile."),
        "event_discarded": _("{name} discarded the {card}."),
        "event_discarded_own": _("You discarded the {card}."),
        "event_reshuffled": _("The open pile was shuffled into a new closed deck."),
        "event_dropped": _("{name} dropped for {points} points."),
        "event_dropped_own": _("You dropped for {points} points."),
        "event_missed_turn": _("{name} missed a turn."),
        "event_missed_turn_own": _("You missed a turn."),
        "event_finished": _("{name} put a card on the finish slot."),
        "event_finished_own": _("You put a card on the finish slot."),
        "event_declared": _("{name} declared, and rightly."),
        "event_declared_own": _("Your declaration is right."),
        "event_declared_wrong": _("{name} made a wrong declaration."),
        "event_declared_wrong_own": _("Your declaration was wrong."),
        "event_shown": _("{name} submitted {points} points."),
        "event_shown_one": _("{name} submitted {points} point."),
        "event_shown_own": _("You submitted {points} points."),
        "event_left": _("{name} left."),
        "event_left_own": _("You left."),
        "event_deal_over": _("The deal goes to {names}."),
    }


def _questions() -> dict[str, str]:
    return {
        "chips": _("{amount} chips"),
        "chips_one": _("{amount} chip"),
        "finish": pgettext("button", "Finish"),
        "finish_title": _("Finish and declare?"),
        "declare": pgettext("button", "Declare"),
        "declare_title": _("Declare these groups?"),
        "declare_text": _("Your groups are judged exactly as they lie here."),
        "verdict_good": _("This is a right declaration."),
        "verdict_wait": _("Your groups are being checked…"),
        "verdict_group": _("Group {number}: {flaw}"),
        "flaw_wrong_card_count": _("A declaration has thirteen cards."),
        "flaw_loose_cards": _("Some cards are in no group."),
        "flaw_no_pure_sequence": _("There is no pure sequence."),
        "flaw_no_second_sequence": _("There is only one sequence."),
        "flaw_too_few_cards": _("it has fewer than three cards."),
        "flaw_too_many_cards": _("it is longer than a suit."),
        "flaw_cards_do_not_match": _("its cards are neither of one suit nor of one rank."),
        "flaw_gap_in_sequence": _("cards are missing and no joker fills the gap."),
        "flaw_equal_cards": _("it has the same card twice."),
        "flaw_two_of_a_suit_in_set": _("a set has each suit once only."),
        "flaw_set_too_large": _("it has too many cards for a set."),
        "wrong_costs": _("A wrong declaration costs {points} points ({cost})."),
        "wrong_costs_match": _("A wrong declaration costs {points} points."),
        "show": pgettext("button", "Submit"),
        "show_title": _("Submit these groups?"),
        "show_text": _("This is how your hand will be counted."),
        "drop": pgettext("button", "Drop"),
        "drop_title": _("Drop out of this deal?"),
        "drop_text": _("Dropping now costs {points} points ({cost})."),
        "drop_text_match": _("Dropping now costs {points} points."),
        "leave": pgettext("button", "Leave"),
        "leave_title": _("Leave the table?"),
        "leave_text": _("Your stack goes back to your wallet."),
        "leave_text_playing": _(
            "You are in a deal: leaving now costs {points} points ({cost}). "
            "The rest of your stack goes back to your wallet."
        ),
        "leave_text_match": _(
            "You are in a match: leaving now gives up your place and your entry fee."
        ),
        "sit_least": _("At least {least}."),
        "sit_help": _("At least {least}; you can bring {purse}."),
        "sit_entry": _("The entry fee of a match is {least}; you can bring {purse}."),
        "sit_too_little": _("This table asks for at least {least}; you can bring {purse}."),
        "sit_fee": _("The winner of a deal pays a service fee of {rate}."),
        "sit_fee_match": _("The prize is all entry fees less a service fee of {rate}."),
    }


def _matches() -> dict[str, str]:
    return {
        "entry": _("Entry {fee}"),
        "prize": _("prize {prize}"),
        "deal_number": _("Deal {deal}"),
        "deal_of": _("Deal {deal} of {deals}"),
        "score_sheet": _("Score sheet"),
        "score_total": _("Total"),
        "score_chips": _("Chips"),
        "score_drops_left": _("Drops left"),
        "score_deals_won": _("Deals won"),
        "status_eliminated": _("out"),
        "notice_out_of_match": _("You are out of this match."),
        "notice_rejoin": _("{names} may come back: {time}"),
        "notice_split": _("{name} offers to split the prize: {time}"),
        "notice_tie_breaker": _("A tie at the top: the deciding deal begins in {time}"),
        "ask_rejoin_title": _("You are out. Come back?"),
        "ask_rejoin_wait": _("Who comes back?"),
        "ask_rejoin_text": _("For {price} from your wallet you play on with {points} points."),
        "ask_rejoin_others": _("For {price} they play on with {points} points."),
        "ask_rejoin_yes": _("Rejoin for {price}"),
        "ask_rejoin_no": _("Stay out"),
        "ask_split_title": _("{name} offers to split the prize"),
        "ask_split_wait": _("The others answer"),
        "ask_split_text": _("If all agree the match ends and {prize} are shared like this."),
        "ask_split_yes": _("Split the prize"),
        "ask_split_no": _("Play on"),
        "ask_offer_title": _("Split the prize?"),
        "ask_offer_text": _("You may ask the others to share {prize} like this."),
        "ask_offer_yes": _("Ask the others"),
        "ask_bring_title": _("Play on?"),
        "ask_bring_entry": _("The next match costs {price} from your wallet."),
        "ask_bring_stack": _("Your stack is too small for the next deal."),
        "ask_bring_yes": _("Bring {price}"),
        "answer_asks": _("asks"),
        "answer_agreed": _("agrees"),
        "answer_waiting": _("has not answered"),
        "answer_deciding": _("is deciding"),
        "event_eliminated": _("{names} are out of the match."),
        "event_eliminated_one": _("{names} is out of the match."),
        "event_rejoin_open": _("{names} may come back."),
        "event_rejoined": _("{name} came back."),
        "event_rejoined_own": _("You came back."),
        "event_rejoin_declined": _("{name} stays out."),
        "event_rejoin_declined_own": _("You stay out."),
        "event_split_open": _("Shall the prize be split? Everybody left is asked."),
        "event_match_cancelled": _("Our staff have cancelled this match; fees are paid back."),
        "event_fee_changed": _(
            "From the next deal on the service fee is {rate}. Whoever leaves before it begins pays "
            "nothing."
        ),
        "event_fee_changed_match": _(
            "From the next match on the service fee is {rate}. Whoever leaves before it begins "
            "pays nothing."
        ),
        "event_closed": _("This table is closed."),
        "event_split_offered": _("{name} offers to split the prize."),
        "event_split_offered_own": _("You offered to split the prize."),
        "event_split_accepted": _("{name} agrees to the split."),
        "event_split_accepted_own": _("You agree to the split."),
        "event_split_refused": _("{name} wants to play on."),
        "event_split_refused_own": _("You want to play on."),
        "event_split_agreed": _("All agree: the prize is split."),
        "event_split_closed": _("The prize is not split."),
        "event_tie_breaker": _("There is a tie at the top: one more deal decides."),
        "event_match_over": _("The match goes to {names}."),
        "result_match": _("The match goes to {names}"),
        "result_match_won": _("You win the match"),
        "result_match_shared": _("You share the prize"),
    }


def _reasons() -> dict[str, str]:
    return {
        "reason_wrong_card_count": _("A declaration has thirteen cards."),
        "reason_no_pure_sequence": _("Wrong declaration: there is no pure sequence."),
        "reason_no_second_sequence": _("Wrong declaration: there is only one sequence."),
        "reason_not_declared_in_time": _("Wrong declaration: the time ran out."),
        "reason_left_before_declaring": _("The player left before declaring."),
        "reason_too_few_cards": _("Wrong declaration: a group has fewer than three cards."),
        "reason_too_many_cards": _("Wrong declaration: a group is longer than a suit."),
        "reason_cards_do_not_match": _(
            "Wrong declaration: cards of a group are neither of one suit nor of one rank."
        ),
        "reason_gap_in_sequence": _(
            "Wrong declaration: cards are missing in a sequence and no joker fills the gap."
        ),
        "reason_equal_cards": _("Wrong declaration: a group has the same card twice."),
        "reason_two_of_a_suit_in_set": _("Wrong declaration: a set has two cards of one suit."),
        "reason_set_too_large": _("Wrong declaration: a set has too many cards."),
    }


def _results() -> dict[str, str]:
    return {
        "result_title": _("{names} wins the deal"),
        "result_won": _("You win the deal"),
        "result_fee": _("Won {gross}, service fee {rate}: {rake}, paid out {net}."),
        "how_won": _("winner"),
        "how_shown": _("submitted"),
        "how_saved": _("saved groups"),
        "how_best": _("best arrangement"),
        "how_first_drop": _("first drop"),
        "how_middle_drop": _("middle drop"),
        "how_full_count": _("full count"),
        "how_wrong": _("wrong declaration"),
    }
