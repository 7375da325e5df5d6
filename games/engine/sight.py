"""Melds and cards read back from a seat's views."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.cards import CARD_BY_TEXT, FACE_RANK, Card, parse_face
from games.engine.melds import Meld


def cards_of_texts(texts: Iterable[str]) -> tuple[Card, ...]:
    return tuple(CARD_BY_TEXT[text] for text in texts)


def melds_of(public: Mapping[str, Any]) -> tuple[Meld, ...]:
    """Return the melds on the table, as the rules have them."""
    return tuple(_meld(shown) for shown in public["melds"])


def _meld(shown: Mapping[str, Any]) -> Meld:
    faces = tuple(parse_face(face) for face in shown["as"])
    start = 0 if shown["kind"] == "set" else FACE_RANK[faces[0]]
    return Meld(cards_of_texts(shown["cards"]), faces, tuple(shown["by"]), start)


def held_for_certain(public: Mapping[str, Any], seat: int) -> set[Card]:
    """Return the cards that this seat drew from the open pile and has not discarded or laid since."""
    lying = {card for meld in public["melds"] for card in meld["cards"]}
    lying |= set(public["open_pile"]) | {card for _, card in public["discards"]}
    return set(cards_of_texts(card for card in public["taken"][str(seat)] if card not in lying))


def seat_after(public: Mapping[str, Any], seat: int) -> int | None:
    """Return the seat of the next player who is still playing, or None."""
    order: Sequence[int] = public["order"]
    place = order.index(seat)
    following = (*order[place + 1 :], *order[:place])
    playing = (other for other in following if public["players"][str(other)]["cards"])
    return next(playing, None)
