"""A player's knowledge of a deal, read from the views that the seat receives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.cards import CARD_BY_TEXT, Card
from games.gin.bots.expert import GinKnowledge
from games.gin.bots.signs import GinSigns
from games.gin.rules.melding import mask_of
from games.gin.rules.ruleset import DECK_SIZE, GinRules, load_rules


@dataclass(frozen=True)
class GinSight:
    """A seat's views. Collections of cards are masks of 52 bits, as in `melding`."""

    seat: int
    rules: GinRules
    public: Mapping[str, Any]
    own: Mapping[str, Any]

    @classmethod
    def of(cls, view: Mapping[str, Any], seat: int) -> "GinSight":
        """Read a `view`, which must hold the public view, the seat's own view and the rules, and no more."""
        return cls(seat, load_rules(view["rules"]), view["public"], view["you"])

    @cached_property
    def hand(self) -> tuple[Card, ...]:
        return cards_of_texts(self.own["hand"])

    @property
    def other(self) -> int:
        first, second = self.public["order"]
        return int(second if first == self.seat else first)

    @property
    def open_card(self) -> Card | None:
        """The card that may be drawn from the open pile, or None."""
        pile = self.public["open_pile"]
        can_draw = bool(pile) and not self.public["must_draw_closed"]
        return CARD_BY_TEXT[pile[-1]] if can_draw else None

    @property
    def kept_card(self) -> Card | None:
        """The card that may not be discarded in this turn (G5), or None."""
        is_bound = self.own["from_open"] and not self.rules.may_return_open_card
        return CARD_BY_TEXT[self.own["drawn"]] if is_bound else None

    @property
    def limit(self) -> int:
        return int(self.public["knock_limit"])

    @cached_property
    def held_by_other(self) -> int:
        """The cards that the opponent took from the open pile and has not discarded, as a mask."""
        taken = mask_of(cards_of_texts(self.public["taken"][str(self.other)]))
        thrown = mask_of(
            CARD_BY_TEXT[card] for seat, card in self.public["discards"] if seat == self.other
        )
        return taken & ~thrown

    @cached_property
    def refused(self) -> tuple[Card, ...]:
        """The cards that the opponent could have taken from the open pile and did not."""
        public = self.public
        taken = {CARD_BY_TEXT[card] for cards in public["taken"].values() for card in cards}
        thrown = [CARD_BY_TEXT[card] for seat, card in public["discards"] if seat == self.seat]
        upcard = CARD_BY_TEXT[public["upcard"]]
        return tuple(card for card in (upcard, *thrown) if card not in taken)

    @cached_property
    def gone(self) -> int:
        """The mask of the cards that lie in the open pile, as far as the player sees them."""
        return mask_of(cards_of_texts(self.public["open_pile"]))

    @cached_property
    def hidden(self) -> int:
        """The cards that this player has not seen. They are in the closed deck or in the opponent's hand."""
        thrown = mask_of({CARD_BY_TEXT[card] for _, card in self.public["discards"]})
        upcard = mask_of([CARD_BY_TEXT[self.public["upcard"]]])
        seen = mask_of(self.hand) | self.held_by_other | self.gone | thrown | upcard
        return ((1 << DECK_SIZE) - 1) & ~seen

    @cached_property
    def known(self) -> GinKnowledge:
        """The knowledge on which an expert bases its decisions."""
        public = self.public
        thrown = [CARD_BY_TEXT[card] for seat, card in public["discards"] if seat == self.other]
        # The player who begins is offered the upcard first.
        refused = self.refused if public["turn_number"] > 1 else ()
        return GinKnowledge(
            rules=self.rules,
            limit=self.limit,
            hand=mask_of(self.hand),
            hidden=self.hidden,
            signs=GinSigns(self.held_by_other, tuple(thrown), refused, len(thrown)),
            turn=(public["turn_number"] + 1) // 2,
            closed_count=public["closed_count"],
            open_card=self.open_card,
            kept=0 if self.kept_card is None else mask_of([self.kept_card]),
        )


def cards_of_texts(texts: Sequence[str]) -> tuple[Card, ...]:
    return tuple(CARD_BY_TEXT[text] for text in texts)
