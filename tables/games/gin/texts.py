"""The words of gin for people: names, and the numbers of its rule sets."""

from collections.abc import Sequence
from typing import Final

from tables.games.base import Format, RuleFact, Text
from tables.games.gin.rulesets import GinRules
from tables.games.wording import gettext_noop as _
from tables.games.wording import text

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
    RuleFact(text(_("Most deadwood to knock with")), "knock_limit"),
    RuleFact(text(_("The upcard sets the limit (Oklahoma)")), "oklahoma"),
    RuleFact(text(_("Spades double")), "spades_double"),
    RuleFact(text(_("Bonus for gin")), "gin_bonus"),
    RuleFact(text(_("Bonus for big gin")), "big_gin_bonus"),
    RuleFact(text(_("Bonus for an undercut")), "undercut_bonus"),
    RuleFact(text(_("Points that win the game")), "target"),
    RuleFact(text(_("Bonus for each deal won, on the score sheet")), "box_bonus", needs="target"),
    RuleFact(text(_("Seconds for a turn")), "turn_seconds"),
    RuleFact(text(_("Extra seconds for the whole deal")), "extra_seconds"),
    RuleFact(text(_("Seconds to answer a knock")), "show_seconds"),
    RuleFact(text(_("Missed turns in a row that lose the deal")), "max_missed_turns"),
    RuleFact(text(_("Dead deals in a row that end the match")), "max_dead_deals"),
    RuleFact(text(_("Most turns of a player in a deal")), "max_turns"),
    RuleFact(text(_("Most minutes of a deal")), "max_minutes"),
)
