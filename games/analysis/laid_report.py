"""The analysis of a deal with melds on the table: reads its record and finds its decisions."""

import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final

from games.analysis.judging import Choice, Effort, Option, Verdict
from games.analysis.laid import Known, LaidPosition, build_known
from games.analysis.moments import Moment
from games.analysis.played_out import PlayedOutAnalysis
from games.analysis.situations import DeckSituation, Event, Move, Step, begin_deck
from games.cards import CARD_BY_TEXT, FACES, parse_face
from games.engine.laid import Meld, cards_of_texts, extend_meld, read_melds
from games.engine.state import require

# Discards examined besides the one played; if something can be laid, those after laying nothing.
_DISCARDS: Final = 4
_WAITING: Final = 2
EFFORT: Final = Effort(first=60, second=120, last=700, confirming=1_400, deals=400)

# The card drawn from the closed deck; the policy's own play.
DRAWN: Final = Option("drawn")
PLAY: Final = Option("play")


@dataclass
class LaidSituation(DeckSituation):
    """All cards of a deal at one moment, and the cards that everybody has seen."""

    position: LaidPosition
    # Whether something was laid in this turn.
    lays: bool = False

    def list_aside(self) -> Collection[int]:
        return [card for meld in self.position.melds for card in meld.cards]

    def build_known(self, place: int) -> Known:
        return build_known(self.position, place, self.taken, self.deck, self.thrown)

    def on_turn(self, event: Event, step: Step) -> None:
        position = self.position
        position.has_laid[position.turn] |= self.lays
        super().on_turn(event, step)
        self.lays, position.laid = False, 0

    def on_bought(self, event: Event, _step: Step) -> None:
        place, card = self.get_place(event), self.position.open_pile.pop()
        self.position.hands[place] += [card, self.drew.pop(0)]
        self.taken[place].append(card)
        self.position.buys = [
            left - (other == place) for other, left in enumerate(self.position.buys)
        ]

    def on_melded(self, event: Event, _step: Step) -> None:
        position = self.position
        position.melds = [*position.melds, *read_melds(event)]
        position.laid += len(event["melds"])
        self.lay(event, [card for meld in event["melds"] for card in meld["cards"]])

    on_contract_laid = on_melded

    def on_laid_off(self, event: Event, _step: Step) -> None:
        self.change_meld(
            event["meld"],
            lambda meld: extend_meld(
                meld,
                cards_of_texts(event["cards"]),
                [parse_face(face) for face in event["as"]],
                self.rules.shape,
                seat=event["seat"],
            ),
        )
        self.lay(event, event["cards"])

    def change_meld(self, number: int, change: Callable[[Meld], Meld | None]) -> None:
        melds = self.position.melds
        self.position.melds = [
            *melds[:number],
            require(change(melds[number])),
            *melds[number + 1 :],
        ]

    def lay(self, event: Event, cards: Iterable[str]) -> None:
        self.remove_cards(self.get_place(event), [CARD_BY_TEXT[card] for card in cards])
        self.lays = True

    def on_reshuffled(self, event: Event, step: Step) -> None:
        super().on_reshuffled(event, step)
        self.position.restocks += 1

    on_turned_over = on_reshuffled

    def on_left(self, event: Event, _step: Step) -> None:
        if event["seat"] in self.order:
            self.take_out(event, 0)


class LaidMoment(Moment):
    """A player who has to decide, with the worlds that the expert bots use."""

    @cached_property
    def known(self) -> Known:
        known: Known = self.situation.build_known(self.place)
        return known

    def nets(self, options: Sequence[Option]) -> list[float]:
        return self.known.nets(self.playouts, self.rng)(options)


@dataclass(frozen=True)
class LaidAnalysis(PlayedOutAnalysis):
    """The analysis of a game with melds on the table."""

    effort: Effort = EFFORT
    version: int = 2
    moves = 30
    moment = LaidMoment
    # Kinds of moves that lay cards.
    laying: ClassVar[tuple[str, ...]]

    def find_choice(self, situation: Any, move: Move, playouts: Any) -> Choice[Option] | None:
        if move["kind"] == "draw" and situation.opened is not None:
            chosen = Option(move["source"])
            return Choice("pick", chosen, (Option("closed" if chosen.doing == "open" else "open"),))
        if move["kind"] in (*self.laying, "discard"):
            return _find_choice_after_draw(situation, move, playouts)
        return None

    def get_kind(self, choice: Choice[Option], verdict: Verdict[Option]) -> str:
        """Return the kind of a decision.

        If neither the option chosen nor the best one lays cards, the decision is about the discard.
        """
        is_laid = "lay" in (choice.chosen.doing, verdict.best.doing)
        return "discard" if choice.kind == "lay" and not is_laid else choice.kind

    def play_on(self, position: Any, place: int, playouts: Any, *, is_drawn: bool) -> float:
        state = playouts.state(position)
        net: float = playouts.play_out(state, DRAWN if is_drawn else PLAY, place)[place]
        return net

    def sample_deal(self, begun: Any, playouts: Any, rng: random.Random) -> tuple[Any, Any]:
        cards = list(begun.deck)
        rng.shuffle(cards)
        hands = [[cards.pop() for _ in hand] for hand in begun.position.hands]
        other = replace(begun.position, hands=hands, open_pile=[cards.pop()], closed=cards)
        return other, playouts


def _find_choice_after_draw(
    situation: LaidSituation, move: Move, playouts: Any
) -> Choice[Option] | None:
    position = situation.position
    state = playouts.state(position)
    discards = playouts.list_discards(state)
    laid = playouts.copy(state)
    playouts.lay(laid)
    hand, rest = state.hands[state.turn], laid.hands[state.turn]
    if move["kind"] != "discard":
        # Later melds of a turn belong to its first; a player who has laid before keeps nothing back.
        if situation.lays or position.has_laid[position.turn] or not rest:
            return None
        waiting = tuple(Option("wait", card) for card in discards[:_WAITING])
        return Choice("lay", Option("lay"), waiting)
    card = CARD_BY_TEXT[move["card"]]
    doing = "discard" if rest == hand else "wait"
    others = [
        Option(doing, other) for other in discards[:_DISCARDS] if other % FACES != card % FACES
    ]
    if rest == hand:
        return Choice("discard", Option(doing, card), tuple(others))
    return Choice("lay", Option(doing, card), (Option("lay"), *others))


def begin_laid(record: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Return the fields of the situation at the start of a deal, before the first move and with nothing laid."""
    return begin_deck(
        record, LaidPosition, melds=[], has_laid=[False] * len(record["order"]), **more
    )
