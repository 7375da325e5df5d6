"""Reads a finished deal from its record: all cards before each move, and the cards that were seen."""

from dataclasses import dataclass
from typing import Final

from games.analysis.situations import DealSituation, Event, Step
from games.cards import CARD_BY_TEXT, Card
from games.gin.bots.playouts import GinPosition
from games.gin.bots.signs import GinSigns
from games.gin.rules.melding import BIT, cards_of, mask_of
from games.gin.rules.melds import Groups
from games.gin.rules.ruleset import DECK_SIZE, GinRules
from games.gin.rules.state import knock_limit

ALL: Final = (1 << DECK_SIZE) - 1


@dataclass
class GinSituation(DealSituation):
    """All cards of a deal at one moment, and the cards that both players have seen.

    The order of the closed deck is unknown, and `position.closed` is empty. Three lists have an entry for each player:
    `held` the mask of the cards taken from the open pile and still held, `discards` the cards discarded, and `refused`
    the open cards that the player did not take.
    """

    rules: GinRules
    position: GinPosition
    upcard: Card
    held: list[int]
    discards: list[list[int]]
    refused: list[list[int]]
    # The melds and the knock of the player who knocked, if any.
    melds: Groups | None = None
    knock: Event | None = None

    @property
    def opened(self) -> int | None:
        return self.position.open_pile[-1] if self.position.open_pile else None

    @property
    def kept(self) -> int:
        """The card that may not be discarded because it was just taken from the open pile, as a mask (G5)."""
        position = self.position
        bound = position.from_open and not self.rules.may_return_open_card
        return BIT[position.drawn] if bound and position.drawn is not None else 0

    def list_taken(self, place: int) -> tuple[Card, ...]:
        """Return the cards that the player at `place` took from the open pile and still holds."""
        return cards_of(self.held[place])

    def find_next_place(self, place: int) -> int:
        return 1 - place

    def list_hand(self, place: int) -> tuple[Card, ...]:
        return cards_of(self.position.hands[place])

    @property
    def limit(self) -> int:
        return knock_limit(self.upcard, self.rules)

    def find_hidden_from(self, place: int) -> int:
        """Return, as a mask, the cards that the player at `place` cannot see."""
        position = self.position
        seen = position.hands[place] | self.held[1 - place] | mask_of(position.open_pile)
        return ALL & ~seen

    def read_signs(self, place: int) -> GinSigns:
        """Return what the player at `place` has seen of the opponent's play."""
        other = 1 - place
        thrown = tuple(self.discards[other])
        return GinSigns(self.held[other], thrown, tuple(self.refused[other]), len(thrown))

    def list_closed(self) -> list[int]:
        """Return the cards of the closed deck in no particular order.

        After a knock one of them is the knocker's face-down card.
        """
        position = self.position
        elsewhere = position.hands[0] | position.hands[1] | mask_of(position.open_pile)
        return [card for card in range(DECK_SIZE) if not BIT[card] & elsewhere]

    def on_passed(self, event: Event, _step: Step) -> None:
        place = self.get_place(event)
        self.refused[place].append(self.position.open_pile[-1])
        if place == 1:
            self.position.is_offered, self.position.must_draw_closed = False, True

    def on_drawn(self, event: Event, _step: Step) -> None:
        position, place = self.position, self.get_place(event)
        position.from_open = event["source"] == "open"
        position.drawn = position.open_pile.pop() if position.from_open else self.drew.pop(0)
        position.hands[place] |= BIT[position.drawn]
        if position.from_open:
            self.held[place] |= BIT[position.drawn]
        elif position.open_pile and not position.must_draw_closed:
            self.refused[place].append(position.open_pile[-1])
        position.is_offered = position.must_draw_closed = False

    def on_discarded(self, event: Event, _step: Step) -> None:
        card, place = CARD_BY_TEXT[event["card"]], self.get_place(event)
        self.position.hands[place] &= ~BIT[card]
        self.held[place] &= ~BIT[card]
        self.position.open_pile.append(card)
        self.discards[place].append(card)
        self.position.drawn, self.position.from_open = None, False

    def on_knocked(self, event: Event, step: Step) -> None:
        self.knock = event
        self.melds = tuple(tuple(CARD_BY_TEXT[card] for card in group) for group in event["groups"])
        down = step["move"]["card"]
        if down is not None:
            self.position.hands[self.get_place(event)] &= ~BIT[CARD_BY_TEXT[down]]
