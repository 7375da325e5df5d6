"""The words of Rummikub for people: names, and the numbers of its rule sets."""

from collections.abc import Sequence
from typing import Final

from tables.games.base import Format, RuleFact, Text
from tables.games.rummikub.rulesets import POINTS, SEATS, RummikubRules
from tables.games.wording import gettext_noop as _
from tables.games.wording import text

TITLE: Final = text(_("Rummikub"))

FORMATS: Final = (
    Format(
        code="POINTS",
        title=text(_("Points Rummikub")),
        stake="per_point",
        seats=SEATS,
        presets=("points", "sabra30", "modern"),
    ),
    Format(
        code="DEALS",
        title=text(_("Rummikub session")),
        stake="entry_fee",
        seats=SEATS,
        presets=("session4", "modern4"),
        is_for_events=True,
    ),
)


def title_of(rules: RummikubRules) -> Text:
    is_modern = rules.joker_melds == "free"
    if not rules.is_per_point:
        session = (
            _("Modern Rummikub, %(deals)s deals") if is_modern else _("Rummikub, %(deals)s deals")
        )
        return text(session, deals=rules.deals)
    if is_modern:
        return text(_("Modern Rummikub"))
    if rules.initial_meld == POINTS.initial_meld:
        return text(_("Points Rummikub"))
    return text(_("Rummikub, %(points)s points to begin"), points=rules.initial_meld)


RULE_FACTS: Final[Sequence[RuleFact]] = (
    RuleFact(text(_("Tiles on a rack")), "rack_size"),
    RuleFact(text(_("Points of the initial meld")), "initial_meld"),
    RuleFact(text(_("The table may be used with the initial meld")), "open_then_play"),
    RuleFact(
        text(_("A meld with a joker on the table")),
        "joker_melds",
        words={"frozen": text(_("may not be rearranged")), "free": text(_("may be rearranged"))},
    ),
    RuleFact(
        text(_("The tile that takes a joker's place comes from")),
        "swap_from",
        words={"rack": text(_("your rack")), "anywhere": text(_("your rack or the table"))},
    ),
    RuleFact(
        text(_("A joker in a group of three is freed by")),
        "group_swap",
        words={
            "one": text(_("one of the two missing tiles")),
            "both": text(_("both missing tiles")),
        },
    ),
    RuleFact(text(_("What a joker on a rack counts")), "joker_points"),
    RuleFact(text(_("What a rack counts at most")), "max_points"),
    RuleFact(text(_("Deals of a session")), "deals"),
    RuleFact(text(_("Seconds for a turn")), "turn_seconds"),
    RuleFact(text(_("Tiles drawn when the time has run out")), "overtime_tiles"),
    RuleFact(text(_("Tiles drawn for a table that is not valid then")), "invalid_tiles"),
    RuleFact(text(_("Missed turns in a row that end the deal for a player")), "max_missed_turns"),
    RuleFact(text(_("Most turns of a player in a deal")), "max_turns"),
    RuleFact(text(_("Most minutes of a deal")), "max_minutes"),
)
