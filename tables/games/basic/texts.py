"""The words of basic rummy for people: names, and the numbers of its rule sets."""

from collections.abc import Sequence
from typing import Final

from tables.games.base import Format, RuleFact, Text
from tables.games.basic.rulesets import SEATS, BasicRules
from tables.games.wording import gettext_noop as _
from tables.games.wording import text

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


def title_of(rules: BasicRules) -> Text:
    is_one = rules.melds_a_turn == 1
    if rules.target is not None:
        race = _("Rummy to %(target)s, one meld a turn") if is_one else _("Rummy to %(target)s")
        return text(race, target=rules.target)
    return text(_("Basic rummy, one meld a turn")) if is_one else text(_("Basic rummy"))


RULE_FACTS: Final[Sequence[RuleFact]] = (
    RuleFact(text(_("New melds in a turn")), "melds_a_turn"),
    RuleFact(text(_("The last card has to be discarded")), "must_discard_last"),
    RuleFact(text(_("Going rummy multiplies by")), "rummy_factor"),
    RuleFact(text(_("Most points that a deal costs")), "max_points"),
    RuleFact(text(_("Least points that leaving costs")), "leave_points"),
    RuleFact(
        text(_("When the closed deck is empty")),
        "restock",
        words={
            "shuffle": text(_("the discards are shuffled")),
            "turn": text(_("the discards are turned over")),
            "block": text(_("the deal ends")),
        },
    ),
    RuleFact(text(_("How often an empty closed deck is made anew")), "max_restocks"),
    RuleFact(text(_("Score that wins the match")), "target"),
    RuleFact(text(_("Seconds for a turn")), "turn_seconds"),
    RuleFact(text(_("Extra seconds for the whole deal")), "extra_seconds"),
    RuleFact(text(_("Missed turns in a row that end the deal for a player")), "max_missed_turns"),
    RuleFact(text(_("Most turns of a player in a deal")), "max_turns"),
    RuleFact(text(_("Most minutes of a deal")), "max_minutes"),
)
