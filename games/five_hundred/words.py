"""All English texts of 500 Rum: names, rule facts, and those of the table page and its coach.

The page fills in `{name}` in a text. Key suffixes such as `_one` are explained in tables/texts.py.
static/js/games/five_hundred decides when the coach speaks.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from games.engine.base import Format, RuleFact, Text, group_facts, text
from games.engine.base import gettext_noop as _
from games.five_hundred.rules.ruleset import SEATS, FiveHundredRules
from games.laid_words import (
    LAID_COACH,
    LAID_WORDS,
    LEAST_LEAVING,
    MOST_POINTS,
    RACE,
)
from games.rummy_words import (
    BREAK_SECONDS,
    DEAL_LIMITS,
    EXTRA_SECONDS,
    MISSED_TURNS,
    TURN_SECONDS,
)

TITLE: Final = text(_("500 Rum"))

FORMATS: Final = (
    Format(
        code="POINTS",
        title=text(_("500 Rum for points, one deal")),
        stake="per_point",
        seats=SEATS,
        presets=("points", "fives"),
    ),
    Format(
        code="RACE",
        title=text(_("Race to a score")),
        stake="entry_fee",
        seats=SEATS,
        presets=("race500", "race250"),
        is_for_events=True,
    ),
)


def format_title(rules: FiveHundredRules) -> Text:
    if rules.target is not None:
        return text(_("500 Rum to %(target)s"), target=rules.target)
    is_fives = rules.number_points == "five"
    return text(_("500 Rum, small cards count 5")) if is_fives else text(_("500 Rum for points"))


RULE_FACTS: Final[Sequence[RuleFact]] = (
    *group_facts(
        "cards",
        RuleFact(text(_("Cards dealt to each player, for two to eight players")), "hand_sizes"),
        RuleFact(text(_("Packs, for two to eight players")), "packs"),
        RuleFact(text(_("A set may hold a suit twice")), "repeated_suits"),
        RuleFact(text(_("The top discard may be kept if taken on its own")), "free_top_card"),
    ),
    *group_facts(
        "counting",
        RuleFact(
            text(_("Cards from two to nine count")),
            "number_points",
            words={"pips": text(_("their number")), "five": text(_("five each"))},
        ),
        RuleFact(text(_("An ace counts")), "ace_points"),
        RuleFact(text(_("An ace below a two counts")), "low_ace_points"),
        MOST_POINTS,
        LEAST_LEAVING,
    ),
    *group_facts(
        "deal",
        MISSED_TURNS,
        *DEAL_LIMITS,
    ),
    *group_facts(
        "match",
        *RACE,
    ),
    *group_facts(
        "clock",
        TURN_SECONDS,
        EXTRA_SECONDS,
        BREAK_SECONDS,
    ),
)

# --- The coach of a first deal.

COACH: Final = {
    **LAID_COACH,
    "coach_goal_meld": text(_("Meld")),
    "coach_goal_take": text(_("Take from the pile")),
    "coach_wait": text(
        _(
            "Your opponent sits down and the cards are dealt in a moment. You get seven cards: lay "
            "as many points on the table as you can."
        )
    ),
    "coach_draw": text(
        _(
            "Your turn: draw one card. Nothing in the open pile can be laid with your cards, so "
            "take one from the closed deck."
        )
    ),
    "coach_take": text(
        _(
            "Your turn: the {cards} in the open pile can be laid at once. Tap it: you get it with "
            "all cards above it."
        )
    ),
    "coach_meld": text(
        _("You hold a meld: {cards}. Tap these cards one after the other, then press Lay down.")
    ),
    "coach_discard": text(
        _(
            "Nothing more can be laid: discard a card. Choose the {cards}, which goes with few "
            "of your cards, and press Discard."
        )
    ),
    "coach_waiting": text(
        _(
            "The other player is thinking. Your hand counts {count} now; that is taken "
            "off the points that you have laid."
        )
    ),
    "coach_won": text(
        _(
            "You have won your first deal of 500 Rum: you have the most points laid, "
            "less those in hand. That is all there is to it!"
        )
    ),
}

# --- The table page.

TEXTS: Final[Mapping[str, Text]] = {
    **LAID_WORDS,
    "target": text(_("Race to {target}")),
    "status_dropped": text(_("out of the deal")),
    "laid_points": text(_("{points} laid")),
    "score_and_laid": text(_("{score} · {points} laid")),
    "take": text(_("Take the {card}")),
    "take_with": text(_("Take the {card} and the {count} cards above it")),
    "take_with_one": text(_("Take the {card} and the card above it")),
    "notice_take": text(_("Your turn: draw, or take a marked card from the open pile")),
    "notice_must_use": text(_("First lay down the {card}")),
    "event_taken": text(_("{name} took {count} cards from the open pile, down to the {card}.")),
    "event_taken_own": text(_("You took {count} cards from the open pile, down to the {card}.")),
    "event_dropped": text(_("{name} missed too many turns and loses {points}.")),
    "event_dropped_own": text(_("You missed too many turns and lose {points}.")),
    "event_out": text(_("A player has gone out: {name} has the most points.")),
    "event_out_own": text(_("A player has gone out: you have the most points.")),
    "event_blocked": text(_("The closed deck is used up: the points are counted.")),
    "event_limit": text(_("The deal has reached its limit: the points are counted.")),
    "won_out": text(_("{name} has the most points and wins the deal")),
    "you_won_out": text(_("You have the most points and win the deal")),
    "won_lowest": text(_("{names} has the most points and wins the deal")),
    "you_won_lowest": text(_("You have the most points and win the deal")),
    "how_out": text(_("went out")),
    "how_blocked": text(_("deck used up")),
    "how_limit": text(_("time over")),
    "how_last_player": text(_("last player")),
    "leave_text_playing": text(
        _(
            "You are in a deal: leaving costs the points you are behind, at least {points} "
            "points ({cost})."
        )
    ),
    **COACH,
}
