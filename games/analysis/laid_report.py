"""The analysis of a deal with melds on the table: its record read, its decisions judged, its luck."""

import random
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, ClassVar, Final

from games.analysis.judging import Effort, Verdict, evaluate_choice
from games.analysis.laid import Known, Option, Playouts, Position, build_known
from games.analysis.laid_reasons import Telling
from games.analysis.report import (
    Analysis,
    Decisions,
    Luck,
    Reading,
    Step,
    decision_json,
    write_card,
)
from games.cards import CARD_BY_TEXT, FACES, parse_face
from games.engine.base import JSON, Text, text
from games.engine.laid import Meld, cards_of_texts, extend_meld, melds_of
from games.engine.state import require

# Discards examined besides the one played; if something can be laid, those after laying nothing.
_DISCARDS: Final = 4
_WAITING: Final = 2
# Most sentences that a reader is given.
_MOST_REASONS: Final = 2
EFFORT: Final = Effort(first=60, second=120, last=700, confirming=1_400, deals=400)
# Orders of the deck for one draw, even with many draws.
_LEAST_ORDERS: Final = 4

# The card drawn from the closed deck; the policy's own play.
DRAWN: Final = Option("drawn")
PLAY: Final = Option("play")

Event = Mapping[str, Any]


@dataclass
class Situation(Reading):
    """All cards of a deal at one moment, and what everybody has seen of them.

    Places are indices into the order of play. The order of the closed deck is unknown.
    """

    rules: Any
    order: Sequence[int]
    position: Position
    deck: Sequence[int]
    # For each place, cards that everybody saw it take and that it still holds.
    taken: list[list[int]]
    # All cards that have been in the open pile.
    thrown: set[int]
    # Whether something was laid in this turn; cards of the closed deck drawn in this step.
    lays: bool = False
    drew: list[str] = field(default_factory=list)

    def read(self, step: Step) -> None:
        for event, _ in self.events(step):
            self.read_event(event)

    def events(self, step: Step) -> Iterator[tuple[Event, int | None]]:
        """Yield each event of a step before it is read, with the card that a draw from the deck brings."""
        drew = step.get("drew", [])
        self.drew = list(drew) if isinstance(drew, list) else [drew]
        for event in step["events"]:
            is_draw = event["kind"] == "drawn" and event["source"] == "closed"
            yield event, CARD_BY_TEXT[self.drew[0]] if is_draw else None

    def read_event(self, event: Event) -> None:
        reader = getattr(self, f"on_{event['kind']}", None)
        if reader is not None:
            reader(event, {})

    def build_known(self, place: int) -> Known:
        return build_known(self.position, place, self.taken, self.deck, self.thrown)

    def reshuffle(self, rng: random.Random) -> Position:
        """Return the deal with all hands known and the closed deck in another order."""
        position = self.position
        elsewhere = {*position.open_pile, *(card for meld in position.melds for card in meld.cards)}
        elsewhere.update(card for hand in position.hands for card in hand)
        closed = [card for card in self.deck if card not in elsewhere]
        rng.shuffle(closed)
        return replace(position, closed=closed)

    def sample_deal(self, rng: random.Random) -> Position:
        """Return another deal in which everybody holds as many cards."""
        cards = list(self.deck)
        rng.shuffle(cards)
        hands = [[cards.pop() for _ in hand] for hand in self.position.hands]
        return replace(self.position, hands=hands, open_pile=[cards.pop()], closed=cards)

    def on_turn(self, event: Event, step: Step) -> None:
        position = self.position
        position.has_laid[position.turn] |= self.lays
        super().on_turn(event, step)
        self.lays, position.laid = False, 0

    def on_drawn(self, event: Event, _step: Step) -> None:
        position, place = self.position, self.place_of(event)
        position.from_open = event["source"] == "open"
        if position.from_open:
            card = position.open_pile.pop()
            self.taken[place].append(card)
        else:
            card = CARD_BY_TEXT[self.drew.pop(0)]
        position.drawn = card
        position.hands[place].append(card)

    def on_bought(self, event: Event, _step: Step) -> None:
        place, card = self.place_of(event), self.position.open_pile.pop()
        self.position.hands[place] += [card, CARD_BY_TEXT[self.drew.pop(0)]]
        self.taken[place].append(card)
        self.position.buys = [
            left - (other == place) for other, left in enumerate(self.position.buys)
        ]

    def on_discarded(self, event: Event, _step: Step) -> None:
        card = CARD_BY_TEXT[event["card"]]
        self._part_with(self.place_of(event), [card])
        self.position.open_pile.append(card)
        self.thrown.add(card)
        self.position.drawn = None

    def on_melded(self, event: Event, _step: Step) -> None:
        position = self.position
        position.melds = [*position.melds, *melds_of(event)]
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
        self._part_with(self.place_of(event), [CARD_BY_TEXT[card] for card in cards])
        self.lays = True

    def _part_with(self, place: int, cards: Sequence[int]) -> None:
        position, gone = self.position, set(cards)
        position.hands[place] = [card for card in position.hands[place] if card not in gone]
        self.taken[place] = [card for card in self.taken[place] if card not in gone]

    def on_reshuffled(self, _event: Event, _step: Step) -> None:
        del self.position.open_pile[:-1]
        self.position.restocks += 1

    on_turned_over = on_reshuffled

    def on_dropped(self, event: Event, _step: Step) -> None:
        self._take_out(event, event["points"])

    def on_left(self, event: Event, _step: Step) -> None:
        if event["seat"] in self.order:
            self._take_out(event, 0)

    def _take_out(self, event: Event, points: int) -> None:
        place = self.place_of(event)
        # Copy them: playouts change a position in place.
        playing, lost = self.position.playing[:], self.position.lost[:]
        playing[place], lost[place] = False, points
        self.position.playing, self.position.lost = playing, lost


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision: the option chosen, and the alternatives."""

    kind: str
    chosen: Option
    others: tuple[Option, ...]

    @property
    def options(self) -> tuple[Option, ...]:
        return (self.chosen, *self.others)


@dataclass(frozen=True)
class LaidAnalysis(Analysis):
    """The analysis of a game with melds on the table. A game provides the decisions."""

    effort: Effort = EFFORT
    moves = 30
    # Kinds of moves that lay cards.
    laying: ClassVar[tuple[str, ...]]
    # Texts for options; `%(card)s` is the card, or the one on the open pile.
    told: ClassVar[Mapping[str, str]]

    @abstractmethod
    def begin(self, record: Mapping[str, Any]) -> Situation:
        """Return the deal as it was dealt, its first player at turn."""

    @abstractmethod
    def make_playouts(self, situation: Situation, rng: random.Random) -> Any:
        """Return the playouts of this deal."""

    @abstractmethod
    def make_telling(self, *seen: Any) -> Telling:
        """Return the sentences on a loss, of what `Telling` is made of."""

    def list_reasons(self, *seen: Any) -> list[Text]:
        """Return the weightiest sentences on a loss, of what `Telling` is made of."""
        return list(islice(self.make_telling(*seen).list_reasons(), _MOST_REASONS))

    def find_choice(self, situation: Situation, step: Step, playouts: Any) -> Choice | None:
        """Return the decision that a step of a seat was, or None if nothing could be decided."""
        move = step.get("move") or {}
        if move.get("kind") == "draw" and situation.position.open_pile:
            chosen = Option(move["source"])
            return Choice("pick", chosen, (Option("closed" if chosen.doing == "open" else "open"),))
        if move.get("kind") in (*self.laying, "discard"):
            return _find_choice_after_draw(situation, move, playouts)
        return None

    def kind_of(self, choice: Choice, verdict: Verdict[Option]) -> str:
        """Return the kind of a decision. With nothing laid either way, it is about the discard."""
        is_laid = "lay" in (choice.chosen.doing, verdict.best.doing)
        return "discard" if choice.kind == "lay" and not is_laid else choice.kind

    def judge_decisions(
        self, record: Mapping[str, Any], seat: int, rng: random.Random, effort: Effort
    ) -> Decisions:
        begun = self.begin(record)
        playouts = self.make_playouts(begun, rng)
        place = begun.order.index(seat) if seat in begun.order else 0
        for number, step, situation in begun.steps(record):
            if step.get("seat") != seat:
                continue
            choice = self.find_choice(situation, step, playouts)
            if choice is None or not choice.others:
                yield number, None
                continue
            known = situation.build_known(place)
            verdict = evaluate_choice(choice, known.nets(playouts, rng), effort)
            yield (
                number,
                self._describe_decision(number, choice, verdict, situation, known, playouts),
            )

    def _describe_decision(
        self,
        number: int,
        choice: Choice,
        verdict: Verdict[Option],
        situation: Situation,
        known: Known,
        playouts: Any,
    ) -> dict[str, JSON]:
        position, place = situation.position, known.place
        options = sorted(choice.options, key=lambda option: (option.doing, option.card or 0))
        opened = position.open_pile[-1] if position.open_pile else None
        reasons: Iterable[Text] = ()
        if verdict.loss:
            reasons = self.list_reasons(choice.chosen, verdict.best, situation, known, playouts)
        return decision_json(
            number,
            max(1, position.turns[place]),
            self.kind_of(choice, verdict),
            loss=verdict.loss,
            error=verdict.error,
            hand=position.hands[place],
            opened=opened,
            options=[self._describe_option(option, opened) for option in options],
            chosen=options.index(choice.chosen),
            best=options.index(verdict.best),
            reasons=reasons,
        )

    def _describe_option(self, option: Option, opened: int | None) -> tuple[Text, int | None]:
        message = self.told[option.doing]
        card = option.card if option.card is not None or "%(card)s" not in message else opened
        values = {"card": write_card(card)} if "%(card)s" in message else {}
        return text(message, **values), card

    def weigh_luck(
        self, record: Mapping[str, Any], place: int, rng: random.Random, effort: Effort
    ) -> Luck:
        """Return the value of the cards that came, less the mean of those that might have come.

        All hands are known after the deal. Both are 0 on average whatever the players do.
        """
        begun = self.begin(record)
        playouts = self.make_playouts(begun, rng)
        draws = sum(
            event["kind"] == "drawn" and event["source"] == "closed"
            for step in record["steps"]
            for event in step["events"]
        )
        orders = max(_LEAST_ORDERS, effort.orders // max(1, draws))
        dealt = self._compute_mean(begun.reshuffle, playouts, place, rng, effort.deals)
        usual = self._compute_mean(begun.sample_deal, playouts, place, rng, effort.deals)
        own = others = 0.0
        for step in record["steps"]:
            for event, card in begun.events(step):
                if card is not None:
                    worth = _estimate_worth_of_draw(begun, card, playouts, place, rng, orders)
                    if begun.position.turn == place:
                        own += worth
                    else:
                        others += worth
                begun.read_event(event)
        return Luck(dealt - usual, own, others)

    @staticmethod
    def _compute_mean(
        deal: Callable[[random.Random], Position],
        playouts: Any,
        place: int,
        rng: random.Random,
        count: int,
    ) -> float:
        nets = (
            playouts.play_out(playouts.state(deal(rng)), PLAY, place)[place] for _ in range(count)
        )
        return float(sum(nets)) / count


def _find_choice_after_draw(
    situation: Situation, move: Mapping[str, Any], playouts: Any
) -> Choice | None:
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


def _estimate_worth_of_draw(
    situation: Situation,
    card: int,
    playouts: Playouts[Any],
    place: int,
    rng: random.Random,
    orders: int,
) -> float:
    """Compare the same orders of the deck with and without the drawn card on top."""
    total = 0.0
    for _ in range(orders):
        other = situation.reshuffle(rng)
        closed = other.closed[:]
        at = closed.index(card)
        if at == len(closed) - 1:
            continue  # the same card: no difference
        closed[at], closed[-1] = closed[-1], closed[at]
        came = replace(other, closed=closed)
        total += playouts.play_out(playouts.state(came), DRAWN, place)[place]
        total -= playouts.play_out(playouts.state(other), DRAWN, place)[place]
    return total / orders


def begin_position(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a deal's first situation."""
    order = record["order"]
    places, opened = len(order), CARD_BY_TEXT[record["open"]]
    position = Position(
        hands=[[CARD_BY_TEXT[card] for card in record["hands"][str(seat)]] for seat in order],
        closed=[],
        open_pile=[opened],
        melds=[],
        playing=[True] * places,
        lost=[0] * places,
        turns=[1] + [0] * (places - 1),
        has_laid=[False] * places,
    )
    return {
        "order": order,
        "position": position,
        "taken": [[] for _ in order],
        "thrown": {opened},
    }
