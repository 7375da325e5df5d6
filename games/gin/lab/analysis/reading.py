"""Reads a finished deal from its record, up to each move: all cards, and those that were seen."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.analysis.report import Reading, Step
from games.cards import CARD_BY_TEXT, Card
from games.gin.bots.playouts import Position
from games.gin.bots.signs import Signs
from games.gin.rules.melding import BIT, mask_of
from games.gin.rules.melds import Groups
from games.gin.rules.ruleset import DECK_SIZE, GinRules, load_rules
from games.gin.rules.state import knock_limit

ALL: Final = (1 << DECK_SIZE) - 1


@dataclass(slots=True)
class Situation(Reading):
    """All cards of a deal at one moment, and what both players have seen of them.

    Places are indices into the order of play. The order of the closed deck is not known, and
    `position.closed` is empty. The lists by place hold what was taken and is still held (a mask), was
    thrown, and was let lie.
    """

    rules: GinRules
    order: Sequence[int]
    upcard: Card
    position: Position
    held: list[int]
    thrown: list[list[int]]
    refused: list[list[int]]
    # Of the player who knocked, if anybody has.
    melds: Groups | None = None
    knock: Mapping[str, Any] | None = None

    @property
    def limit(self) -> int:
        return knock_limit(self.upcard, self.rules)

    def find_hidden_from(self, place: int) -> int:
        """Return the cards that this place has not seen."""
        position = self.position
        seen = position.hands[place] | self.held[1 - place] | mask_of(position.open_pile)
        return ALL & ~seen

    def read_signs(self, place: int) -> Signs:
        """Return the opponent's signs as this place has seen them."""
        other = 1 - place
        thrown = tuple(self.thrown[other])
        return Signs(self.held[other], thrown, tuple(self.refused[other]), len(thrown))

    def list_closed(self) -> list[int]:
        """Return the cards of the closed deck, in no order. After a knock one of them lies face down."""
        position = self.position
        elsewhere = position.hands[0] | position.hands[1] | mask_of(position.open_pile)
        return [card for card in range(DECK_SIZE) if not BIT[card] & elsewhere]

    def on_passed(self, event: Mapping[str, Any], _step: Step) -> None:
        place = self.place_of(event)
        self.refused[place].append(self.position.open_pile[-1])
        if place == 1:
            self.position.is_offered, self.position.must_draw_closed = False, True

    def on_drawn(self, event: Mapping[str, Any], step: Step) -> None:
        position, place = self.position, self.place_of(event)
        position.from_open = event["source"] == "open"
        position.drawn = card = CARD_BY_TEXT[event["card"] if position.from_open else step["drew"]]
        position.hands[place] |= BIT[card]
        if position.from_open:
            position.open_pile.pop()
            self.held[place] |= BIT[card]
        elif position.open_pile and not position.must_draw_closed:
            self.refused[place].append(position.open_pile[-1])
        position.is_offered = position.must_draw_closed = False

    def on_discarded(self, event: Mapping[str, Any], _step: Step) -> None:
        card, place = CARD_BY_TEXT[event["card"]], self.place_of(event)
        self.position.hands[place] &= ~BIT[card]
        self.held[place] &= ~BIT[card]
        self.position.open_pile.append(card)
        self.thrown[place].append(card)
        self.position.drawn, self.position.from_open = None, False

    def on_knocked(self, event: Mapping[str, Any], step: Step) -> None:
        self.knock = event
        self.melds = tuple(tuple(CARD_BY_TEXT[card] for card in group) for group in event["groups"])
        down = step["move"]["card"]
        if down is not None:
            self.position.hands[self.place_of(event)] &= ~BIT[CARD_BY_TEXT[down]]


def begin_situation(record: Mapping[str, Any]) -> Situation:
    """Return the deal as dealt, with its first player asked about the upcard."""
    order = record["order"]
    upcard = CARD_BY_TEXT[record["open"]]
    position = Position(
        hands=[
            mask_of(CARD_BY_TEXT[card] for card in record["hands"][str(seat)]) for seat in order
        ],
        closed=[],
        open_pile=[upcard],
        turns=[1, 0],
        is_offered=True,
    )
    return Situation(
        rules=load_rules(record["rules"]),
        order=order,
        upcard=upcard,
        position=position,
        held=[0, 0],
        thrown=[[], []],
        refused=[[], []],
    )


def read_situations(record: Mapping[str, Any]) -> Iterator[tuple[int, Step, Situation]]:
    return begin_situation(record).steps(record)
