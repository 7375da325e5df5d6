"""A finished deal read from its record: racks, table and pool before each move."""

from dataclasses import dataclass, field

from games.analysis.situations import DealSituation, Event, Step
from games.cards import CARD_BY_TEXT, Card
from games.rummikub.rules.laying import Stand
from games.rummikub.rules.melds import DECK, Melds, cards_of, read_table
from games.rummikub.rules.ruleset import RummikubRules


@dataclass(slots=True)
class RummikubPosition:
    """A position in a deal: racks, table, and whose turn it is.

    A `place` is a player's index in the order of play; lists have an entry for each place, and `turn` is the place
    whose turn it is. `turns` counts the turns that each player has begun.
    """

    racks: list[set[Card]]
    table: Melds = ()
    has_opened: list[bool] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    turn: int = 0
    drawn: Card | None = None


@dataclass
class RummikubSituation(DealSituation):
    """All tiles of a deal at one moment. The order of the pool is unknown."""

    rules: RummikubRules
    position: RummikubPosition

    def list_hand(self, place: int) -> list[Card]:
        return sorted(self.position.racks[place])

    def stand(self, place: int, *more: Card) -> Stand:
        """Return the position of the player at `place` before a lay, with `more` tiles added to the rack."""
        position = self.position
        rack = tuple(sorted((*position.racks[place], *more)))
        return Stand(position.table, rack, position.has_opened[place], self.rules)

    def list_hidden_from(self, place: int) -> list[Card]:
        """Return the tiles that the player at `place` cannot see: those of the pool and of the other racks."""
        seen = self.position.racks[place].union(cards_of(self.position.table))
        return [card for card in DECK if card not in seen]

    def pool(self) -> list[Card]:
        elsewhere = set(cards_of(self.position.table)).union(*self.position.racks)
        return [card for card in DECK if card not in elsewhere]

    def on_laid(self, event: Event, _step: Step) -> None:
        place = self.get_place(event)
        self.position.table = read_table(event["table"])
        self.position.racks[place] -= {CARD_BY_TEXT[card] for card in event["from_rack"]}
        self.position.has_opened[place] = True

    def on_drawn(self, event: Event, _step: Step) -> None:
        self.position.racks[self.get_place(event)].update(self.drew)
