"""All English texts of basic rummy: names, rule facts, and those of the table page and its coach.

The page fills in `{name}` in a text. Key suffixes such as `_one` are explained in tables/texts.py.
static/js/games/basic decides when the coach speaks.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from games.basic.rules.ruleset import SEATS, BasicRules
from games.engine.base import Format, RuleFact, Text, group_facts, text
from games.engine.base import gettext_noop as _
from games.laid_words import (
    LAID_COACH,
    LAID_WORDS,
    LEAST_LEAVING,
    MOST_POINTS,
    RACE,
    RESTOCKS,
)
from games.rummy_words import (
    BREAK_SECONDS,
    DEAL_LIMITS,
    EXTRA_SECONDS,
    MISSED_TURNS,
    NO_LIMIT,
    OPEN_CARD,
    TURN_SECONDS,
)

TITLE: Final = text(_("Basic rummy"))

FORMATS: Final = (
    Format(
        code="POINTS",
        title=text(_("Points rummy, 52 cards")),
        stake="per_point",
        seats=SEATS,
        presets=("points", "one_meld"),
    ),
    Format(
        code="RACE",
        title=text(_("Race to a score")),
        stake="entry_fee",
        seats=SEATS,
        presets=("race100", "one_meld100"),
        is_for_events=True,
    ),
)


def format_title(rules: BasicRules) -> Text:
    is_one = rules.melds_a_turn == 1
    if rules.target is not None:
        race = _("Rummy to %(target)s, one meld a turn") if is_one else _("Rummy to %(target)s")
        return text(race, target=rules.target)
    return text(_("Basic rummy, one meld a turn")) if is_one else text(_("Basic rummy"))


RULE_FACTS: Final[Sequence[RuleFact]] = (
    *group_facts(
        "cards",
        RuleFact(text(_("Cards dealt to each player, for two to six players")), "hand_sizes"),
        RuleFact(
            text(_("The ace")),
            "ace",
            words={"low": text(_("is low")), "both": text(_("is low or high"))},
        ),
        RuleFact(text(_("New melds in a turn")), "melds_a_turn", words=NO_LIMIT),
        OPEN_CARD,
        RuleFact(text(_("The last card has to be discarded")), "must_discard_last"),
    ),
    *group_facts(
        "counting",
        RuleFact(text(_("Going rummy multiplies the points by")), "rummy_factor"),
        MOST_POINTS,
        LEAST_LEAVING,
    ),
    *group_facts(
        "deal",
        RuleFact(
            text(_("When the closed deck is empty")),
            "restock",
            words={
                "shuffle": text(_("the discards are shuffled")),
                "turn": text(_("the discards are turned over")),
                "block": text(_("the deal ends")),
            },
        ),
        RESTOCKS,
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
    "coach_wait": text(
        _(
            "Your opponent sits down and the cards are dealt in a moment. You get ten cards: lay "
            "all of them on the table before the other player does."
        )
    ),
    "coach_draw": text(
        _(
            "Your turn: draw one card. The card on the open pile makes no meld with yours, so take "
            "one from the closed deck."
        )
    ),
    "coach_draw_open": text(
        _(
            "Your turn: the {cards} on the open pile makes a meld with your cards. Tap it to "
            "take it."
        )
    ),
    "coach_meld": text(
        _("You hold a meld: {cards}. Tap these cards one after the other, then press Lay down.")
    ),
    "coach_discard": text(
        _(
            "Nothing more can be laid: discard a card. The {cards} counts {count}: choose it and "
            "press Discard."
        )
    ),
    "coach_waiting": text(
        _(
            "The other player is thinking. Your hand counts {count} now; the first player "
            "without cards wins."
        )
    ),
    "coach_won": text(_("You have won your first deal of rummy. That is all there is to it!")),
}

# --- The table page.

TEXTS: Final[Mapping[str, Text]] = {
    **LAID_WORDS,
    "target": text(_("Race to {target}")),
    "status_dropped": text(_("out of the deal")),
    "event_dropped": text(_("{name} missed too many turns: their hand counts {points}.")),
    "event_dropped_own": text(_("You missed too many turns: your hand counts {points}.")),
    "event_rummy": text(_("Rummy! {name} went out in one turn: the other hands count double.")),
    "event_rummy_own": text(_("Rummy! You went out in one turn: the other hands count double.")),
    "won_rummy": text(_("{name} goes rummy: everything counts double")),
    "you_won_rummy": text(_("You go rummy: everything counts double")),
    "how_out": text(_("went out")),
    "how_rummy": text(_("rummy")),
    "how_blocked": text(_("blocked")),
    "how_limit": text(_("time over")),
    "how_last_player": text(_("last player")),
    "leave_text_playing": text(
        _(
            "You are in a deal: leaving costs the points in your hand, at least {points} "
            "points ({cost})."
        )
    ),
    **COACH,
}
