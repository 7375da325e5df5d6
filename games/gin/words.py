"""All English texts of gin: names, rule facts, and those of the table page and its coach.

The page fills in `{name}` in a text. Key suffixes such as `_one` are explained in tables/texts.py. static/js/games/gin
decides when the coach speaks.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from games.engine.base import Format, RuleFact, Text, group_facts, pgettext, text
from games.engine.base import gettext_noop as _
from games.gin.rules.ruleset import GinRules
from games.rummy_words import (
    BREAK_SECONDS,
    COACH_WORDS,
    DEAL_LIMITS,
    EXTRA_SECONDS,
    NO_LIMIT,
    OPEN_CARD,
    RUMMY_WORDS,
    TURN_SECONDS,
)

TITLE: Final = text(_("Gin rummy"))
SEATS: Final = range(2, 3)

FORMATS: Final = (
    Format(
        code="POINTS",
        title=text(_("Points gin")),
        stake="per_point",
        seats=SEATS,
        presets=("points", "oklahoma", "classic"),
    ),
    Format(
        code="GAME",
        title=text(_("Gin game")),
        stake="entry_fee",
        seats=SEATS,
        presets=("game100", "oklahoma100", "classic100"),
        is_for_events=True,
    ),
)


def format_title(rules: GinRules) -> Text:
    is_classic = rules.name.startswith("classic")
    if rules.target is not None:
        game = _("Classic gin to %(target)s") if is_classic else _("Gin to %(target)s")
        if rules.oklahoma:
            game = _("Oklahoma gin to %(target)s")
        return text(game, target=rules.target)
    if rules.oklahoma:
        return text(_("Oklahoma gin"))
    return text(_("Classic points gin")) if is_classic else text(_("Points gin"))


RULE_FACTS: Final[Sequence[RuleFact]] = (
    *group_facts(
        "counting",
        RuleFact(text(_("Most deadwood to knock with")), "knock_limit"),
        RuleFact(text(_("The upcard sets the limit (Oklahoma)")), "oklahoma"),
        RuleFact(text(_("Spades double")), "spades_double"),
        RuleFact(text(_("Bonus for gin")), "gin_bonus"),
        RuleFact(text(_("Bonus for big gin")), "big_gin_bonus", words={0: text(_("no big gin"))}),
        RuleFact(text(_("Bonus for an undercut")), "undercut_bonus"),
    ),
    *group_facts(
        "deal",
        RuleFact(text(_("Cards of the closed deck that are never drawn")), "wall"),
        OPEN_CARD,
        RuleFact(text(_("Players may look through the discards")), "open_discards"),
        RuleFact(text(_("Missed turns in a row that lose the deal")), "max_missed_turns"),
        *DEAL_LIMITS,
    ),
    *group_facts(
        "match",
        RuleFact(text(_("Points that win the game")), "target", needs="target"),
        RuleFact(
            text(_("Most scored deals in a game")),
            "deals",
            words=NO_LIMIT,
            needs="target",
        ),
        RuleFact(
            text(_("The next dealer")),
            "next_dealer",
            words={
                "loser": text(_("is the player who lost the last deal")),
                "winner": text(_("is the player who won the last deal")),
                "alternate": text(_("is the other player")),
            },
            needs="target",
        ),
        RuleFact(text(_("Bonus for the game, on the score sheet")), "game_bonus", needs="target"),
        RuleFact(
            text(_("Bonus for each deal won, on the score sheet")), "box_bonus", needs="target"
        ),
        RuleFact(
            text(_("A shutout doubles, on the score sheet")), "shutout_doubles", needs="target"
        ),
        RuleFact(text(_("Dead deals in a row that end the match")), "max_dead_deals"),
    ),
    *group_facts(
        "clock",
        TURN_SECONDS,
        EXTRA_SECONDS,
        RuleFact(text(_("Seconds to answer a knock")), "show_seconds"),
        BREAK_SECONDS,
    ),
)

# --- The coach of a first deal.

COACH: Final = {
    **COACH_WORDS,
    "coach_goal_meld": text(_("Meld")),
    "coach_goal_knock": text(_("Knock")),
    "coach_wait": text(
        _(
            "Your opponent sits down and the cards are dealt in a moment. You get ten cards: lay "
            "them in sets and sequences, and knock when little is left over."
        )
    ),
    "coach_upcard_take": text(
        _("The {cards} was turned up and makes a meld with your cards: press Take it.")
    ),
    "coach_upcard_pass": text(
        _("The {cards} was turned up. It makes no meld with your cards: press Pass.")
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
    "coach_draw_closed": text(_("Both have passed: draw the first card from the closed deck.")),
    "coach_meld_there": text(
        _("You hold a meld: {cards}. Tap these cards one after the other, then press Group.")
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
    "coach_knock": text(
        _(
            "You may knock! Without the {cards} your deadwood counts {count}, and {limit} is "
            "the most. Press Knock, look, and confirm; or play on for gin."
        )
    ),
    "coach_gin": text(
        _("Gin! Discard the {cards} and nothing is left over: press Gin and confirm.")
    ),
    "coach_big_gin": text(_("All eleven cards are in melds: press Big gin and confirm.")),
    "coach_waiting": text(
        _(
            "The other player is thinking. Your deadwood counts {count} now; with {limit} or less "
            "after your discard you may knock."
        )
    ),
    "coach_defend": text(
        _(
            "The other player has knocked. Your melds are laid out, and cards that fit "
            "theirs are laid off for you: check, then press Lay down. If your deadwood "
            "is as little as theirs or less, it is an undercut."
        )
    ),
    "coach_answered": text(
        _("You have knocked. The other player lays down melds and lays off on yours.")
    ),
    "coach_dead": text(
        _("The closed deck is used up and nobody has knocked: the cards are dealt again.")
    ),
    "coach_out": text(_("You are out of this deal. The next one begins in a moment.")),
    "coach_even": text(_("Your first deal is over, and nobody scores. Now you know how it goes.")),
    "coach_won": text(
        _("You won your first deal of gin by {count} points. That is all there is to it!")
    ),
    "coach_lost": text(
        _(
            "Your first deal is over: the other player wins {count} points. Next time, "
            "discard your high cards first. Now you know how it goes."
        )
    ),
}

# --- The table page.

_STANDING: Final = {
    "status_knocked": text(_("knocked")),
    "status_even": text(_("even")),
    "target": text(_("Game to {target}")),
    "knock_limit": text(_("Knock with {limit} or less")),
    "gin_only": text(_("Gin only: an ace was turned up")),
    "spades_double": text(_("Spades: this deal counts double")),
}

_NOTICES: Final = {
    "notice_upcard": text(_("Take the upcard, or pass")),
    "notice_other_upcard": text(_("{name} may take the upcard…")),
    "notice_draw_closed": text(_("Both have passed: draw from the closed deck")),
    "notice_may_knock": text(_("Discard a card, or knock")),
    "notice_defend": text(_("{name} has knocked: lay off cards, then press Lay down")),
    "notice_wait_defence": text(_("{name} lays down…")),
}

_EVENTS: Final = {
    "event_toss": text(_("Each drew a card: the lower one deals.")),
    "event_passed": text(_("{name} passed.")),
    "event_passed_own": text(_("You passed.")),
    "event_knocked": text(_("{name} knocked with {points}.")),
    "event_knocked_own": text(_("You knocked with {points}.")),
    "event_gin": text(_("{name} has gin.")),
    "event_gin_own": text(_("You have gin.")),
    "event_big_gin": text(_("{name} has big gin.")),
    "event_big_gin_own": text(_("You have big gin.")),
    "event_defended": text(_("{name} laid down: {points} left.")),
    "event_defended_own": text(_("You laid down: {points} left.")),
    "event_won_knock": text(_("{names} wins the deal by a knock.")),
    "event_won_knock_own": text(_("You win the deal by a knock.")),
    "event_won_gin": text(_("{names} wins the deal with gin.")),
    "event_won_gin_own": text(_("You win the deal with gin.")),
    "event_won_big_gin": text(_("{names} wins the deal with big gin.")),
    "event_won_big_gin_own": text(_("You win the deal with big gin.")),
    "event_won_undercut": text(_("Undercut: {names} wins the deal.")),
    "event_won_undercut_own": text(_("Undercut: you win the deal.")),
    "event_won_forfeit": text(_("{names} wins the deal: the other player has given up.")),
    "event_won_forfeit_own": text(_("You win the deal: the other player has given up.")),
    "event_dead": text(_("Nobody knocked: the deal is dead.")),
}

_QUESTIONS: Final = {
    "knock": pgettext("button", "Knock"),
    "gin": pgettext("button", "Gin"),
    "big_gin": pgettext("button", "Big gin"),
    "defend": pgettext("button", "Lay down"),
    "lay_off": pgettext("button", "Lay off"),
    "title_knock": text(_("Knock?")),
    "title_gin": text(_("Declare gin?")),
    "title_big_gin": text(_("Declare big gin?")),
    "title_defend": text(_("Lay down like this?")),
    "then_nothing": text(_("The deal ends at once: nothing can be laid off.")),
    "then_defends": text(
        _("{name} may lay cards off on your melds. With {deadwood} or less left it is an undercut.")
    ),
    "knock_lay_out": text(_("Lay your melds out first.")),
    "knock_not_with": text(_("You cannot knock with this card. Choose another one.")),
    "lay_off_not": text(_("These cards do not fit on that meld.")),
    "take_back": text(_("Take the {card} back")),
    "defend_against": text(_("{name} has knocked with {deadwood}.")),
    "left_undercuts": text(_("{points} left: an undercut!")),
    "deadwood": text(_("Deadwood")),
    "deadwood_of": text(_("Deadwood {points}")),
    "put_down": text(_("Discarded")),
    "laid_off": text(_("Laid off")),
    "knocker_melds": text(_("Melds of {name}")),
    "leave_text_playing": text(
        _(
            "You are in a deal: if you leave, you lose it. That costs your deadwood and "
            "{points} points ({cost}) more."
        )
    ),
    "leave_text_game": text(
        _("You are in a match: if you leave now, you lose your place and your entry fee.")
    ),
}

_RESULTS: Final = {
    "won_knock": text(_("{name} wins {points} points")),
    "won_gin": text(_("{name} wins {points} points with gin")),
    "won_big_gin": text(_("{name} wins {points} points with big gin")),
    "won_undercut": text(_("{name} undercuts and wins {points} points")),
    "won_forfeit": text(_("{name} wins {points} points: the other player has given up")),
    "you_won_knock": text(_("You win {points} points")),
    "you_won_gin": text(_("You win {points} points with gin")),
    "you_won_big_gin": text(_("You win {points} points with big gin")),
    "you_won_undercut": text(_("You undercut and win {points} points")),
    "you_won_forfeit": text(_("You win {points} points: the other player has given up")),
    "dead": text(_("Nobody knocked: the deal is dead")),
    "lesson": text(_("High cards cost the most when the other player knocks: discard them early.")),
    "undercut": text(_("Undercut!")),
    "score": text(_("Score")),
    "box": text(_("Boxes")),
    "game_bonus": text(_("Game bonus")),
    "total": text(_("Total")),
    "total_shutout": text(_("Total, doubled for a shutout")),
    "how_knock": text(_("knock")),
    "how_gin": text(_("gin")),
    "how_big_gin": text(_("big gin")),
    "how_undercut": text(_("undercut")),
    "how_forfeit": text(_("given up")),
    "how_dead": text(_("dead")),
}

TEXTS: Final[Mapping[str, Text]] = {
    **RUMMY_WORDS,
    **_STANDING,
    **_NOTICES,
    **_EVENTS,
    **_QUESTIONS,
    **_RESULTS,
    **COACH,
}
