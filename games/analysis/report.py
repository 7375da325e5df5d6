"""Analyses of all games: reading a record, their texts, and the report with its luck."""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Self

from games.analysis.judging import Effort
from games.cards import CARD_BY_TEXT, CARD_TEXT, FACE_TEXT, FACES
from games.engine.base import DEAL_ENDS, JSON, Text, text
from games.engine.base import gettext_noop as _

# For games whose decisions are judged by playouts.
PLAYED_OUT: Final = text(
    _(
        "Every decision of yours is played out many times with cards that you could not see. "
        "The cards that really came do not count against you. Nobody else sees it."
    )
)
_SIGNS: Final = str.maketrans("SHDC", "♠♥♦♣")


def compute_outcome(record: Mapping[str, Any], seat: int) -> float | None:
    """Return a seat's net points: losers pay the winners.

    None if the seat was not in the deal, or the deal was broken off.
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


def is_closed_draw(step: Mapping[str, Any]) -> bool:
    return any(event["kind"] == "drawn" and event["source"] == "closed" for event in step["events"])


def count_turns(record: Mapping[str, Any], seat: int) -> int:
    """Return the number of the seat's turns in the deal."""
    events = [event for step in record["steps"] for event in step["events"]]
    later = sum(event["kind"] == "turn" and event["seat"] == seat for event in events)
    begins: bool = record["order"][0] == seat
    return int(later) + begins


def write_card(card: int | None) -> str:
    """Write a card for people: "9♦", "10♠"; a printed joker is "PJ"."""
    if card is None:
        return ""
    name = FACE_TEXT[card % FACES]
    if name == "PJ":
        return "PJ"
    return name.translate(_SIGNS).replace("T", "10")


def hand_json(cards: Sequence[int]) -> list[str]:
    """Write a hand by suit and rank, printed jokers last."""
    return [CARD_TEXT[card] for card in sorted(cards, key=lambda card: (card % FACES, card))]


def text_json(told: Text) -> dict[str, JSON]:
    return {"message": told.message, "values": dict(told.values)}


def decision_json(  # noqa: PLR0913 - the fields of a decision
    step: int,
    own_turn: int,
    kind: str,
    *,
    loss: float,
    error: float = 0.0,
    hand: Sequence[int],
    opened: int | None = None,
    options: Sequence[tuple[Text, int | None]] = (),
    chosen: int | None = None,
    best: int | None = None,
    reasons: Iterable[Text],
) -> dict[str, JSON]:
    """Return a decision of `games.engine.game.DealAnalysis`. Options are texts with their cards."""
    return {
        "step": step,
        "own_turn": own_turn,
        "kind": kind,
        "loss": round(float(loss), 2),
        "error": round(error, 2),
        "hand": hand_json(hand),
        "open": None if opened is None else CARD_TEXT[opened],
        "options": [
            {"text": text_json(told), "card": None if card is None else CARD_TEXT[card]}
            for told, card in options
        ],
        "chosen": chosen,
        "best": best,
        "reasons": [text_json(reason) for reason in reasons],
    }


Step = Mapping[str, Any]


@dataclass(slots=True)
class Reading:
    """All cards of a deal at one moment. Places are indices into the order of play.

    A game's method `on_KIND` takes in an event of this kind, and the step that it belongs to.
    """

    rules: Any
    order: Sequence[int]
    position: Any

    def read(self, step: Step) -> None:
        """Update the situation by a step of the record."""
        for event in step["events"]:
            reader = getattr(self, f"on_{event['kind']}", None)
            if reader is not None:
                reader(event, step)

    def place_of(self, event: Mapping[str, Any]) -> int:
        return self.order.index(event["seat"])

    def on_turn(self, event: Mapping[str, Any], _step: Step) -> None:
        position, place = self.position, self.place_of(event)
        position.turn, position.drawn = place, None
        position.turns[place] += 1

    def steps(self, record: Mapping[str, Any]) -> Iterator[tuple[int, Step, Self]]:
        """Yield each step of the record with its number from 0 and the situation before it.

        The situation is one object that changes: use it before asking for the next.
        """
        for number, step in enumerate(record["steps"]):
            yield number, step, self
            self.read(step)


Progress = Callable[[int, int], None]
# Numbers of the player's own steps in order, each with its decision, or None.
Decisions = Iterable[tuple[int, dict[str, JSON] | None]]


@dataclass(frozen=True, slots=True)
class Luck:
    """Luck in net points of the seat: by the deal, by its own draws, and by the other players' draws."""

    deal: float
    draws: float
    others: float

    @property
    def total(self) -> float:
        return self.deal + self.draws + self.others


def ignore_progress(_done: int, _total: int) -> None:
    """Discard the progress, which nobody needs."""


@dataclass(frozen=True)
class Analysis(ABC):
    """The analysis of a deal, `Game.analysis`. A game judges the decisions and weighs the luck."""

    effort: Effort = field(default_factory=Effort)
    # Raise it when decisions or luck would be judged differently: stored reports are computed again.
    version: int = 1
    kinds: ClassVar[Mapping[str, Text]]
    about: ClassVar[Text] = PLAYED_OUT
    # Own moves that get the full effort; in longer deals each gets less.
    moves: ClassVar[int]

    @abstractmethod
    def judge_decisions(
        self, record: Mapping[str, Any], seat: int, rng: random.Random, effort: Effort
    ) -> Decisions:
        """Judge the decisions of a seat."""

    @abstractmethod
    def weigh_luck(
        self, record: Mapping[str, Any], place: int, rng: random.Random, effort: Effort
    ) -> Luck:
        """Weigh the cards that came to a place in the order of play."""

    @abstractmethod
    def note(self, record: Mapping[str, Any]) -> Text:
        """Return a note about the whole deal for its reader."""

    def write_card(self, card: str) -> str:
        return write_card(CARD_BY_TEXT[card])

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
        luck = self.weigh_luck(record, record["order"].index(seat), rng, full)
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
            "notes": [text_json(self.note(record))],
            "decisions": found,
        }
