"""A match as bytes: short, because every move reads and writes it, and versioned."""

import json
from functools import lru_cache
from typing import Final

from tables.games.basic.deal import Deal, How, Phase, Player, Status
from tables.games.basic.match import Match, Stage
from tables.games.basic.rulesets import BasicRules, parse_rules, rules_changes
from tables.games.rummy.match import Line
from tables.games.rummy.stored import (
    BYTES,
    CARD,
    CARDS_HEX,
    DISCARDS,
    GROUPS,
    MELD,
    NUMBERS,
    PAIRS,
    Codec,
    Record,
    Stored,
    each,
    enum,
    or_null,
)


@lru_cache(maxsize=256)  # at most 1 MB
def _rules_text(rules: BasicRules) -> str:
    return json.dumps(rules_changes(rules))


@lru_cache(maxsize=256)  # at most 1 MB
def _rules_of(text: str) -> BasicRules:
    return parse_rules(json.loads(text))


_PLAYER: Final = Record(Player, groups=GROUPS, status=enum(Status), taken=CARDS_HEX)
_DEAL: Final = Record(
    Deal,
    seed=BYTES,
    players=each(_PLAYER.codec),
    closed=CARDS_HEX,
    open_pile=CARDS_HEX,
    toss=or_null(CARDS_HEX),
    discards=DISCARDS,
    melds=each(MELD),
    phase=enum(Phase),
    drawn=or_null(CARD),
    how=or_null(enum(How)),
)
_LINE: Final = Record(Line, winners=NUMBERS, points=PAIRS)
_MATCH: Final = Record(
    Match,
    rules=Codec(_rules_text, _rules_of),
    deal=_DEAL.codec,
    seats=NUMBERS,
    stage=enum(Stage),
    sheet=each(_LINE.codec),
    left=NUMBERS,
    winners=NUMBERS,
)
STORED: Final = Stored(1, _MATCH)
