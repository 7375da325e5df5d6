"""The words of gin for people: names, the table page, the numbers of its rule sets."""

from collections.abc import Mapping, Sequence
from typing import Final

from tables.games.base import Format, RuleFact, Text
from tables.games.gin.rulesets import GinRules
from tables.games.wording import gettext_noop as _
from tables.games.wording import pgettext, text

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


def title_of(rules: GinRules) -> Text:
    if rules.target is not None:
        game = _("Oklahoma gin to %(target)s") if rules.oklahoma else _("Gin to %(target)s")
        return text(game, target=rules.target)
    return text(_("Oklahoma gin")) if rules.oklahoma else text(_("Points gin"))


TEXTS: Final[Mapping[str, Text]] = {
    "upcard": text(_("Upcard")),
    "upcard_offer": text(_("Do you take the upcard?")),
    "upcard_offered_to": text(_("%(name)s may take the upcard.")),
    "take_upcard": pgettext("button", "Take it"),
    "pass": pgettext("button", "Pass"),
    "passed": text(_("%(name)s passes.")),
    "must_draw_closed": text(_("Both have passed: draw from the closed deck.")),
    "draw_closed": pgettext("button", "Draw from the deck"),
    "draw_open": pgettext("button", "Take the open card"),
    "discard": pgettext("button", "Discard"),
    "knock": pgettext("button", "Knock"),
    "gin": pgettext("button", "Gin"),
    "big_gin": pgettext("button", "Big gin"),
    "arrange": pgettext("button", "Sort into melds"),
    "knock_with": text(_("Choose the card that you put down face down.")),
    "knock_limit": text(_("Knock with %(limit)s or less")),
    "gin_only": text(_("Gin only: an ace was turned up")),
    "deadwood": text(_("Deadwood")),
    "deadwood_of": text(_("Deadwood %(points)s")),
    "knocked": text(_("%(name)s knocks with %(points)s.")),
    "has_gin": text(_("%(name)s has gin.")),
    "has_big_gin": text(_("%(name)s has big gin.")),
    "melds": text(_("Melds")),
    "knocker_melds": text(_("Melds of %(name)s")),
    "lay_off": pgettext("button", "Lay off"),
    "lay_off_here": text(_("Lay %(card)s off on this meld")),
    "laid_off": text(_("Laid off")),
    "defend": pgettext("button", "Lay down"),
    "defend_best": pgettext("button", "Lay down as well as can be"),
    "defend_hint": text(_("Form your melds and lay cards off on those of %(name)s.")),
    "waiting_for_defence": text(_("%(name)s lays down.")),
    "defended": text(_("%(name)s has %(points)s left.")),
    "undercut": text(_("Undercut!")),
    "won_by_knock": text(_("%(name)s wins %(points)s points.")),
    "won_by_gin": text(_("%(name)s wins %(points)s points with gin.")),
    "won_by_big_gin": text(_("%(name)s wins %(points)s points with big gin.")),
    "won_by_undercut": text(_("%(name)s undercuts and wins %(points)s points.")),
    "won_by_forfeit": text(_("%(name)s wins %(points)s points: the other one has given up.")),
    "dead": text(_("Nobody knocked: the deal is dead, and the same player deals again.")),
    "face_down": text(_("Face down until the deal is over")),
    "cards_left": text(_("Cards in the deck: %(count)s")),
    "taken": text(_("Taken from the open pile")),
    "discards": text(_("Discards")),
    "dealer": text(_("Dealer")),
    "spades_double": text(_("Spades: this deal counts double")),
    "score_sheet": text(_("Score sheet")),
    "score": text(_("Score")),
    "target": text(_("Game to %(target)s")),
    "deal_number": text(_("Deal %(number)s")),
    "box": text(_("Boxes")),
    "game_bonus": text(_("Game bonus")),
    "shutout": text(_("Shutout: doubled")),
    "total": text(_("Total")),
}

RULE_FACTS: Final[Sequence[RuleFact]] = (
    RuleFact(text(_("Most deadwood to knock with")), "knock_limit"),
    RuleFact(text(_("The upcard sets the limit (Oklahoma)")), "oklahoma"),
    RuleFact(text(_("Spades double")), "spades_double"),
    RuleFact(text(_("Bonus for gin")), "gin_bonus"),
    RuleFact(text(_("Bonus for big gin")), "big_gin_bonus"),
    RuleFact(text(_("Bonus for an undercut")), "undercut_bonus"),
    RuleFact(text(_("Points that win the game")), "target"),
    RuleFact(text(_("Seconds for a turn")), "turn_seconds"),
    RuleFact(text(_("Extra seconds for the whole deal")), "extra_seconds"),
    RuleFact(text(_("Seconds to answer a knock")), "show_seconds"),
    RuleFact(text(_("Missed turns in a row that lose the deal")), "max_missed_turns"),
    RuleFact(text(_("Dead deals in a row that end the match")), "max_dead_deals"),
)
