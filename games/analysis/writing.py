"""Cards as people read them in analyses."""

from typing import Final

from games.cards import FACE_TEXT, FACES

_SIGNS: Final = str.maketrans("SHDC", "♠♥♦♣")


def write_card(card: int | None) -> str:
    """Write a card for people: "9♦", "10♠"; a printed joker is "PJ", and None is an empty string."""
    if card is None:
        return ""
    name = FACE_TEXT[card % FACES]
    if name == "PJ":
        return "PJ"
    return name.translate(_SIGNS).replace("T", "10")
