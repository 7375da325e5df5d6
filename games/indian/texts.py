"""What the help pages and the table page say of Indian rummy; translated by the table layer."""

from typing import Final

from games.base import Format, RuleFact, Text
from games.indian.rulesets import SEATS, RuleSet
from games.wording import gettext_noop as _
from games.wording import text

TITLE: Final = text(_("Indian rummy"))

FORMATS: Final = (
    Format(
        code="POINTS",
        title=text(_("Points")),
        stake="per_point",
        seats=SEATS,
        presets=("points",),
    ),
    Format(
        code="POOL",
        title=text(_("Pool")),
        stake="entry_fee",
        seats=SEATS,
        presets=("pool61", "pool101", "pool201"),
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

# What is said of each rule set, and the field of `RuleSet` that decides it.
RULE_FACTS: Final = (
    RuleFact(text(_("Packs of cards")), "packs"),
    RuleFact(text(_("Packs of cards for two players")), "packs_for_two"),
    RuleFact(text(_("Most cards in a set")), "max_set_size", words={None: text(_("no limit"))}),
    RuleFact(text(_("Deals in a match")), "deals"),
    RuleFact(text(_("Out at")), "elimination_score"),
    RuleFact(
        text(_("A player with exactly that score")),
        "elimination_inclusive",
        words={True: text(_("is out")), False: text(_("stays in"))},
        needs="elimination_score",
    ),
    RuleFact(text(_("Coming back up to")), "rejoin_score"),
    RuleFact(text(_("Chips for each deal")), "chips_per_deal"),
    RuleFact(text(_("Most in a deal")), "max_points"),
    RuleFact(
        text(_("A pure sequence without a second sequence")),
        "lone_pure_sequence",
        words={"free": text(_("counts nothing")), "counted": text(_("is counted"))},
    ),
    RuleFact(text(_("Wrong declaration")), "wrong_declaration_points"),
    RuleFact(
        text(_("After a wrong declaration")),
        "wrong_declaration_ends_deal",
        words={
            True: text(_("the others win the deal")),
            False: text(_("the others play on")),
        },
    ),
    RuleFact(text(_("A second valid hand")), "second_valid_points"),
    RuleFact(text(_("First drop")), "first_drop"),
    RuleFact(text(_("Middle drop")), "middle_drop"),
    RuleFact(text(_("Seconds for a turn")), "turn_seconds"),
    RuleFact(text(_("Extra seconds in a deal")), "extra_seconds"),
    RuleFact(text(_("Seconds to declare")), "declare_seconds"),
    RuleFact(text(_("Missed turns until you are dropped")), "max_missed_turns"),
    RuleFact(text(_("Most turns of a player in a deal")), "max_turns"),
    RuleFact(text(_("Most minutes of a deal")), "max_minutes"),
)


# By the first part of a rule set's name.
_SITES: Final = {
    "rummycircle": "RummyCircle",
    "junglee": "Junglee Rummy",
    "totalrummy": "Total Rummy",
}


def title_of(rules: RuleSet) -> Text:
    """ "Points", "Pool 101", "Best of 2"; with the site's name where the rules are another site's."""
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
