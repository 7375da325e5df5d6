"""A match as bytes: short, because every move reads and writes it, and versioned."""

import json
from functools import lru_cache
from typing import Final

from tables.games.contract.deal import Deal, How, Phase, Player, Status, Window
from tables.games.contract.match import Match, Stage
from tables.games.contract.rulesets import ContractRules, parse_rules, rules_changes
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
def _rules_text(rules: ContractRules) -> str:
    return json.dumps(rules_changes(rules))


@lru_cache(maxsize=256)  # at most 1 MB
def _rules_of(text: str) -> ContractRules:
    return parse_rules(json.loads(text))


_PLAYER: Final = Record(
    Player,
    groups=GROUPS,
    status=enum(Status),
    taken=CARDS_HEX,
    bought=CARDS_HEX,
    penalties=CARDS_HEX,
)
_WINDOW: Final = Record(Window, card=CARD, may=NUMBERS, answers=PAIRS)
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
    contract=NUMBERS,
    window=or_null(_WINDOW.codec),
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
