"""Which cards are jokers in a deal (R1.4)."""

from games.cards import ACE, PRINTED_JOKER, Card


def wild_rank(indicator: Card | None) -> int | None:
    """The rank whose cards are wild jokers; a printed joker turned up makes it the aces."""
    if indicator is None:
        return None
    return ACE if indicator.face == PRINTED_JOKER else indicator.rank


def is_joker(card: Card, wild: int | None) -> bool:
    return card.face == PRINTED_JOKER or card.rank == wild
