"""The words of Contract Rummy for people: names, and the numbers of its rule sets."""

from collections.abc import Sequence
from typing import Final

from tables.games.base import Format, RuleFact, Text
from tables.games.contract.rulesets import SEATS, ContractRules
from tables.games.wording import gettext_noop as _
from tables.games.wording import text

TITLE: Final = text(_("Contract Rummy"))

FORMATS: Final = (
    Format(
        code="CONTRACTS",
        title=text(_("Seven contracts")),
        stake="entry_fee",
        seats=SEATS,
        presets=("contract", "pagat", "no_buying", "multiple_buys", "deuces_wild"),
        is_for_events=True,
    ),
    Format(
        code="POINTS",
        title=text(_("One contract")),
        stake="per_point",
        seats=SEATS,
        presets=("single",),
    ),
)

_TITLES: Final = {
    "pagat": text(_("Contract Rummy, 12 cards from deal 4")),
    "no_buying": text(_("Contract Rummy without buying")),
    "multiple_buys": text(_("Contract Rummy, several buys")),
    "deuces_wild": text(_("Contract Rummy, deuces wild")),
}


def title_of(rules: ContractRules) -> Text:
    if rules.per_point:
        return text(_("Contract Rummy, one contract"))
    return _TITLES.get(rules.name, TITLE)


RULE_FACTS: Final[Sequence[RuleFact]] = (
    RuleFact(text(_("Deals")), "deals"),
    RuleFact(text(_("Cards of a hand, deal by deal")), "hand_sizes"),
    RuleFact(
        text(_("Jokers")),
        "jokers",
        words={
            "per_players": text(_("one fewer than players")),
            "all_printed": text(_("four")),
        },
    ),
    RuleFact(text(_("Deuces are wild")), "deuces_wild"),
    RuleFact(text(_("Buying")), "buying"),
    RuleFact(text(_("Buys of a player in a deal")), "max_buys"),
    RuleFact(text(_("Several cards may be bought in a turn")), "multiple_buys"),
    RuleFact(text(_("A joker in hand counts")), "joker_points"),
    RuleFact(text(_("An ace in hand counts")), "ace_points"),
    RuleFact(
        text(_("A number card in hand counts")),
        "number_points",
        words={"pips": text(_("its number")), "five": text(_("5 points"))},
    ),
    RuleFact(text(_("Points for each deal after leaving")), "leave_points"),
    RuleFact(text(_("Most points that a deal costs")), "max_points"),
    RuleFact(text(_("How often an empty closed deck is made anew")), "max_restocks"),
    RuleFact(text(_("Seconds for a turn")), "turn_seconds"),
    RuleFact(text(_("Extra seconds for the whole deal")), "extra_seconds"),
    RuleFact(text(_("Seconds to buy")), "buy_seconds"),
    RuleFact(text(_("Missed turns in a row, and the server plays")), "max_missed_turns"),
    RuleFact(text(_("Most turns of a player in a deal")), "max_turns"),
    RuleFact(text(_("Most minutes of a deal")), "max_minutes"),
)
