"""The jokers of a deal (R1.4)."""

from games.cards import ACE, PRINTED_JOKER, Card


def wild_rank(indicator: Card | None) -> int | None:
    """Return the rank of the wild jokers. A printed joker on the indicator makes aces wild."""
    if indicator is None:
        return None
    return ACE if indicator.face == PRINTED_JOKER else indicator.rank


def is_joker(card: Card, wild: int | None) -> bool:
    return card.face == PRINTED_JOKER or card.rank == wild
