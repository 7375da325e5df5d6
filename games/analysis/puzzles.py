"""Puzzles of all games: anonymous deals, the search for positions with one clear answer, and the verdict on answers.

A decision makes a puzzle if every wrong answer is far worse than the right ones, in the same hidden worlds as in the
analysis of the deal. A game provides the options of its positions (`DecisionPuzzles`).
"""

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, ClassVar, Final, TypeVar

from games.analysis.judging import Choice, Verdict
from games.analysis.moments import Moment
from games.analysis.report import Analysis, text_json
from games.analysis.situations import Step
from games.cards import (
    CARD_TEXT,
    FACE_RANK,
    FACE_SUIT,
    FACE_TEXT,
    FACES,
    PRINTED_JOKER,
    SUITS,
    full_deck,
)
from games.engine.base import JSON, Text, text
from games.engine.base import gettext_noop as _
from games.engine.game import BadAnswer, PuzzleKind

Puzzle = dict[str, dict[str, Any]]

# Codes of kinds that several games have.
ARRANGE: Final = "arrange"
DISCARD: Final = "discard"
PICK: Final = "pick"
PICKING: Final = PuzzleKind(
    text(_("Which pile?")),
    text(_("It is your turn. Where do you draw?")),
    {
        "open": (text(_("Take the open card")), text(_("Better: take the open card."))),
        "closed": (
            text(_("Draw from the closed deck")),
            text(_("Better: draw from the closed deck.")),
        ),
    },
)
DISCARDING: Final = PuzzleKind(text(_("Which discard?")), text(_("Which card do you discard?")))

# Positions after this many own turns have too much history to explain.
LAST_TURN: Final = 6
# Required difference in points after each look, and in the end also in standard errors.
STANDARD_ERRORS: Final = 3
# Options besides the best one that get a second look.
_RIVALS: Final = 4


def write_face(card: int) -> str:
    """Write the face of a card: "7H", "PJ"."""
    return FACE_TEXT[card % FACES]


def write_faces(cards: Iterable[int]) -> list[JSON]:
    return [write_face(card) for card in cards]


@dataclass(frozen=True, slots=True)
class Bar:
    """The lead that the right answers must have, in net points.

    The lead is how much less the best wrong answer is worth than the best right one. `hopeful` is the lead required
    after the first and the second stage, and `least` the one required in the end. A position with a lead beyond
    `largest` is too obvious. Up to `most_right` options may be right at once, if they are nearly equally good.
    """

    hopeful: tuple[float, float] = (1.0, 5.0)
    least: float = 2.0
    largest: float = 40.0
    most_right: int = 1


@dataclass(frozen=True, slots=True)
class Looks:
    """The effort of a search for puzzles.

    `first` is the number of worlds in which all options are compared, `second` the number for the best options, and
    `last` the number for the answer. At most `looked_at` positions of a deal reach the first of these stages, and at
    most `answered` positions the last one.
    """

    first: int = 24
    second: int = 100
    last: int = 400
    looked_at: int = 10
    answered: int = 1


# For games with fast playouts and smaller differences.
MORE_LOOKS: Final = Looks(first=48, second=200, last=800, answered=2)


@dataclass(frozen=True, eq=False)
class PuzzlePosition:
    """A decision of a seat in a finished deal, with the options from which the answers are made."""

    analysis: Analysis
    kind: str
    moment: Moment
    options: tuple[Any, ...]
    deal: Mapping[str, Any]

    def nets(self, options: Sequence[Any]) -> list[float]:
        """Return the net points of each option, all of them played out in one fresh world."""
        return self.moment.nets(options)

    def answer(self, option: Any) -> str:
        """Return the answer that stands for this option: a face or a word."""
        return str(option.doing) if option.card is None else write_face(option.card)

    def task(self) -> dict[str, JSON]:
        """Return the position as its seat saw it, with cards as faces.

        `others` has the discards and the taken cards of each other player, in the order of play.
        """
        situation, place = self.moment.situation, self.moment.place
        places, opened = len(situation.order), situation.opened
        following = [(place + later) % places for later in range(1, places)]
        return {
            "hand": write_faces(sorted(situation.list_hand(place), key=lambda card: card % FACES)),
            "open": None if opened is None else write_face(opened),
            "players": places,
            "turn": situation.position.turns[place],
            "threw": write_faces(situation.discards[place]),
            "others": [
                {
                    "threw": write_faces(situation.discards[other]),
                    "took": write_faces(situation.list_taken(other)),
                }
                for other in following
            ],
        }

    def list_notes(self) -> list[JSON]:
        """Return the analysis's note about the whole deal, in a list."""
        return [text_json(self.analysis.describe_deal(self.deal))]

    def list_reasons(self, chosen: Any, worth: "Worth") -> list[Text]:
        """Return the reasons why this option is worse than the best one."""
        others = tuple(other for other in worth.options if other != chosen)
        verdict = Verdict(worth.best, loss=worth.loss_of(chosen), worth=worth.means[chosen])
        return self.analysis.list_reasons(Choice(self.kind, chosen, others), verdict, self.moment)


class Worth:
    """The values of a position's options, in net points averaged over sampled worlds.

    An answer that covers several options is worth as much as the best of them.
    """

    def __init__(
        self, position: PuzzlePosition, options: Sequence[Any], rows: Sequence[Sequence[float]]
    ) -> None:
        self.answer = position.answer
        self.options = tuple(options)
        self.rows = rows
        self.means = {
            option: sum(row[n] for row in rows) / len(rows) for n, option in enumerate(options)
        }
        ranked = sorted(options, key=lambda option: -self.means[option])
        self.best = ranked[0]
        answers: dict[str, Any] = {}
        for option in ranked:
            answers.setdefault(self.answer(option), option)
        # The best option of each answer, the best answer first.
        self.ranked = tuple(answers.values())

    @classmethod
    def of(cls, position: PuzzlePosition, options: Sequence[Any], worlds: int) -> "Worth":
        return cls(position, options, [position.nets(options) for _ in range(worlds)])

    def gap(self, right: int) -> float:
        """Return the lead of the best answer over the best wrong one, in net points.

        `right` is how many of the best answers are right. The result is 0 if there is no wrong answer.
        """
        return self.loss_of(self.ranked[right]) if right < len(self.ranked) else 0.0

    def loss_of(self, option: Any) -> float:
        return self.means[self.best] - self.means[option]

    def find_right(self, bar: Bar) -> tuple[Any, ...]:
        """Return the right options: the fewest such that all others are clearly worse than the best one.

        An option is clearly worse if it is worth at least `bar.least` points less, and the difference is significant.
        The result is empty if more than `bar.most_right` options would be right.
        """
        for count in range(1, bar.most_right + 1):
            rivals = self.ranked[count:]
            if rivals and all(self._is_worse(rival, bar.least) for rival in rivals):
                return self.ranked[:count]
        return ()

    def _is_worse(self, rival: Any, least: float) -> bool:
        first, second = self.options.index(self.best), self.options.index(rival)
        differences = [row[first] - row[second] for row in self.rows]
        mean = sum(differences) / len(differences)
        spread = sum((one - mean) ** 2 for one in differences) / (len(differences) - 1)
        return mean >= max(least, STANDARD_ERRORS * sqrt(spread / len(differences)))


def find_decision(
    positions: Iterable[PuzzlePosition], bar: Bar, looks: Looks, *, wanted: str | None = None
) -> Puzzle | None:
    """Return the first position that makes a puzzle, or None.

    If `wanted` is given, return only a puzzle whose best answer is `wanted`. The worlds of the first two stages are not
    used for the answer.
    """
    answered = 0
    for number, position in enumerate(positions):
        if number == looks.looked_at or answered == looks.answered:
            return None
        first = Worth.of(position, position.options, looks.first)
        if not _is_between(first, bar, wanted, bar.hopeful[0]):
            continue
        best = first.ranked[: 1 + _RIVALS]
        if not _is_between(Worth.of(position, best, looks.second), bar, wanted, bar.hopeful[1]):
            continue
        answered += 1
        worth = Worth.of(position, position.options, looks.last)
        right = worth.find_right(bar)
        if right and _is_between(worth, bar, wanted):
            return _make_puzzle(position, worth, right)
    return None


def _is_between(worth: Worth, bar: Bar, wanted: str | None, least: float = 0.0) -> bool:
    if wanted is not None and worth.answer(worth.best) != wanted:
        return False
    return least <= worth.gap(bar.most_right) <= bar.largest


def _make_puzzle(position: PuzzlePosition, worth: Worth, right: tuple[Any, ...]) -> Puzzle:
    def reasons(option: Any) -> list[JSON]:
        """Explain why a wrong answer is wrong or, for a right one, why the best wrong answer is worse."""
        chosen = worth.ranked[len(right)] if option in right else option
        return [text_json(reason) for reason in position.list_reasons(chosen, worth)]

    options: list[JSON] = [
        {
            "answer": position.answer(option),
            "loss": round(worth.loss_of(option), 1),
            "reasons": reasons(option),
        }
        for option in worth.ranked
    ]
    return {
        "task": position.task(),
        "solution": {"right": [position.answer(option) for option in right], "options": options},
    }


class DecisionPuzzles(ABC):
    """Puzzles about decisions, judged by the analysis of the deal. A game lists the options of its positions."""

    analysis: Any
    looks: Looks
    kinds: Mapping[str, PuzzleKind]
    bars: ClassVar[Mapping[str, Bar]]
    # For each kind, the moves whose positions are asked.
    moves: ClassVar[Mapping[str, Sequence[str]]]
    position: ClassVar[type[PuzzlePosition]] = PuzzlePosition

    @abstractmethod
    def list_options(self, situation: Any, kind: str, playouts: Any) -> tuple[Any, ...]:
        """Return the options of the current player for this kind of puzzle.

        The result is empty if the situation makes no puzzle.
        """

    def list_positions(
        self, deal: Mapping[str, Any], kind: str, rng: random.Random
    ) -> Iterator[PuzzlePosition]:
        """Yield, in random order, the positions of the deal that may make a puzzle of this kind."""
        playouts = self.analysis.make_playouts(self.analysis.begin(deal), rng)
        for number in shuffle_steps(deal, self.moves[kind], rng):
            situation = find_situation(self.analysis.begin(deal).steps(deal), number)
            options = self.list_options(situation, kind, playouts)
            if len(options) > 1:
                moment = self.analysis.moment(situation, situation.position.turn, playouts, rng)
                yield self.position(self.analysis, kind, moment, options, deal)

    def find_decision(
        self,
        deal: Mapping[str, Any],
        kind: str,
        rng: random.Random,
        wanted: str | None = None,
    ) -> Puzzle | None:
        """Return a puzzle from this deal, or None. If `wanted` is given, it must be the best answer of the puzzle."""
        positions = self.list_positions(deal, kind, rng)
        return find_decision(positions, self.bars[kind], self.looks, wanted=wanted)

    def judge(
        self, _kind: str, _task: Mapping[str, Any], solution: Mapping[str, Any], answer: str
    ) -> dict[str, Any]:
        return judge_choice(solution, answer)


def judge_choice(solution: Mapping[str, Any], answer: str) -> dict[str, Any]:
    """Return whether an answer that is one of the options is `right`, and its `loss` in points.

    Raises `BadAnswer` if the answer is none of the options.
    """
    for option in solution["options"]:
        if option["answer"] == answer:
            return {"right": answer in solution["right"], "loss": option["loss"]}
    raise BadAnswer


def read_groups(cards: Sequence[str], answer: str) -> tuple[list[list[str]], list[str]]:
    """Return the groups of an answer ("4H 5H 6H|7S 7C PJ"), and the faces of the cards that are in no group.

    Raises `BadAnswer` if the answer has an empty group, or a card that is not among `cards`.
    """
    groups = [group.split() for group in answer.split("|")] if answer.strip() else []
    left = Counter(cards)
    left.subtract(face for group in groups for face in group)
    if not all(groups) or min(left.values()) < 0:
        raise BadAnswer
    return groups, list(left.elements())


# --- A deal whose players nobody can recognise.


_KEPT: Final = ("rules", "order", "wild", "open", "contract", "hands", "steps")
_KEPT_OF_STEP: Final = ("seat", "move", "events", "drew")


def mask_deal(record: Mapping[str, Any], packs: int, rng: random.Random) -> dict[str, Any]:
    """Return the same deal without players and dates, and with its suits and packs exchanged at random.

    Use it only for games whose rules treat all suits alike, so that every decision keeps its value.
    """
    suits = dict(zip(SUITS, rng.sample(SUITS, len(SUITS)), strict=True))
    others = rng.sample(range(packs), packs)
    names = {
        CARD_TEXT[card]: f"{_face(card.face, suits)}.{others[card.pack]}"
        for card in full_deck(packs)
    }
    names |= {FACE_TEXT[face]: _face(face, suits) for face in range(FACES)}
    kept = {name: record[name] for name in _KEPT if name in record}
    kept["steps"] = [
        {name: step[name] for name in _KEPT_OF_STEP if name in step} for step in record["steps"]
    ]
    renamed: dict[str, Any] = _rename_cards(kept, names)
    return renamed


def _face(face: int, suits: Mapping[str, str]) -> str:
    name = FACE_TEXT[face % FACES]
    return name if face == PRINTED_JOKER else name[0] + suits[name[1]]


def _rename_cards(value: Any, names: Mapping[str, str]) -> Any:
    """Rename the cards in a record. No other string in a record looks like a card."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, Mapping):
        return {key: _rename_cards(of, names) for key, of in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rename_cards(of, names) for of in value]
    return value


SituationT = TypeVar("SituationT")


def find_situation(steps: Iterable[tuple[int, Step, SituationT]], number: int) -> SituationT:
    """Return the situation before the step of this number."""
    for at, _step, situation in steps:
        if at == number:
            return situation
    raise IndexError(number)


def count_crossing(faces: set[int]) -> int:
    """Return how many of these cards could be used in a run of three as well as in a set of three."""
    return sum(_is_in_run(one, faces) and _is_in_set(one, faces) for one in faces)


def _is_in_run(one: int, faces: set[int]) -> bool:
    ranks = {FACE_RANK[other] for other in faces if FACE_SUIT[other] == FACE_SUIT[one]}
    rank = FACE_RANK[one]
    return any({rank + first + n for n in range(3)} <= ranks for first in (-2, -1, 0))


def _is_in_set(one: int, faces: set[int]) -> bool:
    return sum(FACE_RANK[other] == FACE_RANK[one] for other in faces) >= 3


def shuffle_steps(
    deal: Mapping[str, Any], moves: Collection[str], rng: random.Random
) -> Iterator[int]:
    """Yield, in random order, the numbers of the steps that have one of these moves."""
    steps = deal["steps"]
    numbers = [n for n, step in enumerate(steps) if (step.get("move") or {}).get("kind") in moves]
    rng.shuffle(numbers)
    yield from numbers
