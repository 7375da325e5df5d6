"""States of Rummikub as bytes."""

from typing import Final

from games.cards import CARDS
from games.engine.codec import Stored
from games.engine.version_1 import HEAD, Version1
from games.rummikub.rules.match import Match
from games.rummikub.rules.melds import Meld
from games.rummikub.rules.ruleset import RULES

# The fields of version 1, in their order.
_FIELDS: Final = {
    "Match": "rules seats deal number stage due_at sheet left winners",
    "Deal": (
        "seed players table pool started_at due_at toss phase turn turn_number passes last_lay how"
    ),
    "Player": "seat rack has_opened status draft rev missed turns drawn lost",
    "Laid": "seat from_rack moved points",
    "Line": "deal how winners counts scores",
}


def _meld(text: str) -> Meld:
    """Read the tiles of a meld, then what they stand for if it has jokers."""
    tiles, _, faces = text.partition(".")
    cards = tuple(CARDS[number] for number in bytes.fromhex(tiles))
    stands = tuple(bytes.fromhex(faces)) if faces else tuple(card.face for card in cards)
    return Meld(cards, stands)


_VERSION_1: Final = Version1(Match, fields=_FIELDS, rules=RULES.parse, readers={Meld: _meld})
STORED: Final = Stored(Match, version=2, earlier={HEAD: _VERSION_1.load})
