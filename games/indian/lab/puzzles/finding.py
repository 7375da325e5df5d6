"""Puzzles from the record of a finished deal.

An arrangement is solved exactly. Discards and drops are judged by the playouts of the analysis
(docs/analysis.md): every option in the same worlds, and only where the best option is far better
than every other.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, Final

from games.analysis.judging import Verdict
from games.analysis.report import text_json
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
from games.indian.bots.playouts import Hands, Playouts, loose_cards, playouts
from games.indian.lab.analysis.options import Choice, Kind, Option, finishing_card, imagined
from games.indian.lab.analysis.reading import Situation, at_the_beginning, situations
from games.indian.lab.analysis.reasons import reasons_for
from games.indian.lab.puzzles.tasks import (
    ARRANGE,
    DISCARD,
    DROP,
    face,
    faces,
    hand_task,
    judged,
    position_task,
)
from games.indian.rules.melds import MIN_MELD, meld_kind
from games.indian.rules.ruleset import parse_rules
from games.indian.rules.state import drop_points
from games.indian.words import TEXTS

KINDS: Final[Mapping[str, Text]] = {
    ARRANGE: text(_("Arrange this hand")),
    DISCARD: text(_("Which discard?")),
    DROP: text(_("Drop or play?")),
}
# Own turns after which a position has too much to tell.
_LAST_TURN: Final = 6
# An arrangement is a puzzle with so many melds, and so much that may lie in more than one.
_LEAST_MELDS: Final = 3
_LEAST_DOUBT: Final = 2
_MOST_LEFT: Final = 60
_FIRST_ARRANGED_TURN: Final = 3
# A discard is a puzzle with so many cards to choose among that lie in no meld.
_LEAST_LOOSE: Final = 4
# A difference has to be so many points after each look, and for good so many standard errors too.
_STANDARD_ERRORS: Final = 3
_HOPEFUL: Final = {DISCARD: (1.0, 5.0), DROP: (4.0, 6.0)}
_LEAST_GAP: Final = {DISCARD: 2.0, DROP: 5.0}
# Beyond it nobody need be asked.
_LARGEST_GAP: Final = {DISCARD: 40.0, DROP: 20.0}
# Of two discards that are as good as each other both are right.
_MOST_RIGHT: Final = {DISCARD: 2, DROP: 1}
# Options beside the best one that get a second look.
_RIVALS: Final = 4
_SEARCHES_FOR_DROPS: Final = 0.8
PLAY: Final = "play"

Puzzle = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class PositionPuzzles:
    """The puzzles of 13-card Indian rummy, `Game.puzzles`.

    The fields are the worlds for a first look at all options, for a second at the best, and for
    the answer, and the numbers of positions of a deal that get the first look and the last.
    """

    first: int = 24
    second: int = 100
    last: int = 400
    looked_at: int = 10
    answered: int = 1
    kinds: Mapping[str, Text] = field(default_factory=lambda: KINDS)

    def find(self, record: Mapping[str, Any], kind: str, *, rng: random.Random) -> Puzzle | None:
        """See `games.engine.game.DealPuzzles`."""
        deal = masked(record, rng)
        if kind == ARRANGE:
            return _arrangement(deal)
        finder = _Finder(deal, kind, rng, self)
        return next(iter(finder.puzzles()), None)

    def judge(
        self, kind: str, task: Mapping[str, Any], solution: Mapping[str, Any], answer: str
    ) -> dict[str, Any]:
        return judged(kind, task, solution, answer)


# --- Arrange this hand.


def _arrangement(deal: Mapping[str, Any]) -> Puzzle | None:
    """Return the hand of the deal whose arrangement is most doubtful."""
    begun = at_the_beginning(deal)
    hands = Hands(begun.wild, begun.rules)
    best: tuple[int, Puzzle] | None = None
    for _number, step, situation in situations(deal):
        position = situation.position
        if (step.get("move") or {}).get("kind") != "draw":
            continue
        if position.turns[position.turn] < _FIRST_ARRANGED_TURN:
            continue
        hand = position.hands[position.turn]
        doubt = _doubt(hand, hands)
        if doubt < _LEAST_DOUBT or (best is not None and doubt <= best[0]):
            continue
        solution = _laid_out(situation, hands)
        if solution is not None:
            best = doubt, {"task": hand_task(situation, deal["rules"]), "solution": solution}
    return None if best is None else best[1]


def _laid_out(situation: Situation, hands: Hands) -> dict[str, JSON] | None:
    rules, wild = situation.rules, situation.wild
    arranged = hands.arranged(situation.position.hands[situation.position.turn])
    if len(arranged.groups) < _LEAST_MELDS or arranged.points > _MOST_LEFT:
        return None
    return {
        "points": arranged.points,
        "declarable": arranged.declarable,
        "groups": [
            {
                "cards": faces(group),
                "title": text_json(TEXTS[f"kind_{meld_kind(group, wild, rules)}"]),
            }
            for group in arranged.groups
        ],
        "loose": faces(arranged.loose),
    }


def _doubt(hand: Sequence[int], hands: Hands) -> int:
    """Count jokers, and cards that lie in both a run and a set of three natural cards."""
    naturals = {card % FACES for card in hand if not hands.is_joker(card)}
    jokers = sum(map(hands.is_joker, hand))
    return jokers + sum(_is_in_run(one, naturals) and _is_in_set(one, naturals) for one in naturals)


def _is_in_run(one: int, naturals: set[int]) -> bool:
    ranks = {FACE_RANK[other] for other in naturals if FACE_SUIT[other] == FACE_SUIT[one]}
    rank = FACE_RANK[one]
    return any({rank + first + n for n in range(3)} <= ranks for first in (-2, -1, 0))


def _is_in_set(one: int, naturals: set[int]) -> bool:
    return sum(FACE_RANK[other] == FACE_RANK[one] for other in naturals) >= MIN_MELD


# --- Which discard, drop or play.


class _Finder:
    def __init__(
        self, deal: Mapping[str, Any], kind: str, rng: random.Random, effort: PositionPuzzles
    ) -> None:
        self.deal = deal
        self.kind: Kind = "drop" if kind == DROP else "discard"
        self.rng = rng
        self.effort = effort
        # Few hands should be dropped; most searches ask for one, so that puzzles are of both.
        asked = DROP if rng.random() < _SEARCHES_FOR_DROPS else PLAY
        self.wanted = asked if kind == DROP else None
        begun = at_the_beginning(deal)
        self.playouts: Playouts = playouts(begun.rules, begun.wild, rng)
        self.hands = self.playouts.hands

    def puzzles(self) -> Iterator[Puzzle]:
        answered = 0
        for situation, options in self._looked_at():
            if answered == self.effort.answered:
                return
            if not self._is_hopeful(situation, options):
                continue
            answered += 1
            worth = _Worth(options, self._nets(situation, options, self.effort.last))
            right = worth.right(_MOST_RIGHT[self.kind], _LEAST_GAP[self.kind])
            if right and self._is_wanted(worth):
                yield self._puzzle(situation, worth, right)

    def _looked_at(self) -> Iterator[tuple[Situation, tuple[Option, ...]]]:
        """Yield positions of the deal in random order, with the options of their seats."""
        kinds = ("draw", "drop") if self.kind == DROP else ("discard",)
        steps = self.deal["steps"]
        numbers = [
            n for n, step in enumerate(steps) if (step.get("move") or {}).get("kind") in kinds
        ]
        self.rng.shuffle(numbers)
        looked_at = 0
        for number in numbers:
            situation = _before(self.deal, number)
            options = self._options(situation)
            if options:
                yield situation, options
                looked_at += 1
            if looked_at == self.effort.looked_at:
                return

    def _options(self, situation: Situation) -> tuple[Option, ...]:
        position = situation.position
        if situation.reshuffles or not all(position.playing):
            return ()
        if position.turns[position.turn] > _LAST_TURN:
            return ()
        return self._ways_on(situation) if self.kind == DROP else self._discards(situation)

    def _ways_on(self, situation: Situation) -> tuple[Option, ...]:
        """Return the options where points alone decide: in pools a drop depends on the scores."""
        rules, position = situation.rules, situation.position
        if rules.deals != 1 or rules.elimination_score is not None:
            return ()
        if self._drop_points(situation) == 0:
            return ()
        options = [Option("drop"), Option("closed")]
        if position.open_pile and (
            position.is_first_turn or not self.hands.is_joker(position.open_pile[-1])
        ):
            options.append(Option("open"))
        return tuple(options)

    def _discards(self, situation: Situation) -> tuple[Option, ...]:
        position, hands = situation.position, self.hands
        hand = position.hands[position.turn]
        if finishing_card(hand, hands) is not None:
            return ()
        loose = loose_cards(hand, hands.best_of_fourteen(hand)[1])
        if sum(not hands.is_joker(card) for card in loose) < _LEAST_LOOSE:
            return ()
        is_kept = position.from_open and not situation.rules.may_return_open_card
        kept = position.drawn if is_kept else None
        one_of_each = {card % FACES: card for card in hand if card != kept}
        return tuple(Option("discard", card) for card in one_of_each.values())

    def _drop_points(self, situation: Situation) -> int:
        has_drawn = situation.has_drawn[situation.position.turn]
        return drop_points(situation.rules, has_drawn=has_drawn) or 0

    def _nets(
        self, situation: Situation, options: Sequence[Option], count: int
    ) -> list[list[float]]:
        """Return the net points of each option in each world, with the same worlds for all."""
        points = self._drop_points(situation) if self.kind == DROP else 0
        rows = []
        for _world in range(count):
            world = imagined(situation, situation.position.turn, self.rng)
            rows.append([option.net(self.playouts, world.copy(), points) for option in options])
        return rows

    def _is_hopeful(self, situation: Situation, options: Sequence[Option]) -> bool:
        """Return whether a position may make a puzzle after two looks, which are no part of the answer."""
        first = _Worth(options, self._nets(situation, options, self.effort.first))
        if not self._is_wanted(first, _HOPEFUL[self.kind][0]):
            return False
        best = (first.best, *first.rivals[:_RIVALS])
        second = _Worth(best, self._nets(situation, best, self.effort.second))
        return self._is_wanted(second, _HOPEFUL[self.kind][1])

    def _is_wanted(self, worth: "_Worth", least: float = 0.0) -> bool:
        if self.wanted is not None and _answer(worth.best) != self.wanted:
            return False
        return least <= worth.gap(_MOST_RIGHT[self.kind]) <= _LARGEST_GAP[self.kind]

    def _puzzle(self, situation: Situation, worth: "_Worth", right: tuple[Option, ...]) -> Puzzle:
        options: list[JSON] = [
            {
                "answer": _answer(option),
                "loss": round(loss, 1),
                "reasons": self._reasons(situation, worth, option, right),
            }
            for option, loss in worth.answers()
        ]
        points = self._drop_points(situation) if self.kind == DROP else None
        return {
            "task": {**position_task(situation, self.deal["rules"]), "drop_points": points},
            "solution": {"right": [_answer(option) for option in right], "options": options},
        }

    def _reasons(
        self, situation: Situation, worth: "_Worth", option: Option, right: tuple[Option, ...]
    ) -> list[JSON]:
        """Return why a wrong answer is wrong, or why the best wrong one is worse than a right one."""
        chosen = worth.rivals[len(right) - 1] if option in right else option
        others = tuple(other for other in worth.options if other != chosen)
        choice = Choice(self.kind, chosen, others, self._drop_points(situation))
        verdict = Verdict(worth.best, loss=worth.loss_of(chosen), worth=worth.means[chosen])
        reasons = reasons_for(choice, verdict, situation, self.hands)
        return [text_json(reason) for reason in reasons]


class _Worth:
    """The values of options in the worlds examined. Playing on is worth the better draw."""

    def __init__(self, options: Sequence[Option], rows: Sequence[Sequence[float]]) -> None:
        self.options = tuple(options)
        self.rows = rows
        self.means = {
            option: sum(row[n] for row in rows) / len(rows) for n, option in enumerate(options)
        }
        ranked = sorted(options, key=lambda option: -self.means[option])
        self.best = ranked[0]
        self.rivals = tuple(option for option in ranked if _answer(option) != _answer(self.best))

    def gap(self, right: int) -> float:
        """Return the lead of the best options over the next, if this many are right."""
        return self.loss_of(self.rivals[right - 1])

    def loss_of(self, option: Option) -> float:
        return self.means[self.best] - self.means[option]

    def right(self, most: int, least: float) -> tuple[Option, ...]:
        """Return the fewest options that are far better than every other, or none if more than `most` are."""
        for count in range(1, most + 1):
            if all(self._is_worse(rival, least) for rival in self.rivals[count - 1 :]):
                return (self.best, *self.rivals[: count - 1])
        return ()

    def _is_worse(self, rival: Option, least: float) -> bool:
        first, second = self.options.index(self.best), self.options.index(rival)
        differences = [row[first] - row[second] for row in self.rows]
        mean = sum(differences) / len(differences)
        spread = sum((one - mean) ** 2 for one in differences) / (len(differences) - 1)
        return mean >= max(least, _STANDARD_ERRORS * sqrt(spread / len(differences)))

    def answers(self) -> Iterator[tuple[Option, float]]:
        """Return one option for each possible answer, the best first."""
        told = set()
        for option in (self.best, *self.rivals):
            if _answer(option) not in told:
                told.add(_answer(option))
                yield option, self.loss_of(option)


def _answer(option: Option) -> str:
    if option.card is not None:
        return face(option.card)
    return DROP if option.doing == "drop" else PLAY


def _before(deal: Mapping[str, Any], number: int) -> Situation:
    """Return the situation before a step."""
    for at, _step, situation in situations(deal):
        if at == number:
            return situation
    raise IndexError(number)


PUZZLES: Final = PositionPuzzles()


_KEPT: Final = ("rules", "order", "wild", "open", "hands", "steps")
_KEPT_OF_STEP: Final = ("seat", "move", "events", "drew")


def masked(record: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return the same deal with its suits and packs exchanged, and without players and dates.

    No rule tells the suits apart, so the value of every decision stays the same.
    """
    packs = parse_rules(record["rules"]).packs_at(len(record["order"]))
    suits = dict(zip(SUITS, rng.sample(SUITS, len(SUITS)), strict=True))
    others = rng.sample(range(packs), packs)
    names = {
        CARD_TEXT[card]: f"{_face(card.face, suits)}.{others[card.pack]}"
        for card in full_deck(packs)
    }
    kept = {name: record[name] for name in _KEPT}
    kept["steps"] = [
        {name: step[name] for name in _KEPT_OF_STEP if name in step} for step in record["steps"]
    ]
    renamed: dict[str, Any] = _renamed(kept, names)
    return renamed


def _face(face: int, suits: Mapping[str, str]) -> str:
    name = FACE_TEXT[face % FACES]
    return name if face == PRINTED_JOKER else name[0] + suits[name[1]]


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Rename the cards of a record. No other text looks like a card."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, Mapping):
        return {key: _renamed(of, names) for key, of in value.items()}
    if isinstance(value, (list, tuple)):
        return [_renamed(of, names) for of in value]
    return value
