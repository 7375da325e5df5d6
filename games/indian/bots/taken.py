"""Counts the cards that each player took from the open pile.

The views do not report earlier draws of other players, so these are found by the discards that have left the pile.
"""

from collections.abc import Mapping
from typing import Any

from games.cards import CARD_BY_TEXT, FACES
from games.indian.rules.ruleset import HAND_SIZE, RuleSet


def count_taken(public: Mapping[str, Any], rules: RuleSet) -> dict[int, int]:
    """Return, by seat, how many discards the seat has taken from the open pile, judged by the public view.

    After a reshuffle, only discards that were made since then are counted. The first open card is never counted.
    """
    discards = [(seat, CARD_BY_TEXT[text]) for seat, text in public["discards"]]
    pile = {CARD_BY_TEXT[text] for text in public["open_pile"]}
    last = {card: index for index, (_, card) in enumerate(discards)}
    gone = [
        index for index, (_, card) in enumerate(discards) if last[card] != index or card not in pile
    ]
    if _is_reshuffled(public, rules, len(discards), len(gone)):
        bottom = min((last[card] for card in pile if card in last), default=len(discards))
        gone = [index for index in gone if index >= bottom]
    taken = dict.fromkeys(public["order"], 0)
    for index in gone:
        taker = discards[index + 1][0] if index + 1 < len(discards) else public["turn"]
        if taker in taken:
            taken[taker] += 1
    return taken


def _is_reshuffled(public: Mapping[str, Any], rules: RuleSet, draws: int, gone: int) -> bool:
    """Return whether the closed deck seems to have been refilled from the open pile (R4.6).

    `draws` is the number of draws so far, and `gone` the number of discards that are no longer on the open pile. A deck
    is refilled only after as many draws as it had cards, and most discards are gone then.
    """
    seats = len(public["order"])
    dealt = rules.packs_at(seats) * FACES - seats * HAND_SIZE - 2
    return draws >= dealt and gone > draws / 2
