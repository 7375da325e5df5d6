"""The words of the coach at a first deal; static/js/games/indian/core/lesson.js says what when."""

from typing import Final

from games.rummy_words import COACH_WORDS
from games.wording import gettext_noop as _
from games.wording import text

COACH: Final = {
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
            "Your turn: draw one card. The closed deck is a surprise; the open pile shows what the "
            "others threw away. Here the closed deck is better."
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
            "Your pure sequence stands. Now a second sequence; a joker may fill a gap in it. Best "
            "lays your cards out for you."
        )
    ),
    "coach_rest": text(
        _(
            "Two sequences stand. What is left may be sets: cards of one rank in different suits. "
            "You still count {count}; at 0 you can declare."
        )
    ),
    "coach_ready": text(
        _(
            "Everything lies right. At your turn draw a card, choose one that is not needed and "
            "press Finish."
        )
    ),
    "coach_discard": text(
        _(
            "Now put one card away. The {cards} counts {count} and lies in no meld: choose it and "
            "press Discard."
        )
    ),
    "coach_best": text(_("Every card lies in a meld. Press Best to see which one can go.")),
    "coach_finish": text(
        _("All your groups are right! Choose the {cards}, press Finish, and confirm.")
    ),
    "coach_lay_out": text(
        _(
            "Lay your thirteen cards in groups, then press Declare. A wrong declaration costs "
            "{wrong} points."
        )
    ),
    "coach_declare": text(_("Your groups are right: press Declare and confirm.")),
    "coach_other_declares": text(_("The other player is about to declare. One moment…")),
    "coach_declared": text(_("You have declared rightly! The other player lays out what is left.")),
    "coach_show": text(
        _(
            "The other player has declared. Lay out your best groups and submit them: only cards "
            "outside of melds count, {most} at most."
        )
    ),
    "coach_wrong": text(
        _(
            "The table judged your groups as they lay, and one of them was no meld. That costs "
            "{wrong} points; next time look at the labels below the groups."
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
            "Your first deal is over. The winner counts nothing; you pay for the cards that lay "
            "outside of melds. Now you know how it goes."
        )
    ),
}
