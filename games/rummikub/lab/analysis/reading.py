"""A finished deal read from its record: racks, table and pool before each move."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.analysis.report import Reading, Step
from games.cards import CARD_BY_TEXT, Card
from games.rummikub.rules.laying import Stand
from games.rummikub.rules.melds import DECK, Melds, cards_of, read_table
from games.rummikub.rules.ruleset import RummikubRules, load_rules


@dataclass(slots=True)
class Position:
    """Places are indices into the order of play. `turns` counts the turns that each has begun."""

    racks: list[set[Card]]
    table: Melds = ()
    has_opened: list[bool] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    turn: int = 0
    drawn: Card | None = None


@dataclass(slots=True)
class Situation(Reading):
    """All tiles of a deal at one moment. The order of the pool is not known."""

    rules: RummikubRules
    order: Sequence[int]
    position: Position

    def stand(self, place: int, *more: Card) -> Stand:
        """Return what this place may lay from, with more tiles on its rack."""
        position = self.position
        rack = tuple(sorted((*position.racks[place], *more)))
        return Stand(position.table, rack, position.has_opened[place], self.rules)

    def list_hidden_from(self, place: int) -> list[Card]:
        """Return the tiles of the pool and of the other racks."""
        seen = self.position.racks[place].union(cards_of(self.position.table))
        return [card for card in DECK if card not in seen]

    def pool(self) -> list[Card]:
        elsewhere = set(cards_of(self.position.table)).union(*self.position.racks)
        return [card for card in DECK if card not in elsewhere]

    def on_laid(self, event: Mapping[str, Any], _step: Step) -> None:
        place = self.place_of(event)
        self.position.table = read_table(event["table"])
        self.position.racks[place] -= {CARD_BY_TEXT[card] for card in event["from_rack"]}
        self.position.has_opened[place] = True

    def on_drawn(self, event: Mapping[str, Any], step: Step) -> None:
        self.position.racks[self.place_of(event)] |= {CARD_BY_TEXT[card] for card in step["drew"]}


def begin_situation(record: Mapping[str, Any]) -> Situation:
    """Return the deal as dealt, with its first player at turn."""
    order = record["order"]
    racks = [{CARD_BY_TEXT[card] for card in record["hands"][str(seat)]} for seat in order]
    others = len(order) - 1
    position = Position(racks, has_opened=[False] * len(order), turns=[1] + [0] * others)
    return Situation(rules=load_rules(record["rules"]), order=order, position=position)


def read_situations(record: Mapping[str, Any]) -> Iterator[tuple[int, Step, Situation]]:
    return begin_situation(record).steps(record)
