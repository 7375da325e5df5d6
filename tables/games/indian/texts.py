"""What the help pages and the table page say of Indian rummy; translated by the table layer."""

from typing import Final

from tables.games.base import Format, RuleFact, Text
from tables.games.indian.rulesets import SEATS, RuleSet
from tables.games.wording import gettext_noop as _
from tables.games.wording import text

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
RULE_FACTS: Final = tuple(
    RuleFact(text(label), name)
    for label, name in (
        (_("Packs of cards"), "packs"),
        (_("Deals in a match"), "deals"),
        (_("Out at"), "elimination_score"),
        (_("Coming back up to"), "rejoin_score"),
        (_("Chips for each deal"), "chips_per_deal"),
        (_("Most in a deal"), "max_points"),
        (_("Wrong declaration"), "wrong_declaration_points"),
        (_("First drop"), "first_drop"),
        (_("Middle drop"), "middle_drop"),
        (_("Seconds for a turn"), "turn_seconds"),
        (_("Extra seconds in a deal"), "extra_seconds"),
        (_("Seconds to declare"), "declare_seconds"),
        (_("Missed turns until you are dropped"), "max_missed_turns"),
    )
)


def title_of(rules: RuleSet) -> Text:
    """ "Points", "Pool 101", "Best of 2"."""
    if rules.elimination_score is not None:
        return text(_("Pool %(score)s"), score=rules.elimination_score)
    if rules.stacks:
        staked = _("Deals: %(deals)s · chips a point: %(stake)s")
        return text(staked, deals=rules.deals, stake=rules.point_chips)
    if rules.chips_per_deal:
        return text(_("Best of %(deals)s"), deals=rules.deals)
    return text(_("Points"))
