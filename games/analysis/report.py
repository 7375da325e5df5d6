"""The analysis of a finished deal, shared by all games: its decisions, their losses with reasons, and the luck."""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar, Final

from games.analysis.explanations import Explanation
from games.analysis.judging import Choice, Effort, Verdict, evaluate_choice
from games.analysis.moments import Moment
from games.analysis.situations import DealSituation, Move, Step, is_unseen_draw
from games.analysis.writing import write_card
from games.cards import CARD_BY_TEXT, CARD_TEXT, FACES
from games.engine.base import DEAL_ENDS, JSON, Text, text
from games.engine.base import gettext_noop as _

# For games whose decisions are judged by playouts.
PLAYED_OUT: Final = text(
    _(
        "Each of your decisions is played out many times, with the cards that you could "
        "not see dealt at random. The cards that really came do not count against you. "
        "Nobody else sees the analysis."
    )
)
# The most reasons that a report gives.
_MOST_REASONS: Final = 2


def compute_outcome(record: Mapping[str, Any], seat: int) -> float | None:
    """Return a seat's net points, given that losers pay the winners.

    Returns None if the seat was not in the deal, or the deal was broken off.
    """
    if seat not in record["order"]:
        return None
    for step in record["steps"]:
        for event in step["events"]:
            if event["kind"] == DEAL_ENDS:
                points, winners = event["points"], event["winners"]
                lost = sum(points.values())
                return lost / len(winners) if seat in winners else -float(points[str(seat)])
    return None


def count_turns(record: Mapping[str, Any], seat: int) -> int:
    """Return the number of the seat's turns in the deal."""
    events = [event for step in record["steps"] for event in step["events"]]
    later = sum(event["kind"] == "turn" and event["seat"] == seat for event in events)
    begins: bool = record["order"][0] == seat
    return int(later) + begins


def hand_json(cards: Sequence[int]) -> list[str]:
    """Write a hand in the order of suits and ranks, printed jokers last."""
    return [CARD_TEXT[card] for card in sorted(cards, key=lambda card: (card % FACES, card))]


def text_json(told: Text) -> dict[str, JSON]:
    return {"message": told.message, "values": dict(told.values)}


Progress = Callable[[int, int], None]
# Numbers of the player's own steps in order, each with its decision, or None.
Decisions = Iterable[tuple[int, dict[str, JSON] | None]]


@dataclass(frozen=True, slots=True)
class Luck:
    """A seat's luck in net points: from the cards dealt, from its own draws, and from the other players' draws."""

    deal: float
    draws: float
    others: float

    @property
    def total(self) -> float:
        return self.deal + self.draws + self.others


@dataclass(frozen=True, slots=True)
class Count:
    """A hand as a player laid it out to be counted: its points, the fewest possible points, and the loss, all exact."""

    kind: str
    counted: int
    least: int
    loss: float
    more_reasons: tuple[Text, ...] = ()


def ignore_progress(_done: int, _total: int) -> None:
    """Ignore the progress. This is the default for callers that do not need it."""


@dataclass(frozen=True)
class Analysis(ABC):
    """The analysis of a deal (`Game.analysis`).

    A game provides its situations, the choices in them, the worlds to play the options out in (`moment`), the reasons
    for a loss (`explanation`), and the value of cards (for luck).
    """

    effort: Effort = field(default_factory=Effort)
    # Raise it when the same deal would get another report: stored reports are computed again.
    version: int = 1
    kinds: ClassVar[Mapping[str, Text]]
    about: ClassVar[Text] = PLAYED_OUT
    # Own moves that get the full effort; in longer deals each gets less.
    moves: ClassVar[int]
    moment: ClassVar[type[Moment]]
    explanation: ClassVar[type[Explanation]]
    # Texts for options; `%(card)s` is the card, or the one on the open pile.
    option_texts: ClassVar[Mapping[str, str]]

    # --- Provided by a game.

    @abstractmethod
    def begin(self, record: Mapping[str, Any]) -> DealSituation:
        """Return the situation just after the cards were dealt, at the beginning of the first turn."""

    @abstractmethod
    def describe_deal(self, record: Mapping[str, Any]) -> Text:
        """Return a note about the whole deal for the reader of the report."""

    @abstractmethod
    def find_choice(self, situation: Any, move: Move, playouts: Any) -> Choice[Any] | None:
        """Return the choice that the player made with this move, or None if there was nothing to decide."""

    @abstractmethod
    def estimate_luck_of_deal(self, moment: Moment, effort: Effort) -> float:
        """Return the value of the cards dealt, in net points of the moment's player, less the mean over all deals."""

    @abstractmethod
    def estimate_luck_of_draw(
        self, moment: Moment, drawer: int, cards: Sequence[int], orders: int
    ) -> float:
        """Return the value of a draw to the moment's player, in net points, less the mean over all possible cards.

        `orders` is the number of orders of the deck in which the cards are compared.
        """

    def make_playouts(self, _situation: Any, _rng: random.Random) -> Any:
        """Return the playouts of this deal, or None for games that do not use any."""
        return None

    def judge_choice(self, choice: Choice[Any], moment: Moment, effort: Effort) -> Verdict[Any]:
        return evaluate_choice(choice, moment.nets, effort)

    def get_kind(self, choice: Choice[Any], _verdict: Verdict[Any]) -> str:
        """Return the kind under which a decision is reported."""
        return choice.kind

    def list_options(
        self, choice: Choice[Any], _verdict: Verdict[Any], _moment: Moment
    ) -> list[Any]:
        """Return the options of a decision, in the order in which the report lists them."""
        return sorted(choice.options, key=lambda option: option.sort_key)

    def describe_option(self, option: Any, situation: Any) -> tuple[Text, int | None]:
        """Return the text of an option, and its card or None."""
        message = self.option_texts[option.doing]
        is_about_card = "%(card)s" in message
        card = situation.opened if option.card is None and is_about_card else option.card
        return Text(message, {"card": write_card(card)} if is_about_card else {}), card

    def count_hand(self, _situation: Any, _move: Move, _place: int, _playouts: Any) -> Count | None:
        """Return the count if the move lays out a hand for which fewer points were possible, else None."""
        return None

    def write_card(self, card: str) -> str:
        return write_card(CARD_BY_TEXT[card])

    # --- The same for every game.

    def analyse(
        self,
        record: Mapping[str, Any],
        seat: int,
        *,
        rng: random.Random,
        progress: Progress = ignore_progress,
        part: float = 1,
    ) -> dict[str, JSON] | None:
        """See `games.engine.game.DealAnalysis`."""
        result = compute_outcome(record, seat)
        if result is None:
            return None
        own = [number for number, step in enumerate(record["steps"]) if step.get("seat") == seat]
        total = len(own) + 1
        full = self.effort.scale(part)
        found: list[JSON] = []
        for number, decision in self.judge_decisions(
            record, seat, rng, full.scale(min(1, self.moves / max(1, len(own))))
        ):
            if decision is not None:
                found.append(decision)
            progress(own.index(number) + 1, total)
        luck = self.estimate_luck(record, record["order"].index(seat), rng, full)
        progress(total, total)
        return {
            "result": result,
            "luck": {
                "deal": round(luck.deal, 1),
                "draws": round(luck.draws, 1),
                "others": round(luck.others, 1),
            },
            "adjusted": round(result - luck.total, 1),
            "turns": count_turns(record, seat),
            "notes": [text_json(self.describe_deal(record))],
            "decisions": found,
        }

    def read_situations(self, record: Mapping[str, Any]) -> Iterator[tuple[int, Step, Any]]:
        """Yield each step of the record with its number and the situation before it."""
        return self.begin(record).steps(record)

    def judge_decisions(
        self, record: Mapping[str, Any], seat: int, rng: random.Random, effort: Effort
    ) -> Decisions:
        """Yield the number of each step of a seat, and the judged decision or None if there was nothing to decide."""
        begun = self.begin(record)
        playouts = self.make_playouts(begun, rng)
        place = begun.order.index(seat)
        for number, step, situation in begun.steps(record):
            if step.get("seat") == seat:
                moment = self.moment(situation, place, playouts, rng)
                yield number, self._judge_step(number, step, moment, effort)

    def _judge_step(
        self, number: int, step: Step, moment: Moment, effort: Effort
    ) -> dict[str, JSON] | None:
        situation, move = moment.situation, step.get("move")
        if move is None:
            return None
        count = self.count_hand(situation, move, moment.place, moment.playouts)
        if count is not None:
            return _describe_count(number, count, moment)
        choice = self.find_choice(situation, move, moment.playouts)
        if choice is None or not choice.others:
            return None
        verdict = self.judge_choice(choice, moment, effort)
        options = self.list_options(choice, verdict, moment)
        return decision_json(
            number,
            self.get_kind(choice, verdict),
            moment,
            loss=verdict.loss,
            error=verdict.error,
            opened=situation.opened,
            options=[self.describe_option(option, situation) for option in options],
            chosen=options.index(choice.chosen),
            best=options.index(verdict.best),
            reasons=self.list_reasons(choice, verdict, moment),
        )

    def list_reasons(
        self, choice: Choice[Any], verdict: Verdict[Any], moment: Moment
    ) -> list[Text]:
        """Return the strongest reasons for a loss, or an empty list if there was no loss."""
        if not verdict.loss:
            return []
        explanation = self.explanation(choice, verdict, moment)
        return list(islice(explanation.list_reasons(), _MOST_REASONS))

    def estimate_luck(
        self, record: Mapping[str, Any], place: int, rng: random.Random, effort: Effort
    ) -> Luck:
        """Return the value of the cards that came, less the mean value of those that might have come.

        All hands are known after the deal. Every part of the luck is 0 on average, however the players play, so the
        result less the luck is an unbiased measure of play.
        """
        begun = self.begin(record)
        playouts = self.make_playouts(begun, rng)
        events = [event for step in record["steps"] for event in step["events"]]
        orders = effort.orders // max(1, sum(map(is_unseen_draw, events)))
        own = others = 0.0
        for situation, drawer, cards in begun.draws(record):
            moment = self.moment(situation, place, playouts, rng)
            worth = self.estimate_luck_of_draw(moment, drawer, cards, orders)
            if drawer == place:
                own += worth
            else:
                others += worth
        moment = self.moment(self.begin(record), place, playouts, rng)
        dealt = self.estimate_luck_of_deal(moment, effort)
        return Luck(dealt, own, others)


def decision_json(  # noqa: PLR0913 - the fields of a decision
    step: int,
    kind: str,
    moment: Moment,
    *,
    loss: float,
    error: float = 0.0,
    opened: int | None = None,
    options: Sequence[tuple[Text, int | None]] = (),
    chosen: int | None = None,
    best: int | None = None,
    reasons: Iterable[Text],
) -> dict[str, JSON]:
    """Return a decision as `games.engine.game.DealAnalysis` defines it. Each option is a text with its card."""
    situation, place = moment.situation, moment.place
    return {
        "step": step,
        "own_turn": max(1, situation.position.turns[place]),
        "kind": kind,
        "loss": round(float(loss), 2),
        "error": round(error, 2),
        "hand": hand_json(situation.list_hand(place)),
        "open": None if opened is None else CARD_TEXT[opened],
        "options": [
            {"text": text_json(told), "card": None if card is None else CARD_TEXT[card]}
            for told, card in options
        ],
        "chosen": chosen,
        "best": best,
        "reasons": [text_json(reason) for reason in reasons],
    }


def _describe_count(number: int, count: Count, moment: Moment) -> dict[str, JSON]:
    counted = text(
        _("In other groups your hand counts %(least)s instead of %(counted)s."),
        least=count.least,
        counted=count.counted,
    )
    reasons = (counted, *count.more_reasons)
    return decision_json(number, count.kind, moment, loss=count.loss, reasons=reasons)
