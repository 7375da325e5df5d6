"""The reasons why a decision in Indian rummy lost points, as texts for the player."""

from collections.abc import Iterator, Sequence
from typing import Any

from games.analysis.explanations import CardExplanation
from games.analysis.writing import write_card
from games.cards import FACES
from games.engine.base import Text, text
from games.engine.base import gettext_noop as _
from games.indian.bots.links import LINKS
from games.indian.bots.playouts import Hands, list_loose_cards
from games.indian.lab.analysis.options import count_unseen_copies
from games.indian.rules.melds import IndianMeldKind, meld_kind


class IndianExplanation(CardExplanation):
    """Explains the loss of a decision by the least count of the hand before and after it."""

    lowered = _("With the %(card)s your hand counted %(after)s instead of %(before)s.")
    left = _("Without the %(card)s your hand counts %(after)s, without the %(better)s %(instead)s.")
    improving = _(
        "With the %(better)s discarded, %(more)s cards that you had not seen would have "
        "lowered your count; with the %(card)s discarded, %(fewer)s."
    )

    def __init__(self, *decided: Any) -> None:
        super().__init__(*decided)
        self.hands: Hands = self.playouts.hands

    def list_reasons(self) -> Iterator[Text]:
        doing = self.best.doing, self.chosen.doing
        if doing[1] == "wrong":
            yield from self.explain_wrong_declaration()
        elif doing[0] == "finish":
            yield text(
                _("Your hand was complete: finishing with the %(card)s would have won the deal."),
                card=write_card(self.best.card),
            )
        elif "drop" in doing:
            yield from self.explain_drop()
        elif doing[1] == "discard":
            yield from self.explain_discard()
        else:
            yield from self.explain_draw()

    def explain_wrong_declaration(self) -> Iterator[Text]:
        if self.choice.kind == "declare":
            yield text(_("Your thirteen cards made a valid hand, but not as you laid them."))
        else:
            yield text(_("No thirteen of these cards make a valid hand."))
        hand = [card for card in self.held if card != self.chosen.card]
        points = self.situation.cost_of_wrong(hand)
        yield text(_("A wrong declaration costs %(points)s points."), points=points)

    def explain_drop(self) -> Iterator[Text]:
        if self.chosen.doing == "drop":
            yield text(
                _("Played on, this hand would have come out %(points)s points better on average."),
                points=round(self.verdict.loss),
            )
        else:
            yield text(
                _(
                    "Played on, this hand loses %(worth)s points on average; a drop costs "
                    "%(points)s."
                ),
                worth=round(-self.verdict.worth),
                points=self.situation.drop_points,
            )
        groups = self.hands.arrange(self.held).groups
        rules, wild = self.situation.rules, self.situation.wild
        if IndianMeldKind.PURE_SEQUENCE not in [meld_kind(group, wild, rules) for group in groups]:
            yield text(
                _("You counted %(count)s points and had no pure sequence."), count=self.measure()
            )

    def is_near(self, card: int, other: int) -> bool:
        return LINKS[card % FACES][other % FACES] > 0

    def is_wild(self, card: int) -> bool:
        return self.hands.is_joker(card)

    def measure(self) -> int:
        return self._cap(self.hands.count_least(self.held))

    def measure_with(self, card: int) -> int:
        return self._cap(self.hands.find_best_of_fourteen([*self.held, card])[0])

    def measure_without(self, card: int) -> int:
        return self._cap(self.hands.count_least(self._list_rest(card)))

    def _cap(self, points: int) -> int:
        return min(points, int(self.situation.rules.max_points))

    def _list_rest(self, card: int) -> Sequence[int]:
        return [kept for kept in self.held if kept != card]

    def count_helpful(self, card: int) -> int:
        best_of = self.hands.find_best_of_fourteen
        points = best_of([*self.held, card])[0]
        copies = count_unseen_copies(self.situation, self.place)
        return sum(
            number for face, number in copies.items() if best_of([*self.held, face])[0] < points
        )

    def count_improving(self, card: int) -> int:
        """Return how many unseen cards would improve the hand that remains after the discard of `card`.

        A card improves the hand if it lowers the count by more than just replacing the loose card with the most points
        would.
        """
        hand, points = self._list_rest(card), self.hands.points
        count = self.measure_without(card)
        loose = list_loose_cards(hand, self.hands.find_best_of_thirteen(hand))
        dearest = max((points[card] for card in loose), default=0)
        copies = count_unseen_copies(self.situation, self.place)
        return sum(
            number
            for face, number in copies.items()
            if self.hands.find_best_of_fourteen([*hand, face])[0]
            < count + points[face] - max(dearest, points[face])
        )
