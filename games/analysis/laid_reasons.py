"""Sentences on a loss that games with melds on the table share."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

from games.analysis.laid import Known, Option
from games.analysis.report import write_card
from games.engine.base import Text, text
from games.engine.base import gettext_noop as _


class Telling(ABC):
    """Facts about a decision and a better one that the player could have known, the weightiest first."""

    def __init__(
        self, chosen: Option, best: Option, situation: Any, known: Known, playouts: Any
    ) -> None:
        self.chosen, self.best = chosen, best
        self.situation, self.known, self.playouts = situation, known, playouts
        self.position = situation.position
        self.state = playouts.state(self.position)
        self.held: list[int] = self.position.hands[known.place]

    def list_reasons(self) -> Iterator[Text]:
        if self.best.doing == "lay":
            yield from self.explain_missed_lay()
        elif self.chosen.doing == "lay":
            yield from self.explain_lay()
        elif self.chosen.card is None:
            yield from self.explain_draw(self.position.open_pile[-1])
        elif self.best.card is not None:
            yield from self.explain_discard(self.chosen.card, self.best.card)

    @abstractmethod
    def explain_draw(self, card: int) -> Iterator[Text]:
        """Yield sentences on a pile, or on a card for sale."""

    @abstractmethod
    def explain_lay(self) -> Iterator[Text]:
        """Yield sentences on a laying that had better waited."""

    @abstractmethod
    def explain_discard(self, card: int, better: int) -> Iterator[Text]:
        """Yield sentences on a discard."""

    @abstractmethod
    def count_points(self, card: int) -> int:
        """Return a card's points."""

    @abstractmethod
    def is_near(self, card: int, other: int) -> bool:
        """Return whether two cards may come into one meld."""

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

    def explain_fit(self, card: int) -> Iterator[Text]:
        yield text(_("The %(card)s fitted on a meld on the table."), card=write_card(card))

    def explain_open_draw(self) -> Text:
        return text(_("Everybody saw what you took."))

    def explain_next_player(self, card: int) -> Iterator[Text]:
        playing = self.position.playing
        following = (self.known.place + 1) % len(playing)
        while not playing[following]:
            following = (following + 1) % len(playing)
        taken = [kept for kept in self.situation.taken[following] if self.is_near(card, kept)]
        if taken:
            yield text(
                _("The next player had taken the %(taken)s, which the %(card)s goes with."),
                taken=write_card(taken[-1]),
                card=write_card(card),
            )

    def explain_points(self, card: int, better: int) -> Iterator[Text]:
        if self.count_points(better) > self.count_points(card):
            yield text(
                _("The %(better)s counts %(more)s, the %(card)s only %(fewer)s."),
                better=write_card(better),
                more=self.count_points(better),
                card=write_card(card),
                fewer=self.count_points(card),
            )

    def explain_company(self, card: int, better: int) -> Iterator[Text]:
        yield from self.explain_kin(card)
        if not list(self.explain_kin(better)):
            yield text(_("The %(card)s goes with none of your cards."), card=write_card(better))

    def explain_kin(self, card: int) -> Iterator[Text]:
        kin = sorted(other for other in self.held if other != card and self.is_near(card, other))
        if kin:
            yield text(
                _("The %(card)s goes with your %(others)s."),
                card=write_card(card),
                others=", ".join(dict.fromkeys(map(write_card, kin))),
            )
