"""Public facts of buying; the others are those of `tables.games.rummy.events`."""

from collections.abc import Sequence

from tables.games.base import Event, Instant
from tables.games.cards import CARD_TEXT, Card
from tables.games.rummy.melds import Meld


def offered(card: Card, may: Sequence[int], due_at: Instant) -> Event:
    """The others may buy the upcard (C7); `seats` are in order of play."""
    return Event("offered", {"card": CARD_TEXT[card], "seats": list(may), "due_at": due_at})


def bought(seat: int, card: Card, wanted: Sequence[int]) -> Event:
    """`wanted`: everybody who has asked for it (C20)."""
    return Event("bought", {"seat": seat, "card": CARD_TEXT[card], "wanted": list(wanted)})


def unsold(card: Card, wanted: Sequence[int]) -> Event:
    return Event("unsold", {"card": CARD_TEXT[card], "wanted": list(wanted)})


def swapped_joker(seat: int, number: int, card: Card, joker: Card, to: str) -> Event:
    return Event(
        "swapped_joker",
        {
            "seat": seat,
            "meld": number,
            "card": CARD_TEXT[card],
            "joker": CARD_TEXT[joker],
            "to": to,
        },
    )


def contract_laid(seat: int, first: int, melds: Sequence[Meld], word_for_run: str) -> Event:
    """`first` is the number of the first of these melds on the table."""
    return Event(
        "contract_laid",
        {"seat": seat, "first": first, "melds": [meld.json(word_for_run) for meld in melds]},
    )
