"""Reads a finished deal from its record: all cards before each move, and those that were seen."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.analysis.report import Reading, Step
from games.cards import CARD_BY_TEXT, CARDS, Card, full_deck, wild_rank
from games.indian.bots.playouts import Position
from games.indian.rules.ruleset import RuleSet, load_rules
from games.indian.rules.scoring import wrong_declaration_points


@dataclass(slots=True)
class Situation(Reading):
    """All cards of a deal at one moment, and what everybody has seen of them.

    Places are indices into the order of play. The order of the closed deck is unknown.
    """

    rules: RuleSet
    order: Sequence[int]
    wild_card: Card
    position: Position
    # For each place: cards taken from the open pile and still held; cards discarded, in order.
    taken: list[list[int]]
    thrown: list[list[int]]
    has_drawn: list[bool]
    # All cards that have been in the open pile; after a reshuffle some of them are hidden again.
    laid: set[int] = field(default_factory=set)
    reshuffles: int = 0
    finish: int | None = None

    @property
    def wild(self) -> int | None:
        return wild_rank(self.wild_card)

    def deck(self) -> tuple[Card, ...]:
        return full_deck(self.rules.packs_at(len(self.order)))

    def on_turn(self, event: Mapping[str, Any], step: Step) -> None:
        # A dataclass with slots is a new class, so a bare `super()` would refer to the original one.
        super(Situation, self).on_turn(event, step)
        self.finish = None

    def on_drawn(self, event: Mapping[str, Any], step: Step) -> None:
        position, place = self.position, self.place_of(event)
        position.from_open = event["source"] == "open"
        position.drawn = card = CARD_BY_TEXT[event["card"] if position.from_open else step["drew"]]
        position.is_first_turn = False
        position.hands[place].append(card)
        self.has_drawn[place] = True
        if position.from_open:
            position.open_pile.pop()
            self.taken[place].append(card)

    def on_discarded(self, event: Mapping[str, Any], _step: Step) -> None:
        card, place = CARD_BY_TEXT[event["card"]], self.place_of(event)
        if card in self.position.hands[place]:
            self._part_with(place, card)
        self.position.open_pile.append(card)
        self.thrown[place].append(card)
        self.laid.add(card)
        self.finish, self.position.drawn = None, None

    def on_finished(self, event: Mapping[str, Any], _step: Step) -> None:
        card = CARD_BY_TEXT[event["card"]]
        self._part_with(self.place_of(event), card)
        self.finish, self.position.drawn = card, None

    def _part_with(self, place: int, card: Card) -> None:
        self.position.hands[place].remove(card)
        if card in self.taken[place]:
            self.taken[place].remove(card)

    def cost_of_wrong(self, hand: Iterable[int]) -> int:
        """Return the points of a wrong declaration of this hand (R3.4)."""
        return wrong_declaration_points((CARDS[card] for card in hand), self.wild, self.rules)

    def on_dropped(self, event: Mapping[str, Any], _step: Step) -> None:
        self._take_out(event, event["points"])

    def on_declared(self, event: Mapping[str, Any], _step: Step) -> None:
        if not event["valid"]:
            hand = self.position.hands[self.place_of(event)]
            self._take_out(event, self.cost_of_wrong(hand))

    def _take_out(self, event: Mapping[str, Any], points: int) -> None:
        place = self.place_of(event)
        self.position.playing[place] = False
        self.position.lost[place] = points

    def on_reshuffled(self, _event: Mapping[str, Any], _step: Step) -> None:
        del self.position.open_pile[:-1]
        self.reshuffles += 1


def begin_situation(record: Mapping[str, Any]) -> Situation:
    """Return the deal as dealt, with its first player at turn."""
    order = record["order"]
    opened = CARD_BY_TEXT[record["open"]]
    places = len(order)
    position = Position(
        hands=[[CARD_BY_TEXT[card] for card in record["hands"][str(seat)]] for seat in order],
        closed=[],
        open_pile=[opened],
        playing=[True] * places,
        lost=[0] * places,
        turns=[1] + [0] * (places - 1),
        is_first_turn=True,
    )
    return Situation(
        rules=load_rules(record["rules"]),
        order=order,
        wild_card=CARD_BY_TEXT[record["wild"]],
        position=position,
        taken=[[] for _ in order],
        thrown=[[] for _ in order],
        has_drawn=[False] * places,
        laid={opened},
    )


def read_situations(record: Mapping[str, Any]) -> Iterator[tuple[int, Step, Situation]]:
    return begin_situation(record).steps(record)
