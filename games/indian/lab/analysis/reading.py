"""Reads a finished deal from its record: all cards before each move, and those that every player had seen by then."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from games.analysis.situations import DeckSituation, Event, Step
from games.cards import CARD_BY_TEXT, CARDS, Card, wild_rank
from games.indian.bots.playouts import IndianPosition
from games.indian.rules.ruleset import RuleSet
from games.indian.rules.scoring import wrong_declaration_points
from games.indian.rules.state import drop_points


@dataclass
class IndianSituation(DeckSituation):
    """All cards of a deal at one moment, and the cards that everybody has seen."""

    rules: RuleSet
    position: IndianPosition
    wild_card: Card
    has_drawn: list[bool]
    finish: int | None = None

    @property
    def wild(self) -> int | None:
        return wild_rank(self.wild_card)

    @property
    def drop_points(self) -> int | None:
        """The points that a drop costs now, or None if the rules have no drops."""
        return drop_points(self.rules, has_drawn=self.has_drawn[self.position.turn])

    def list_aside(self) -> Collection[int | None]:
        return self.wild_card, self.finish

    def cost_of_wrong(self, hand: Iterable[int]) -> int:
        """Return the points that a wrong declaration of this hand costs (R3.4)."""
        return wrong_declaration_points((CARDS[card] for card in hand), self.wild, self.rules)

    def on_turn(self, event: Event, step: Step) -> None:
        super().on_turn(event, step)
        self.finish = None

    def on_drawn(self, event: Event, step: Step) -> None:
        super().on_drawn(event, step)
        self.position.is_first_turn = False
        self.has_drawn[self.get_place(event)] = True

    def on_discarded(self, event: Event, step: Step) -> None:
        super().on_discarded(event, step)
        self.finish = None

    def on_finished(self, event: Event, _step: Step) -> None:
        self.finish = CARD_BY_TEXT[event["card"]]
        self.remove_cards(self.get_place(event), [self.finish])
        self.position.drawn = None

    def on_declared(self, event: Event, _step: Step) -> None:
        if not event["valid"]:
            hand = self.position.hands[self.get_place(event)]
            self.take_out(event, self.cost_of_wrong(hand))
