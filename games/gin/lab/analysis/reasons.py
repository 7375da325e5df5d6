"""The reasons for a loss, in gin."""

from collections.abc import Iterator
from typing import Any, Final

from games.analysis.explanations import CardExplanation
from games.analysis.writing import write_card
from games.engine.base import Text, text
from games.engine.base import gettext_noop as _
from games.gin.bots.closeness import APART, CLOSE
from games.gin.lab.analysis.options import GinOption
from games.gin.rules.defence import count_least_defended
from games.gin.rules.melding import BIT, cards_of, count_least, count_least_after_discard

# Fewer undercuts in a hundred possible hands of the opponent are no reason.
_RISKY: Final = 20


class GinExplanation(CardExplanation):
    """Measures a hand by its deadwood."""

    lowered = _("With the %(card)s your deadwood was %(after)s instead of %(before)s.")
    left = _("Without the %(card)s your deadwood is %(after)s, without the %(better)s %(instead)s.")
    improving = _(
        "With the %(better)s discarded, %(more)s cards that you had not seen would have made a "
        "meld or lengthened one; with the %(card)s discarded, %(fewer)s."
    )
    next_took = _("The other player had taken the %(taken)s, which the %(card)s goes with.")

    def __init__(self, *decided: Any) -> None:
        super().__init__(*decided)
        self.hand: int = self.position.hands[self.place]
        self.unseen = cards_of(self.moment.hidden)

    def list_reasons(self) -> Iterator[Text]:
        if self.best.knocks and self.chosen.knocks:
            yield from self.explain_knock()
        elif self.best.knocks:
            yield from self.explain_missed_knock()
        elif self.chosen.knocks:
            yield from self.explain_early_knock()
        elif self.chosen.doing == "discard":
            yield from self.explain_discard()
        else:
            yield from self.explain_draw()

    def explain_knock(self) -> Iterator[Text]:
        """Explain why another knock was better than the one chosen."""
        if self.best.doing == "big_gin":
            yield from self.explain_all_melded()
            return
        yield text(
            _("In other groups you could have knocked with %(least)s instead of %(counted)s."),
            least=self.best.points(self.hand),
            counted=self.chosen.points(self.hand),
        )

    def explain_all_melded(self) -> Iterator[Text]:
        yield text(_("All eleven cards were in melds: big gin."))

    def explain_missed_knock(self) -> Iterator[Text]:
        points = self.best.points(self.hand)
        if self.best.doing == "big_gin":
            yield from self.explain_all_melded()
        elif not points:
            yield text(
                _("It was gin: with the %(card)s discarded, nothing was left over."),
                card=write_card(self.best.card),
            )
        else:
            yield text(_("You could have knocked with %(points)s."), points=points)
            left, undercuts = self._estimate_answers(self.best)
            yield text(
                _(
                    "Hands that the other player may have had were left with %(left)s on average; "
                    "%(undercuts)s of 100 of them would have undercut you."
                ),
                left=round(left),
                undercuts=round(undercuts),
            )

    def explain_early_knock(self) -> Iterator[Text]:
        left, undercuts = self._estimate_answers(self.chosen)
        if undercuts >= _RISKY:
            yield text(
                _(
                    "Of 100 hands that the other player may have had, %(undercuts)s would have "
                    "undercut you; they were left with %(left)s on average."
                ),
                undercuts=round(undercuts),
                left=round(left),
            )
        rest = self.hand if self.best.card is None else self.hand ^ BIT[self.best.card]
        yield from self.explain_number(
            _("Of the cards that you had not seen, %(count)s would have made it gin."),
            self._count_below(rest, 1),
        )
        yield from self.explain_number(
            _("Of the cards that you had not seen, %(count)s would have lowered your deadwood."),
            self._count_below(rest, self.chosen.points(self.hand)),
        )

    def _estimate_answers(self, knock: GinOption) -> tuple[float, float]:
        """Return the opponent's mean deadwood after answering the knock, and how many of 100 answers undercut it."""
        points = knock.points(self.hand)
        left = undercuts = total = 0.0
        for likely in self.moment.hands:
            count = count_least_defended(likely.hand, knock.groups) if points else likely.deadwood
            total += likely.weight
            left += likely.weight * count
            undercuts += likely.weight * (0 < points >= count)
        return left / total, 100 * undercuts / total

    def is_near(self, card: int, other: int) -> bool:
        return bool((CLOSE[card] | APART[card]) & BIT[other])

    def measure(self) -> int:
        return count_least(self.hand)

    def measure_with(self, card: int) -> int:
        return count_least_after_discard(self.hand | BIT[card], BIT[card])

    def measure_without(self, card: int) -> int:
        return count_least(self.hand ^ BIT[card])

    def is_useless(self, card: int) -> bool:
        return count_least(self.hand | BIT[card]) - self.measure() >= _points(card)

    def explain_use(self, card: int) -> Iterator[Text]:
        yield from super().explain_use(card)
        points = self.measure_with(card)
        if points <= self.situation.limit:
            yield text(_("You could have knocked with %(points)s."), points=points)

    def count_helpful(self, card: int) -> int:
        return self._count_below(self.hand, self.measure_with(card))

    def _count_below(self, hand: int, points: int) -> int:
        """Return how many unseen cards would let these ten cards have less deadwood than `points` after a discard."""
        return sum(count_least_after_discard(hand | BIT[card]) < points for card in self.unseen)

    def count_improving(self, card: int) -> int:
        """Return how many unseen cards could be melded with the hand that this discard leaves."""
        rest, points = self.hand ^ BIT[card], self.measure_without(card)
        return sum(count_least(rest | BIT[one]) < points + _points(one) for one in self.unseen)


def _points(card: int) -> int:
    return count_least(BIT[card])
