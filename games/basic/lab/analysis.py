"""The analysis of a deal of basic rummy: what could be decided, and why something was better."""

import random
from collections.abc import Iterator, Mapping
from typing import Any, Final

from games.analysis.judging import Verdict
from games.analysis.laid import Known, Option
from games.analysis.laid_report import Choice, LaidAnalysis, Situation, begun_position
from games.analysis.report import Step, written
from games.basic.bots.playouts import APART, BIT, CLOSE, Playouts, State, cards_of, count
from games.basic.rules.laying import POINTS
from games.basic.rules.ruleset import parse_rules
from games.cards import CARD_BY_TEXT
from games.engine.base import Text, text
from games.engine.base import gettext_noop as _
from games.engine.core import PACK

# Discards that are looked at beside the one played; with something to lay, those without laying it.
_DISCARDS: Final = 4
_WAITING: Final = 2


class BasicAnalysis(LaidAnalysis):
    kinds = {
        "pick": text(_("Draws")),
        "lay": text(_("Melds and lay-offs")),
        "discard": text(_("Discards")),
    }
    told = {
        "closed": _("Draw from the closed deck"),
        "open": _("Take the %(card)s"),
        "lay": _("Lay what can be laid"),
        "wait": _("Lay nothing, throw the %(card)s"),
        "discard": _("Throw the %(card)s"),
    }

    def begin(self, record: Mapping[str, Any]) -> Situation:
        return Situation(rules=parse_rules(record["rules"]), deck=PACK, **begun_position(record))

    def playouts(self, situation: Situation, rng: random.Random) -> Playouts:
        return Playouts(situation.rules, rng)

    def note(self, begun: Situation) -> Text:
        is_low = begun.rules.ace == "low"
        return text(_("The ace is low")) if is_low else text(_("The ace is low or high"))

    # --- Decisions.

    def choice_of(self, situation: Situation, step: Step, playouts: Playouts) -> Choice | None:
        move = step.get("move") or {}
        if move.get("kind") == "draw" and situation.position.open_pile:
            chosen = Option(move["source"])
            return Choice("pick", chosen, (Option("closed" if chosen.doing == "open" else "open"),))
        if move.get("kind") in ("meld", "lay_off", "discard"):
            return _after_the_draw(situation, move, playouts)
        return None

    def kind_of(self, choice: Choice, verdict: Verdict[Option]) -> str:
        """Return the kind: with nothing laid either way, it is about the discard."""
        is_laid = "lay" in (choice.chosen.doing, verdict.best.doing)
        return "discard" if choice.kind == "lay" and not is_laid else choice.kind

    # --- Reasons.

    def reasons(
        self,
        choice: Choice,
        verdict: Verdict[Option],
        situation: Situation,
        known: Known,
        playouts: Playouts,
    ) -> Iterator[Text]:
        return _Telling(choice.chosen, verdict.best, situation, known, playouts).all()


def _after_the_draw(
    situation: Situation, move: Mapping[str, Any], playouts: Playouts
) -> Choice | None:
    position = situation.position
    state = playouts.state(position)
    hand = state.hands[state.turn]
    discards = playouts.discards(hand, playouts.kept(state))
    laid = playouts.copy(state)
    playouts.lay(laid)
    rest = laid.hands[laid.turn]
    if move["kind"] != "discard":
        # Later layings of a turn go on with the first; who has laid before keeps nothing back.
        if situation.lays or position.has_laid[position.turn] or not rest:
            return None
        waiting = tuple(Option("wait", card) for card in discards[:_WAITING])
        return Choice("lay", Option("lay"), waiting)
    card = CARD_BY_TEXT[move["card"]]
    doing = "discard" if rest == hand else "wait"
    others = [Option(doing, other) for other in discards[:_DISCARDS] if other != card]
    if rest == hand:
        return Choice("discard", Option(doing, card), tuple(others))
    return Choice("lay", Option(doing, card), (Option("lay"), *others))


class _Telling:
    def __init__(
        self,
        chosen: Option,
        best: Option,
        situation: Situation,
        known: Known,
        playouts: Playouts,
    ) -> None:
        self.chosen, self.best = chosen, best
        self.situation, self.known, self.playouts = situation, known, playouts
        self.state: State = playouts.state(situation.position)
        self.hand = self.state.hands[self.state.turn]
        self.fits = self.state.on_runs | self.state.on_sets

    def all(self) -> Iterator[Text]:
        if self.best.doing == "lay":
            yield from self.not_laying()
        elif self.chosen.doing == "lay":
            yield from self.laying()
        elif self.chosen.card is None:
            yield from self.drawing(self.situation.position.open_pile[-1])
        elif self.best.card is not None:
            yield from self.discarding(self.chosen.card, self.best.card)

    def drawing(self, card: int) -> Iterator[Text]:
        points, with_it = self.playouts.melds(self.hand)[0], self.hand | BIT[card]
        melds = self.playouts.melds(with_it)[0] > points
        if self.best.doing == "open":
            if melds:
                yield text(_("The %(card)s made a meld with your cards."), card=written(card))
            elif BIT[card] & self.fits:
                yield text(_("The %(card)s fitted on a meld on the table."), card=written(card))
            yield from self._goes_with(card)
            yield text(
                _("The %(card)s counts %(points)s; you held dearer cards."),
                card=written(card),
                points=POINTS[card],
            )
            return
        if not melds and not BIT[card] & self.fits:
            yield text(_("The %(card)s made no meld with your cards."), card=written(card))
        helping = self._helping(self.hand)
        if helping:
            yield text(
                _("Of the cards that you had not seen %(count)s could have been laid."),
                count=helping,
            )
        yield text(_("Everybody saw what you took."))

    def not_laying(self) -> Iterator[Text]:
        laid = self.playouts.copy(self.state)
        if self.playouts.lay(laid) is not None:
            yield text(_("You could have laid all your cards: the deal was won."))
            return
        yield text(
            _("You kept %(points)s points that you could have laid."),
            points=count(self.hand) - count(laid.hands[laid.turn]),
        )
        yield text(_("When another player goes out, melds in your hand count against you, too."))

    def laying(self) -> Iterator[Text]:
        if self.situation.rules.rummy_factor > 1:
            yield text(_("All cards laid in one turn would have counted double for you."))
        yield text(_("The others can lay off on what you lay down."))

    def discarding(self, card: int, better: int) -> Iterator[Text]:
        if (BIT[card] & self.fits) > (BIT[better] & self.fits):
            yield text(_("The %(card)s fitted on a meld on the table."), card=written(card))
        fewer, more = (self._helping(self.hand ^ BIT[one]) for one in (card, better))
        if more > fewer:
            yield text(
                _(
                    "After the %(better)s %(more)s cards that you had not seen could have been laid, "
                    "after the %(card)s %(fewer)s."
                ),
                better=written(better),
                more=more,
                card=written(card),
                fewer=fewer,
            )
        yield from self._wanted_by_next(card)
        if POINTS[better] > POINTS[card]:
            yield text(
                _("The %(better)s counts %(more)s, the %(card)s only %(fewer)s."),
                better=written(better),
                more=POINTS[better],
                card=written(card),
                fewer=POINTS[card],
            )
        yield from self._goes_with(card)
        if not list(self._goes_with(better)):
            yield text(_("The %(card)s goes with none of your cards."), card=written(better))

    def _helping(self, hand: int) -> int:
        """Return how many unseen cards make a meld with this hand, lengthen one, or fit on the table."""
        points = self.playouts.melds(hand)[0]
        return sum(
            bool(BIT[card] & self.fits) or self.playouts.melds(hand | BIT[card])[0] > points
            for card in self.known.hidden
        )

    def _wanted_by_next(self, card: int) -> Iterator[Text]:
        playing = self.situation.position.playing
        following = (self.known.place + 1) % len(playing)
        while not playing[following]:
            following = (following + 1) % len(playing)
        taken = [kept for kept in self.situation.taken[following] if BIT[kept] & _near(card)]
        if taken:
            yield text(
                _("The next player had taken the %(taken)s, which the %(card)s goes with."),
                taken=written(taken[-1]),
                card=written(card),
            )

    def _goes_with(self, card: int) -> Iterator[Text]:
        kin = cards_of(self.hand & _near(card))
        if kin:
            yield text(
                _("The %(card)s goes with your %(others)s."),
                card=written(card),
                others=", ".join(map(written, kin)),
            )


def _near(card: int) -> int:
    return CLOSE[card] | APART[card]


ANALYSIS: Final = BasicAnalysis()
