"""A bot's seat at a game with melds on the table, read back from its views."""

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.cards import CARD_BY_TEXT, FACE_RANK, Card, parse_face
from games.engine.melds import Meld


class Bot:
    """A bot's view of the match, and its whims. `skill` has `forgets`: how often it lays nothing, in percent."""

    def __init__(
        self, view: Mapping[str, Any], seat: int, rules: Any, skill: Any, rng: random.Random
    ) -> None:
        self.public: Mapping[str, Any] = view["public"]
        self.own: Mapping[str, Any] = view["you"]
        self.rules, self.seat, self.skill, self.rng = rules, seat, skill, rng
        self.hand = cards_of_texts(self.own["hand"])
        self.melds = melds_of(self.public)

    def happens(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    def forgets_in_this_turn(self) -> bool:
        """Return the same answer for the whole turn, whatever has been laid in it."""
        name = f"{self.seat} {self.public['turn_number']} {self.own['drawn']}"
        return bool(random.Random(name).randrange(100) < self.skill.forgets)  # noqa: S311 - a whim

    @property
    def kept_card(self) -> Card | None:
        """The card that may not be discarded in this turn."""
        is_bound = self.own["from_open"] and not self.rules.may_return_open_card
        return CARD_BY_TEXT[self.own["drawn"]] if is_bound else None


def cards_of_texts(texts: Iterable[str]) -> tuple[Card, ...]:
    return tuple(CARD_BY_TEXT[text] for text in texts)


def melds_of(public: Mapping[str, Any]) -> tuple[Meld, ...]:
    """Return the melds on the table, as the rules have them."""
    return tuple(_meld(shown) for shown in public["melds"])


def _meld(shown: Mapping[str, Any]) -> Meld:
    faces = tuple(parse_face(face) for face in shown["as"])
    start = 0 if shown["kind"] == "set" else FACE_RANK[faces[0]]
    return Meld(cards_of_texts(shown["cards"]), faces, tuple(shown["by"]), start)


def find_certain_cards(public: Mapping[str, Any], seat: int) -> set[Card]:
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
