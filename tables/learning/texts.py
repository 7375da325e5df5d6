"""The words of the coach at a first deal; static/js/table/core/lesson.js says what when."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext


def lesson_texts() -> dict[str, str]:
    return {
        "coach_goal_draw": _("Draw"),
        "coach_goal_arrange": _("Arrange"),
        "coach_goal_pure": _("Pure sequence"),
        "coach_goal_discard": _("Discard"),
        "coach_goal_declare": _("Declare"),
        "coach_done": _("{goal}, done"),
        "coach_hide": pgettext("button", "Hide"),
        "coach_open": pgettext("button", "Coach"),
        "coach_wait": _(
            "Your opponent sits down and the cards are dealt in a moment. You get thirteen cards: "
            "lay all of them in sequences and sets before the other player does."
        ),
        "coach_draw": _(
            "Your turn: draw one card. The closed deck is a surprise; the open pile shows what the "
            "others threw away. Here the closed deck is better."
        ),
        "coach_draw_open": _(
            "Your turn: the {cards} on the open pile goes with your cards. Tap it to take it."
        ),
        "coach_pure_there": _(
            "You hold a pure sequence: {cards}. Tap these cards one after the other, then press "
            "Group."
        ),
        "coach_pure_missing": _(
            "You still need a pure sequence: three cards of one suit in a row, without a joker. "
            "Until you have one, every card counts."
        ),
        "coach_second_missing": _(
            "Your pure sequence stands. Now a second sequence; a joker may fill a gap in it. Best "
            "lays your cards out for you."
        ),
        "coach_rest": _(
            "Two sequences stand. What is left may be sets: cards of one rank in different suits. "
            "You still count {count}; at 0 you can declare."
        ),
        "coach_ready": _(
            "Everything lies right. At your turn draw a card, choose one that is not needed and "
            "press Finish."
        ),
        "coach_discard": _(
            "Now put one card away. The {cards} counts {count} and lies in no meld: choose it and "
            "press Discard."
        ),
        "coach_best": _("Every card lies in a meld. Press Best to see which one can go."),
        "coach_finish": _(
            "All your groups are right! Choose the {cards}, press Finish, and confirm."
        ),
        "coach_lay_out": _(
            "Lay your thirteen cards in groups, then press Declare. A wrong declaration costs "
            "{wrong} points."
        ),
        "coach_declare": _("Your groups are right: press Declare and confirm."),
        "coach_other_declares": _("The other player is about to declare. One moment…"),
        "coach_declared": _("You have declared rightly! The other player lays out what is left."),
        "coach_show": _(
            "The other player has declared. Lay out your best groups and submit them: only cards "
            "outside of melds count, {most} at most."
        ),
        "coach_wrong": _(
            "The table judged your groups as they lay, and one of them was no meld. That costs "
            "{wrong} points; next time look at the labels below the groups."
        ),
        "coach_out": _("You are out of this deal. The next one begins in a moment."),
        "coach_won": _("You won your first deal. That is all there is to it!"),
        "coach_dropped": _(
            "You dropped out of your first deal for {count} points: with a poor hand that is often "
            "the cheapest way. Try another one."
        ),
        "coach_lost": _(
            "Your first deal is over. The winner counts nothing; you pay for the cards that lay "
            "outside of melds. Now you know how it goes."
        ),
    }
