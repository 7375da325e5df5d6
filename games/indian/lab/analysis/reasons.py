"""The reasons why another option was better: facts that the seat could have known."""

from collections.abc import Iterator, Sequence
from typing import Final

from games.analysis.judging import Verdict
from games.analysis.report import write_card
from games.cards import FACES
from games.engine.base import Text, text
from games.engine.base import gettext_noop as _
from games.indian.bots.links import LINKS
from games.indian.bots.playouts import Hands, list_loose_cards
from games.indian.lab.analysis.options import Choice, Option, count_unseen_copies
from games.indian.lab.analysis.reading import Situation
from games.indian.rules.melds import MeldKind, meld_kind

# Most sentences that a reader is given.
_MOST: Final = 2


def list_reasons(
    choice: Choice, verdict: Verdict[Option], situation: Situation, hands: Hands
) -> list[Text]:
    """Return at most two sentences, the strongest first; none for a decision without a loss."""
    if not verdict.loss:
        return []
    told = _Telling(choice, verdict, situation, hands)
    return list(told.list_reasons())[:_MOST]


class _Telling:
    def __init__(
        self, choice: Choice, verdict: Verdict[Option], situation: Situation, hands: Hands
    ) -> None:
        self.choice = choice
        self.verdict = verdict
        self.situation = situation
        self.hands = hands
        self.place = situation.position.turn
        self.hand = situation.position.hands[self.place]

    def list_reasons(self) -> Iterator[Text]:
        doing = self.verdict.best.doing, self.choice.chosen.doing
        if doing[1] == "wrong":
            yield from self.explain_wrong_declaration()
        elif doing[0] == "finish":
            yield text(
                _("Your hand was complete: with the %(card)s as the last card the deal was won."),
                card=write_card(self.verdict.best.card),
            )
        elif "drop" in doing:
            yield from self.explain_drop()
        elif doing[1] == "discard":
            yield from self.explain_discard()
        else:
            yield from self.explain_pick()

    def explain_wrong_declaration(self) -> Iterator[Text]:
        if self.choice.kind == "declare":
            yield text(_("Your thirteen cards made a valid hand, but not as you laid them."))
        else:
            yield text(_("No thirteen of these cards make a valid hand."))
        finishing = self.choice.chosen.card
        hand = [card for card in self.hand if card != finishing]
        points = self.situation.cost_of_wrong(hand)
        yield text(_("A wrong declaration costs %(points)s points."), points=points)

    def explain_drop(self) -> Iterator[Text]:
        points = self.choice.drop_points
        if self.choice.chosen.doing == "drop":
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
                points=points,
            )
        if not self._has_pure():
            yield text(
                _("You counted %(count)s points and had no pure sequence."),
                count=self._count(self.hand),
            )

    def explain_pick(self) -> Iterator[Text]:
        card = self.situation.position.open_pile[-1]
        before = self._count(self.hand)
        points, _best = self.hands.find_best_of_fourteen([*self.hand, card])
        after = min(points, self.situation.rules.max_points)
        if self.verdict.best.doing == "open":
            if after < before:
                yield text(
                    _("With the %(card)s your hand counted %(after)s instead of %(before)s."),
                    card=write_card(card),
                    after=after,
                    before=before,
                )
            yield from self._goes_with(card)
        else:
            if after >= before:
                yield text(_("The %(card)s made no meld with your cards."), card=write_card(card))
            better = self._count_better_than(points)
            if better:
                yield text(
                    _("Of the cards that you had not seen %(count)s would have helped more."),
                    count=better,
                )
            yield text(_("Everybody saw what you took."))

    def explain_discard(self) -> Iterator[Text]:
        thrown, better = self.choice.chosen.card, self.verdict.best.card
        if thrown is None or better is None:
            return
        if self.hands.is_joker(thrown):
            yield text(
                _("The %(card)s is a joker: it fits into any sequence and any set."),
                card=write_card(thrown),
            )
        after, instead = self._count_without(thrown), self._count_without(better)
        if after > instead:
            yield text(
                _(
                    "Without the %(card)s your hand counts %(after)s, without the %(better)s "
                    "%(instead)s."
                ),
                card=write_card(thrown),
                after=after,
                better=write_card(better),
                instead=instead,
            )
        yield from self._explain_next_player(thrown)
        improving = self._count_improving(self._list_rest(thrown), after)
        more = self._count_improving(self._list_rest(better), instead)
        if more > improving:
            yield text(
                _(
                    "After the %(better)s %(more)s cards that you had not seen would have lowered "
                    "your count, after the %(card)s %(fewer)s."
                ),
                better=write_card(better),
                more=more,
                card=write_card(thrown),
                fewer=improving,
            )
        yield from self._goes_with(thrown)
        if not list(self._goes_with(better)):
            yield text(_("The %(card)s goes with none of your cards."), card=write_card(better))

    def _count_better_than(self, points: int) -> int:
        """Return the unseen cards after which the hand counts less than this, with one discarded again."""
        copies = count_unseen_copies(self.situation, self.place)
        return sum(
            number
            for face, number in copies.items()
            if self.hands.find_best_of_fourteen([*self.hand, face])[0] < points
        )

    def _explain_next_player(self, card: int) -> Iterator[Text]:
        playing = self.situation.position.playing
        following = (self.place + 1) % len(playing)
        while not playing[following]:
            following = (following + 1) % len(playing)
        taken = [kept for kept in self.situation.taken[following] if _are_linked(card, kept)]
        if taken:
            yield text(
                _("The next player had taken the %(taken)s, which the %(card)s goes with."),
                taken=write_card(taken[-1]),
                card=write_card(card),
            )

    def _goes_with(self, card: int) -> Iterator[Text]:
        others = [
            other
            for other in self.hand
            if other != card and _are_linked(card, other) and not self.hands.is_joker(other)
        ]
        if others and not self.hands.is_joker(card):
            faces = sorted({other % FACES for other in others})
            yield text(
                _("The %(card)s goes with your %(others)s."),
                card=write_card(card),
                others=", ".join(write_card(face) for face in faces),
            )

    def _has_pure(self) -> bool:
        groups = self.hands.arrange(self.hand).groups
        rules, wild = self.situation.rules, self.situation.wild
        return MeldKind.PURE_SEQUENCE in [meld_kind(group, wild, rules) for group in groups]

    def _list_rest(self, card: int) -> list[int]:
        rest = list(self.hand)
        rest.remove(card)
        return rest

    def _count_without(self, card: int) -> int:
        return self._count(self._list_rest(card))

    def _count(self, hand: Sequence[int]) -> int:
        return min(self.hands.count_least(hand), self.situation.rules.max_points)

    def _count_improving(self, hand: Sequence[int], count: int) -> int:
        """Return the unseen cards that do more for the hand than replace its most expensive card."""
        points = self.hands.points
        loose = list_loose_cards(hand, self.hands.find_best_of_thirteen(hand))
        dearest = max((points[card] for card in loose), default=0)
        copies = count_unseen_copies(self.situation, self.place)
        return sum(
            number
            for face, number in copies.items()
            if self.hands.find_best_of_fourteen([*hand, face])[0]
            < count + points[face] - max(dearest, points[face])
        )


def _are_linked(card: int, other: int) -> bool:
    return LINKS[card % FACES][other % FACES] > 0
