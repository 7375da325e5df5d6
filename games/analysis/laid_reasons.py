"""The reasons for a loss, in games with melds on the table."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

from games.analysis.explanations import CardExplanation
from games.analysis.writing import write_card
from games.engine.base import Text, text
from games.engine.base import gettext_noop as _


class LaidExplanation(CardExplanation):
    """Explains decisions to lay cards, and cards that fit on the table. A game provides the points of a card."""

    def __init__(self, *decided: Any) -> None:
        super().__init__(*decided)
        self.state = self.playouts.state(self.position)

    @abstractmethod
    def count_points(self, card: int) -> int: ...

    @abstractmethod
    def is_fitting(self, card: int) -> bool:
        """Return whether a card fits on a meld on the table."""

    def list_reasons(self) -> Iterator[Text]:
        if self.best.doing == "lay":
            yield from self.explain_missed_lay()
        elif self.chosen.doing == "lay":
            yield from self.explain_lay()
        elif self.chosen.card is None:
            yield from self.explain_draw()
        else:
            yield from self.explain_discard()

    def explain_missed_lay(self) -> Iterator[Text]:
        laid = self.playouts.copy(self.state)
        if self.playouts.lay(laid) is not None:
            yield text(_("You could have laid all your cards: the deal was won."))
            return
        rest = self.playouts.cards_of(laid.hands[laid.turn])
        yield text(
            _("You kept %(points)s points that you could have laid."),
            points=self._count(self.held) - self._count(rest),
        )
        yield text(_("When another player goes out, melds in your hand count against you, too."))

    def _count(self, cards: Iterable[int]) -> int:
        return sum(map(self.count_points, cards))

    def explain_lay(self) -> Iterator[Text]:
        """Explain why it was better not to lay yet."""
        yield text(_("The others can lay off on what you lay down."))

    def explain_fit(self, card: int) -> Text:
        return text(_("The %(card)s fitted on a meld on the table."), card=write_card(card))

    def compare_hands(self, card: int, better: int) -> Iterator[Text]:
        if self.is_fitting(card) and not self.is_fitting(better):
            yield self.explain_fit(card)
        yield from super().compare_hands(card, better)

    def compare_cards(self, card: int, better: int) -> Iterator[Text]:
        if self.count_points(better) > self.count_points(card):
            yield text(
                _("The %(better)s counts %(more)s, the %(card)s only %(fewer)s."),
                better=write_card(better),
                more=self.count_points(better),
                card=write_card(card),
                fewer=self.count_points(card),
            )
