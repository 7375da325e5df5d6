"""The best melds of a hand, as help for its player and as a measure for the rules."""

from functools import lru_cache

from tables.games.cards import Card
from tables.games.gin.melding import Melding, arrange, arrange_eleven
from tables.games.gin.rulesets import HAND_SIZE


def best_of(hand: tuple[Card, ...], kept: Card | None) -> Melding:
    """The least deadwood of ten cards, or of eleven after the best discard, which is not `kept`."""
    return _best_of(tuple(sorted(hand)), kept)


@lru_cache(maxsize=1 << 12)  # at most 3 MB
def _best_of(hand: tuple[Card, ...], kept: Card | None) -> Melding:
    return arrange_eleven(hand, kept=kept) if len(hand) > HAND_SIZE else arrange(hand)
