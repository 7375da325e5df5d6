"""Explanations of why the best option was better than the one chosen: facts that the player could have known."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from games.analysis.judging import Choice, Verdict
from games.analysis.writing import write_card
from games.cards import FACES
from games.engine.base import Text, text
from games.engine.base import gettext_noop as _


class Explanation(ABC):
    """Yields sentences that explain a loss, with the strongest reason first.

    A game adds its measures of a hand and its words.
    """

    def __init__(self, choice: Choice[Any], verdict: Verdict[Any], moment: Any) -> None:
        self.choice, self.verdict, self.moment = choice, verdict, moment
        self.chosen, self.best = choice.chosen, verdict.best
        self.situation, self.place, self.playouts = moment.situation, moment.place, moment.playouts
        self.position = self.situation.position

    @abstractmethod
    def list_reasons(self) -> Iterator[Text]: ...


class CardExplanation(Explanation):
    """Explains draws and discards. A game's measure of a hand says how far the hand is from its goal.

    In gin, for example, the measure is the deadwood. Less is better.
    """

    # Texts: the drawn card lowered the measure; the measures that two discards leave.
    lowered: ClassVar[str] = ""
    left: ClassVar[str] = ""
    useless: ClassVar[str] = _("The %(card)s made no meld with your cards.")
    # Texts with numbers of unseen cards: those more helpful than the open one; those helpful after two discards.
    helpful: ClassVar[str] = _(
        "Of the cards that you had not seen, %(count)s would have helped more."
    )
    improving: ClassVar[str] = ""
    next_took: ClassVar[str] = _(
        "The next player had taken the %(taken)s, which the %(card)s goes with."
    )

    def __init__(self, choice: Choice[Any], verdict: Verdict[Any], moment: Any) -> None:
        super().__init__(choice, verdict, moment)
        self.held: Sequence[int] = self.situation.list_hand(self.place)

    # --- Provided by a game.

    @abstractmethod
    def is_near(self, card: int, other: int) -> bool:
        """Return whether two cards may become part of one meld."""

    def is_wild(self, _card: int) -> bool:
        return False

    def measure(self) -> int:
        """Return the measure of the hand before a draw: how far the hand is from its goal."""
        return 0

    def measure_with(self, _card: int) -> int:
        """Return the measure of the hand after drawing this card and making the best discard, which lowers it most."""
        return 0

    def measure_without(self, _card: int) -> int:
        return 0

    def is_useless(self, card: int) -> bool:
        """Return whether taking the open card, `card`, does not improve the measure of the hand."""
        return self.measure_with(card) >= self.measure()

    def count_helpful(self, _card: int) -> int:
        """Return how many unseen cards would improve the hand more than this card."""
        return 0

    def count_improving(self, _card: int) -> int:
        """Return how many unseen cards would improve the hand after this discard."""
        return 0

    # --- The same for every game with an open pile.

    def explain_draw(self) -> Iterator[Text]:
        """Explain why the other pile was better to draw from, or why a card was or was not worth buying."""
        card = self.situation.opened
        if self.best.doing in ("open", "buy"):
            yield from self.explain_use(card)
            yield from self.explain_kin(card)
            return
        if self.is_useless(card):
            yield text(self.useless, card=write_card(card))
        yield from self.explain_number(self.helpful, self.count_helpful(card))
        yield self.explain_taking()

    def explain_use(self, card: int) -> Iterator[Text]:
        before, after = self.measure(), self.measure_with(card)
        if after < before:
            yield text(self.lowered, card=write_card(card), after=after, before=before)

    def explain_taking(self) -> Text:
        return text(_("Everybody saw what you took."))

    def explain_discard(self) -> Iterator[Text]:
        card, better = self.chosen.card, self.best.card
        if card is None or better is None:
            return
        if self.is_wild(card):
            yield text(
                _("The %(card)s is a joker: it fits into any sequence and any set."),
                card=write_card(card),
            )
        yield from self.compare_hands(card, better)
        yield from self.explain_next_player(card)
        yield from self.compare_cards(card, better)
        yield from self.explain_kin(card)
        if not list(self.explain_kin(better)):
            yield text(_("The %(card)s goes with none of your cards."), card=write_card(better))

    def compare_hands(self, card: int, better: int) -> Iterator[Text]:
        """Compare the hands that remain after two discards."""
        after, instead = self.measure_without(card), self.measure_without(better)
        if after > instead:
            yield text(
                self.left,
                card=write_card(card),
                after=after,
                better=write_card(better),
                instead=instead,
            )

    def compare_cards(self, card: int, better: int) -> Iterator[Text]:
        """Compare two discards by facts that matter less than the hands that remain."""
        yield from self.compare_prospects(card, better)

    def compare_prospects(self, card: int, better: int) -> Iterator[Text]:
        """Compare how many draws would improve the hand after each of two discards."""
        fewer, more = self.count_improving(card), self.count_improving(better)
        if more > fewer:
            yield text(
                self.improving,
                better=write_card(better),
                more=more,
                card=write_card(card),
                fewer=fewer,
            )

    def explain_next_player(self, card: int) -> Iterator[Text]:
        next_place = self.situation.find_next_place(self.place)
        taken = [kept for kept in self.situation.list_taken(next_place) if self.is_near(card, kept)]
        if taken:
            yield text(self.next_took, taken=write_card(taken[-1]), card=write_card(card))

    def explain_kin(self, card: int) -> Iterator[Text]:
        """Name the other cards of the hand that may form a meld with this card."""
        faces = {
            other % FACES
            for other in self.held
            if other != card and self.is_near(card, other) and not self.is_wild(other)
        }
        if faces and not self.is_wild(card):
            yield text(
                _("The %(card)s goes with your %(others)s."),
                card=write_card(card),
                others=", ".join(write_card(face) for face in sorted(faces)),
            )

    def explain_number(self, message: str, number: int) -> Iterator[Text]:
        if number:
            yield text(message, count=number)
