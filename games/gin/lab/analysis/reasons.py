"""Why another option was better: sentences of facts that the seat could have known."""

from collections.abc import Iterator
from typing import Final

from games.analysis.judging import Verdict
from games.analysis.report import write_card
from games.cards import Card
from games.engine.base import Text, text
from games.engine.base import gettext_noop as _
from games.gin.bots.closeness import APART, CLOSE
from games.gin.lab.analysis.options import Choice, Option, Worlds
from games.gin.lab.analysis.reading import Situation
from games.gin.rules.defence import count_least_defended
from games.gin.rules.melding import BIT, cards_of, count_least, count_least_after_discard

# Most sentences that a reader is given.
_MOST: Final = 2
# Fewer undercuts in a hundred possible hands of the opponent are no reason.
_RISKY: Final = 20


def list_reasons(
    choice: Choice, verdict: Verdict[Option], situation: Situation, worlds: Worlds
) -> list[Text]:
    """Return at most two sentences, the strongest first; none for a decision without a loss."""
    if not verdict.loss:
        return []
    return list(_Telling(choice, verdict, situation, worlds).list_reasons())[:_MOST]


class _Telling:
    def __init__(
        self, choice: Choice, verdict: Verdict[Option], situation: Situation, worlds: Worlds
    ) -> None:
        self.chosen = choice.chosen
        self.best = verdict.best
        self.situation = situation
        self.worlds = worlds
        self.place = situation.position.turn
        self.hand = situation.position.hands[self.place]
        self.unseen = cards_of(worlds.hidden)

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
        """Explain a knock where another knock was better."""
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
                _("It was gin: with the %(card)s put down nothing was left over."),
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
                    "Of 100 hands that the other player may have had %(undercuts)s would have "
                    "undercut you; they were left with %(left)s on average."
                ),
                undercuts=round(undercuts),
                left=round(left),
            )
        rest = self.hand if self.best.card is None else self.hand ^ BIT[self.best.card]
        gins = sum(count_least_after_discard(rest | BIT[card]) == 0 for card in self.unseen)
        if gins:
            yield text(
                _("Of the cards that you had not seen %(count)s would have made it gin."),
                count=gins,
            )
        better = sum(
            count_least_after_discard(rest | BIT[card]) < self.chosen.points(self.hand)
            for card in self.unseen
        )
        if better:
            yield text(
                _("Of the cards that you had not seen %(count)s would have lowered your deadwood."),
                count=better,
            )

    def explain_draw(self) -> Iterator[Text]:
        card = self.situation.position.open_pile[-1]
        bit = BIT[card]
        before, after = count_least(self.hand), count_least_after_discard(self.hand | bit, bit)
        if self.best.doing == "open":
            if after < before:
                yield text(
                    _("With the %(card)s your deadwood was %(after)s instead of %(before)s."),
                    card=write_card(card),
                    after=after,
                    before=before,
                )
            if after <= self.situation.limit:
                yield text(_("You could have knocked with %(points)s."), points=after)
            yield from self._goes_with(card)
            return
        if count_least(self.hand | bit) - count_least(self.hand) >= _points(card):
            yield text(_("The %(card)s made no meld with your cards."), card=write_card(card))
        better = sum(count_least_after_discard(self.hand | BIT[one]) < after for one in self.unseen)
        if better:
            yield text(
                _("Of the cards that you had not seen %(count)s would have helped more."),
                count=better,
            )
        yield text(_("Everybody saw what you took."))

    def explain_discard(self) -> Iterator[Text]:
        thrown, better = self.chosen.card, self.best.card
        if thrown is None or better is None:
            return
        after, instead = self._count_without(thrown), self._count_without(better)
        if after > instead:
            yield text(
                _(
                    "Without the %(card)s your deadwood is %(after)s, without the %(better)s "
                    "%(instead)s."
                ),
                card=write_card(thrown),
                after=after,
                better=write_card(better),
                instead=instead,
            )
        yield from self._explain_wanted(thrown)
        fewer, more = self._count_improving(thrown, after), self._count_improving(better, instead)
        if more > fewer:
            yield text(
                _(
                    "After the %(better)s %(more)s cards that you had not seen would have made a "
                    "meld or lengthened one, after the %(card)s %(fewer)s."
                ),
                better=write_card(better),
                more=more,
                card=write_card(thrown),
                fewer=fewer,
            )
        yield from self._goes_with(thrown)
        if not list(self._goes_with(better)):
            yield text(_("The %(card)s goes with none of your cards."), card=write_card(better))

    def _estimate_answers(self, knock: Option) -> tuple[float, float]:
        """Return the opponent's deadwood after their answers, and how many of 100 undercut."""
        points = knock.points(self.hand)
        left = undercuts = total = 0.0
        for likely in self.worlds.hands:
            count = count_least_defended(likely.hand, knock.groups) if points else likely.deadwood
            total += likely.weight
            left += likely.weight * count
            undercuts += likely.weight * (0 < points >= count)
        return left / total, 100 * undercuts / total

    def _explain_wanted(self, card: int) -> Iterator[Text]:
        held = self.situation.held[1 - self.place]
        kin = cards_of(held & (CLOSE[card] | APART[card]))
        if kin:
            yield text(
                _("The other player had taken the %(taken)s, which the %(card)s goes with."),
                taken=write_card(kin[-1]),
                card=write_card(card),
            )

    def _goes_with(self, card: int) -> Iterator[Text]:
        kin = cards_of(self.hand & (CLOSE[card] | APART[card]) & ~BIT[card])
        if kin:
            yield text(
                _("The %(card)s goes with your %(others)s."),
                card=write_card(card),
                others=", ".join(write_card(other) for other in kin),
            )

    def _count_without(self, card: Card) -> int:
        return count_least(self.hand ^ BIT[card])

    def _count_improving(self, card: Card, count: int) -> int:
        """Count the unseen cards that lie in a meld after this discard."""
        rest = self.hand ^ BIT[card]
        return sum(count_least(rest | BIT[one]) < count + _points(one) for one in self.unseen)


def _points(card: int) -> int:
    return count_least(BIT[card])
