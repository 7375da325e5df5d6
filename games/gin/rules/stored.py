"""States of gin as bytes."""

from typing import Any, Final

from games.engine.codec import Stored
from games.engine.version_1 import HEAD, Version1
from games.gin.rules.match import Match
from games.gin.rules.ruleset import RULES

# The fields of version 1, in their order.
_FIELDS: Final = {
    "Match": "rules deal number stage due_at sheet left winners",
    "Deal": (
        "seed players upcard closed open_pile started_at due_at toss discards phase turn"
        " turn_number drawn drawn_from_open must_draw_closed knock outcome"
    ),
    "Player": "seat groups extra_ms rev missed turns taken",
    "Knocked": "seat kind card groups loose points",
    "Outcome": "how winner points hands lay_offs",
    "Laid": "groups loose deadwood",
    "Line": "deal dealer how winner points deadwoods",
}


def _amend(values: dict[str, Any]) -> None:
    _seed, players, *_rest = values["deal"]
    values["seats"] = [seat for seat, *_rest in players]
    values["left"] = [] if values["left"] is None else [values["left"]]


STORED: Final = Stored(
    Match,
    version=2,
    earlier={HEAD: Version1(Match, fields=_FIELDS, rules=RULES.parse, amend=_amend).load},
)
