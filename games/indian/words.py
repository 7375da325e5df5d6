"""All English texts of Indian rummy: names, rule facts, and those of the table page and its coach.

The page fills in `{name}`. For `_one` and `_other` see tables/texts.py. static/js/games/indian/core/lesson.js decides
when the coach speaks.
"""

from collections.abc import Mapping
from typing import Final

from games.engine.base import Format, RuleFact, Text, group_facts, pgettext, text
from games.engine.base import gettext_noop as _
from games.indian.rules.ruleset import SEATS, RuleSet
from games.rummy_words import (
    BREAK_SECONDS,
    COACH_WORDS,
    DEAL_LIMITS,
    NO_LIMIT,
    OPEN_CARD,
    RUMMY_WORDS,
    TURN_SECONDS,
)

TITLE: Final = text(_("Indian rummy"))

FORMATS: Final = (
    Format(
        code="POINTS",
        title=text(_("Points")),
        stake="per_point",
        seats=SEATS,
        presets=("points",),
        is_for_events=True,
    ),
    Format(
        code="POOL",
        title=text(_("Pool")),
        stake="entry_fee",
        seats=SEATS,
        presets=("pool61", "pool101", "pool201"),
        is_for_events=True,
    ),
    Format(
        code="DEALS",
        title=text(_("Deals")),
        stake="entry_fee",
        seats=SEATS,
        presets=("deals2", "deals3", "deals6"),
        is_for_events=True,
    ),
)

# Facts about each rule set, and the field of `RuleSet` that decides them.
RULE_FACTS: Final = (
    *group_facts(
        "cards",
        RuleFact(text(_("Packs of cards")), "packs"),
        RuleFact(text(_("Packs of cards for two players")), "packs_for_two"),
        RuleFact(text(_("Most cards in a set")), "max_set_size", words=NO_LIMIT),
        RuleFact(
            text(_("Two identical wild cards in a meld")),
            "wild_twins",
            words={
                True: text(_("one may replace another card")),
                False: text(_("are not allowed")),
            },
        ),
        RuleFact(
            text(_("Three or more jokers and no other card")),
            "joker_only_melds",
            words={
                "sequence": text(_("are a sequence if one is a wild card, otherwise a set")),
                "set": text(_("are a set")),
                "none": text(_("are not a meld")),
            },
        ),
    ),
    *group_facts(
        "counting",
        RuleFact(text(_("Most points in a deal")), "max_points"),
        RuleFact(
            text(_("A pure sequence without a second sequence")),
            "lone_pure_sequence",
            words={"free": text(_("counts no points")), "counted": text(_("is counted"))},
        ),
        RuleFact(text(_("Wrong declaration")), "wrong_declaration_points"),
        RuleFact(
            text(_("A wrong declaration counts")),
            "wrong_declaration_counts",
            words={"fixed": text(_("its fixed points")), "hand": text(_("all cards of the hand"))},
        ),
        RuleFact(
            text(_("After a wrong declaration")),
            "wrong_declaration_ends_deal",
            words={True: text(_("the others win the deal")), False: text(_("the others play on"))},
        ),
        RuleFact(text(_("Points for a second valid hand")), "second_valid_points"),
        RuleFact(text(_("First drop")), "first_drop", words={None: text(_("no drop"))}),
        RuleFact(text(_("Middle drop")), "middle_drop", words={None: text(_("no drop"))}),
    ),
    *group_facts(
        "deal",
        OPEN_CARD,
        RuleFact(text(_("Missed turns until you are dropped")), "max_missed_turns"),
        *DEAL_LIMITS,
    ),
    *group_facts(
        "match",
        RuleFact(text(_("Deals in a match")), "deals", needs="chips_per_deal"),
        RuleFact(text(_("Chips for each deal")), "chips_per_deal", needs="chips_per_deal"),
        RuleFact(text(_("Out at")), "elimination_score", needs="elimination_score"),
        RuleFact(
            text(_("A player with exactly that score")),
            "elimination_inclusive",
            words={True: text(_("is out")), False: text(_("stays in"))},
            needs="elimination_score",
        ),
        RuleFact(
            text(_("Limit for coming back")),
            "rejoin_score",
            words={None: text(_("nobody rejoins"))},
            needs="elimination_score",
        ),
        RuleFact(text(_("The prize may be split")), "split", needs="elimination_score"),
        RuleFact(
            text(_("Splitting the prize among two or three")),
            "split_began",
            words={"more": text(_("if more players began")), "any": text(_("however many began"))},
            needs="split",
        ),
        RuleFact(
            text(_("Entry fees that must be left to share equally in a split")),
            "split_rest",
            needs="split",
        ),
        RuleFact(
            text(_("If nobody can drop any more, the prize is shared")),
            "equal_split",
            words={"forced": text(_("at once")), "agreed": text(_("if all agree"))},
            needs="split",
        ),
    ),
    *group_facts(
        "clock",
        TURN_SECONDS,
        RuleFact(text(_("Extra seconds in a deal")), "extra_seconds"),
        RuleFact(text(_("Seconds to declare")), "declare_seconds"),
        RuleFact(text(_("Seconds to submit a hand")), "show_seconds"),
        BREAK_SECONDS,
        RuleFact(text(_("Seconds to rejoin")), "rejoin_seconds", needs="rejoin_score"),
        RuleFact(text(_("Seconds to answer a split")), "split_seconds", needs="split"),
    ),
)


# By the first part of a rule set's name.
_SITES: Final = {
    "rummycircle": "RummyCircle",
    "junglee": "Junglee Rummy",
    "totalrummy": "Total Rummy",
}


def format_title(rules: RuleSet) -> Text:
    """Return the title of a rule set: "Points", "Pool 101", "Best of 2".

    The title of a preset with the rules of another site names that site.
    """
    if rules.stacks:
        staked = _("Deals: %(deals)s · chips a point: %(stake)s")
        return text(staked, deals=rules.deals, stake=rules.point_chips)
    site = _SITES.get(rules.name.partition("-")[0])
    if rules.elimination_score is not None:
        score = rules.elimination_score
        if site is not None:
            return text(_("Pool %(score)s, rules of %(site)s"), score=score, site=site)
        return text(_("Pool %(score)s"), score=score)
    if rules.chips_per_deal:
        if site is not None:
            return text(_("Best of %(deals)s, rules of %(site)s"), deals=rules.deals, site=site)
        return text(_("Best of %(deals)s"), deals=rules.deals)
    return text(_("Points")) if site is None else text(_("Points, rules of %(site)s"), site=site)


_CARDS: Final = {
    "wild_joker": text(_("Wild joker")),
    "kind_pure_sequence": text(_("Pure sequence")),
    "ready_to_declare": text(_("Ready to declare")),
}

_STANDING: Final = {
    "status_shown": text(_("showed")),
    "status_dropped": text(_("dropped")),
    "status_wrong": text(_("wrong declaration")),
    "read_turn": text(_("It is {name}'s turn")),
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
    "event_toss": text(_("Everybody drew a card to decide the first move.")),
    "event_reshuffled": text(_("The open pile was shuffled into a new closed deck.")),
    "event_dropped": text(_("{name} dropped for {points} points.")),
    "event_dropped_own": text(_("You dropped for {points} points.")),
    "event_finished": text(_("{name} put a card on the finish slot.")),
    "event_finished_own": text(_("You put a card on the finish slot.")),
    "event_declared": text(_("{name} made a valid declaration.")),
    "event_declared_own": text(_("Your declaration is valid.")),
    "event_declared_wrong": text(_("{name} made a wrong declaration.")),
    "event_declared_wrong_own": text(_("Your declaration was wrong.")),
    "event_shown": text(_("{name} showed {points} points.")),
    "event_shown_one": text(_("{name} showed {points} point.")),
    "event_shown_own": text(_("You showed {points} points.")),
}

_QUESTIONS: Final = {
    "declare": pgettext("button", "Declare"),
    "declare_title": text(_("Declare these groups?")),
    "declare_text": text(_("Your groups are judged exactly as they lie here.")),
    "verdict_good": text(_("This declaration is valid.")),
    "verdict_wait": text(_("Your groups are being checked…")),
    "verdict_group": text(_("Group {number}: {flaw}")),
    "flaw_wrong_card_count": text(_("A declaration must contain thirteen cards.")),
    "flaw_loose_cards": text(_("Some cards are in no group.")),
    "flaw_no_pure_sequence": text(_("There is no pure sequence.")),
    "flaw_no_second_sequence": text(_("There is only one sequence.")),
    "flaw_too_few_cards": text(_("it has fewer than three cards.")),
    "flaw_too_many_cards": text(_("it has more cards than a suit.")),
    "flaw_cards_do_not_match": text(_("its cards are neither of one suit nor of one rank.")),
    "flaw_gap_in_sequence": text(_("cards are missing and no joker fills the gap.")),
    "flaw_equal_cards": text(_("it has the same card twice.")),
    "flaw_two_of_a_suit_in_set": text(_("a set has each suit only once.")),
    "flaw_set_too_large": text(_("it has too many cards for a set.")),
    "flaw_jokers_alone": text(_("it has only jokers.")),
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
        _("You are in a match: if you leave now, you lose your place and your entry fee.")
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
    "notice_rejoin": text(_("{names} can still rejoin: {time} left")),
    "notice_split": text(_("{name} offers to split the prize: {time} left")),
    "notice_tie_breaker": text(_("A tie at the top: the deciding deal begins in {time}")),
    "ask_rejoin_title": text(_("You are out. Come back?")),
    "ask_rejoin_wait": text(_("Who comes back?")),
    "ask_rejoin_text": text(_("For {price} from your wallet you play on with {points} points.")),
    "ask_rejoin_others": text(_("For {price} they play on with {points} points.")),
    "ask_rejoin_yes": text(_("Rejoin for {price}")),
    "ask_rejoin_text_free": text(_("You may play on with {points} points.")),
    "ask_rejoin_others_free": text(_("They may play on with {points} points.")),
    "ask_rejoin_yes_free": text(_("Play on")),
    "ask_rejoin_no": text(_("Stay out")),
    "ask_split_table": text(_("The table offers to split the prize")),
    "notice_split_table": text(_("The table offers to split the prize: {time} left")),
    "hand_points": text(_("Hand {points}")),
    "hand_points_most": text(_("Hand {points} (max.)")),
    "score_of": text(_("Score {points}")),
    "ask_split_title": text(_("{name} offers to split the prize")),
    "ask_split_wait": text(_("The others answer")),
    "ask_split_text": text(
        _("If all agree, the match ends and the prize of {prize} is shared like this.")
    ),
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
    "event_rejoin_open": text(_("{names} can rejoin.")),
    "event_rejoin_open_own": text(_("You can rejoin.")),
    "event_rejoined": text(_("{name} came back.")),
    "event_rejoined_own": text(_("You came back.")),
    "event_rejoin_declined": text(_("{name} stays out.")),
    "event_rejoin_declined_own": text(_("You stay out.")),
    "event_split_open": text(_("Split the prize? All remaining players are asked.")),
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
    "reason_wrong_card_count": text(_("A declaration must contain thirteen cards.")),
    "reason_no_pure_sequence": text(_("Wrong declaration: there is no pure sequence.")),
    "reason_no_second_sequence": text(_("Wrong declaration: there is only one sequence.")),
    "reason_not_declared_in_time": text(_("Wrong declaration: the time ran out.")),
    "reason_left_before_declaring": text(_("The player left before declaring.")),
    "reason_too_few_cards": text(_("Wrong declaration: a group has fewer than three cards.")),
    "reason_too_many_cards": text(_("Wrong declaration: a group has more cards than a suit.")),
    "reason_cards_do_not_match": text(
        _("Wrong declaration: the cards of a group are neither of one suit nor of one rank.")
    ),
    "reason_gap_in_sequence": text(
        _("Wrong declaration: cards are missing in a sequence and no joker fills the gap.")
    ),
    "reason_equal_cards": text(_("Wrong declaration: a group has the same card twice.")),
    "reason_two_of_a_suit_in_set": text(_("Wrong declaration: a set has two cards of one suit.")),
    "reason_set_too_large": text(_("Wrong declaration: a set has too many cards.")),
    "reason_jokers_alone": text(_("Wrong declaration: a group has only jokers.")),
}

_RESULTS: Final = {
    "result_title": text(_("{names} wins the deal")),
    "result_won": text(_("You win the deal")),
    "how_shown": text(_("showed")),
    "how_saved": text(_("saved groups")),
    "how_best": text(_("best arrangement")),
    "how_first_drop": text(_("first drop")),
    "how_middle_drop": text(_("middle drop")),
    "how_full_count": text(_("the most points")),
    "no_pure_sequence": text(_("all cards count: no pure sequence")),
    "how_wrong": text(_("wrong declaration")),
    "lesson_pure": text(
        _("A pure sequence has three or more cards of one suit in a row, and no joker.")
    ),
    "lesson_second": text(
        _("Cards in sets count points until you have two sequences, one of them pure.")
    ),
}

_COACH: Final = {
    **COACH_WORDS,
    "coach_goal_pure": text(_("Pure sequence")),
    "coach_goal_declare": text(_("Declare")),
    "coach_wait": text(
        _(
            "Your opponent sits down and the cards are dealt in a moment. You get thirteen cards: "
            "lay all of them in sequences and sets before the other player does."
        )
    ),
    "coach_draw": text(
        _(
            "Your turn: draw one card. The closed deck is a surprise; the open pile shows the "
            "others' discards. Here the closed deck is better."
        )
    ),
    "coach_draw_open": text(
        _("Your turn: the {cards} on the open pile goes with your cards. Tap it to take it.")
    ),
    "coach_pure_there": text(
        _(
            "You hold a pure sequence: {cards}. Tap these cards one after the other, then press "
            "Group."
        )
    ),
    "coach_meld_there": text(
        _("These go together: {cards}. Tap them one after the other, then press Group.")
    ),
    "coach_fits": text(
        _("The {cards} fits one of your groups. Press Best: it lays your cards out for you.")
    ),
    "coach_pure_missing": text(
        _(
            "You still need a pure sequence: three cards of one suit in a row, without a joker. "
            "Until you have one, every card counts."
        )
    ),
    "coach_second_missing": text(
        _(
            "You have a pure sequence. Now make a second one; a joker may fill a gap in it. Best "
            "lays your cards out for you."
        )
    ),
    "coach_rest": text(
        _(
            "You have two sequences. The rest may be sets: cards of one rank in "
            "different suits. Your hand still counts {count} points; at 0 you can "
            "declare."
        )
    ),
    "coach_ready": text(
        _(
            "All your groups are valid. On your turn draw a card, choose one that you do not "
            "need and press Declare."
        )
    ),
    "coach_discard": text(
        _(
            "Now discard a card. The {cards} counts {count} and is in no meld: choose it and "
            "press Discard."
        )
    ),
    "coach_best": text(
        _("Every card lies in a meld. Press Best to see which one you can discard.")
    ),
    "coach_finish": text(
        _("All your groups are valid! Choose the {cards}, press Declare, and confirm.")
    ),
    "coach_lay_out": text(
        _(
            "Lay your thirteen cards in groups, then press Declare. A wrong declaration costs "
            "{wrong} points."
        )
    ),
    "coach_declare": text(_("Your groups are valid: press Declare and confirm.")),
    "coach_other_declares": text(_("The other player is about to declare. One moment…")),
    "coach_declared": text(_("Your declaration is valid! Now the other player lays out groups.")),
    "coach_show": text(
        _(
            "The other player has declared. Lay out your best groups and submit them: only cards "
            "outside of melds count, {most} at most."
        )
    ),
    "coach_wrong": text(
        _(
            "The table judged your groups as you laid them, and one of them was not a "
            "meld. That costs {wrong} points; next time, check the labels below the "
            "groups."
        )
    ),
    "coach_out": text(_("You are out of this deal. The next one begins in a moment.")),
    "coach_won": text(_("You won your first deal! The chips of the other player are yours.")),
    "coach_dropped": text(
        _(
            "You dropped out of your first deal for {count} points: with a poor hand that is often "
            "the cheapest way. Try another one."
        )
    ),
    "coach_lost": text(
        _(
            "Your first deal is over. The winner scores 0; your cards that were in no "
            "meld count points against you. Now you know how it goes."
        )
    ),
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
    **_COACH,
}
