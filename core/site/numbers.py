"""Numbers that the operator changes while the site runs. They replace settings.

They are part of the cached site, so a change takes effect in all processes at once. Values that every move reads
are still settings.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from core.site.content import site

Group = Literal["chips", "tables", "programs", "cash"]
GROUPS: Final[Mapping[Group, Any]] = {
    "chips": _("Free chips"),
    "tables": _("Tables"),
    "programs": _("Programs"),
    "cash": _("Cash"),
}


@dataclass(frozen=True, slots=True)
class Number:
    """One of the operator's numbers, with its bounds. `help` names its unit."""

    group: Group
    label: Any
    help: Any
    least: int = 0
    most: int = 1_000_000_000


# The numbers, each by the name of the setting that holds its default.
NUMBERS: Final[Mapping[str, Number]] = {
    "WELCOME_CHIPS": Number(
        "chips", _("Chips for a new player"), _("Given once to each new player.")
    ),
    "PRACTICE_CHIPS": Number(
        "chips", _("Practice chips"), _("Given once a day to players who have too few.")
    ),
    "PRACTICE_CHIPS_BELOW": Number(
        "chips",
        _("Practice chips below"),
        _("Players with fewer chips than this may take practice chips."),
    ),
    "WELCOMES_OF_A_DEVICE": Number(
        "chips",
        _("Welcome chips per browser"),
        _(
            "How many accounts get them in 30 days; further accounts get theirs once their "
            "e-mail address is confirmed."
        ),
        least=1,
    ),
    "WELCOMES_OF_AN_ADDRESS": Number(
        "chips",
        _("Welcome chips per internet address"),
        _("How many accounts get them in a day."),
        least=1,
    ),
    "RELOADS_OF_A_DEVICE": Number(
        "chips", _("Practice chips per browser"), _("How many accounts get them in a day."), least=1
    ),
    "RELOADS_OF_AN_ADDRESS": Number(
        "chips",
        _("Practice chips per internet address"),
        _("How many accounts get them in a day."),
        least=1,
    ),
    "TABLES_AT_ONCE": Number(
        "tables", _("Tables per player at once"), _("Slow games are counted separately."), 1, 20
    ),
    "SLOW_TABLES_AT_ONCE": Number(
        "tables", _("Slow games per player at once"), _("Games with a day for each move."), 1, 100
    ),
    "BOT_TABLES_AT_ONCE": Number(
        "tables",
        _("Tables of a BOT account at once"),
        _("Tables with other BOTs and tables with people are counted together."),
        1,
        20,
    ),
    "CLUBS_EACH": Number("tables", _("Clubs per player"), _("Requests to join count too."), 1, 100),
    "CLUB_MEMBERS": Number(
        "tables", _("Members per club"), _("The most members that a club can have."), 2, 1_000
    ),
    "CHIPS_BETWEEN_TWO_A_DAY": Number(
        "tables",
        _("Chips between two players in a day"),
        _(
            "A player who has won this many chips from another is no longer seated with "
            "them that day. 0: no limit."
        ),
    ),
    "PROGRAMS_EACH": Number(
        "programs", _("OAuth programs per player"), _("0: players cannot create any."), 0, 100
    ),
    "WEBHOOKS_EACH": Number(
        "programs", _("Webhooks per player"), _("0: players cannot create any."), 0, 100
    ),
    "DEPOSIT_LEAST": Number("cash", _("Smallest deposit"), _("In paise."), least=100),
    "DEPOSIT_MOST": Number("cash", _("Largest deposit"), _("In paise."), least=100),
}


def number(name: str) -> int:
    """Return the operator's number of this name or, if it is blank, the setting that it replaces."""
    usual: int = getattr(settings, name)
    return site().numbers.get(name, usual)
