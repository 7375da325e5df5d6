"""A player's knowledge of a deal, read from the views that the seat receives."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.cards import CARD_BY_TEXT, FACES, Card, full_deck, is_joker, wild_rank
from games.indian.rules.ruleset import RuleSet, load_rules


@dataclass(frozen=True)
class IndianSight:
    seat: int
    rules: RuleSet
    public: Mapping[str, Any]
    hand: tuple[Card, ...]
    drawn_from_open: Card | None
    # The fourteenth card, in the player's own turn.
    drawn: Card | None = None

    @classmethod
    def of(cls, view: Mapping[str, Any], seat: int) -> "IndianSight":
        """Return what the seat knows, from a view that holds the public view, the seat's own view and the rules."""
        own = view["you"]
        return cls(
            seat=seat,
            rules=load_rules(view["rules"]),
            public=view["public"],
            hand=_read_cards(own["hand"]),
            drawn_from_open=CARD_BY_TEXT[own["drawn"]] if own["from_open"] else None,
            drawn=None if own["drawn"] is None else CARD_BY_TEXT[own["drawn"]],
        )

    @cached_property
    def wild(self) -> int | None:
        return wild_rank(CARD_BY_TEXT[self.public["wild"]])

    @property
    def open_card(self) -> Card | None:
        """The card that may be drawn from the open pile, or None."""
        drawable = self.public["open_drawable"]
        return CARD_BY_TEXT[self.public["open_pile"][-1]] if drawable else None

    @property
    def discardable(self) -> tuple[Card, ...]:
        """The cards that may be discarded (R4.5)."""
        if self.rules.may_return_open_card:
            return self.hand
        return tuple(card for card in self.hand if card != self.drawn_from_open)

    @property
    def me(self) -> Mapping[str, Any]:
        mine: Mapping[str, Any] = self.public["players"][str(self.seat)]
        return mine

    @cached_property
    def unseen(self) -> Counter[int]:
        """The number of cards of each face that the player has not seen, in the closed deck or in other hands."""
        packs = self.rules.packs_at(len(self.public["order"]))
        seen = {*self.hand, CARD_BY_TEXT[self.public["wild"]]}
        seen |= {CARD_BY_TEXT[card] for _, card in self.public["discards"]}
        seen |= set(_read_cards(self.public["open_pile"]))
        return Counter(card % FACES for card in full_deck(packs) if card not in seen)

    def is_joker(self, card: Card) -> bool:
        return is_joker(card, self.wild)


def _read_cards(texts: Sequence[str]) -> tuple[Card, ...]:
    return tuple(CARD_BY_TEXT[text] for text in texts)
