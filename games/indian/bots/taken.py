"""Counts the cards that players took from the open pile. The views do not report other players' earlier draws."""

from collections.abc import Mapping
from typing import Any

from games.cards import CARD_BY_TEXT, FACES
from games.indian.rules.ruleset import HAND_SIZE, RuleSet


def count_taken(public: Mapping[str, Any], rules: RuleSet) -> dict[int, int]:
    """Return for each seat how many discards it has taken, from the public view of a deal.

    After a reshuffle, only discards that were made since then are counted.
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
    """Return whether the closed deck has been reshuffled.

    This is judged by the number of draws, and by how many discards are `gone` from the open pile. The first reshuffle
    comes only when there have been as many draws as the deck had cards.
    """
    seats = len(public["order"])
    dealt = rules.packs_at(seats) * FACES - seats * HAND_SIZE - 2
    return draws >= dealt and gone > draws / 2
