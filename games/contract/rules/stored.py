"""States of Contract Rummy as bytes."""

from typing import Final

from games.contract.rules.match import Match
from games.contract.rules.ruleset import RULES
from games.engine.codec import Stored
from games.engine.version_1 import HEAD, Version1

# The fields of version 1, in their order.
_FIELDS: Final = {
    "Match": "rules deal seats number stage due_at sheet left winners",
    "Deal": (
        "seed players closed open_pile started_at due_at toss discards melds phase turn"
        " turn_number drawn drawn_from_open laid restocks how contract is_whole window"
    ),
    "Player": (
        "seat groups extra_ms rev status missed turns laid_in taken points"
        " buys never_buy bought penalties has_played was_absent"
    ),
    "Window": "card may answers last_buyer silent",
    "Meld": "cards faces by start",
    "Line": "deal dealer how winners points",
}


STORED: Final = Stored(
    Match, version=2, earlier={HEAD: Version1(Match, fields=_FIELDS, rules=RULES.parse).load}
)
