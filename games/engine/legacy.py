"""A game of parts behind the interface of `base.Game`, until the table layer asks the parts."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.engine.base import JSON, Event, IllegalMove, Instant, InvalidRules
from games.engine.core import LEAVE, Outcome
from games.engine.game import Game

Changed = tuple[Any, tuple[Event, ...]]


def _pair(outcome: Outcome) -> Changed:
    return outcome.state, outcome.events


class Legacy:
    leaving = LEAVE

    def __init__(self, parts: Game) -> None:
        self.parts = parts
        core, view, rules, money = parts.core, parts.view, parts.rules, parts.money
        self.code, self.title, self.formats = parts.code, parts.title, parts.formats
        self.legal, self.legal_view = core.legal, core.legal_view
        self.postpone, self.hasten, self.status = core.postpone, core.hasten, core.status
        self.deferrable = core.deferrable
        self.shares_offered, self.fees_charged = core.shares_offered, core.fees
        self.open_moves = frozenset(move.kind for move in core.moves if move.is_public)
        self.anytime_moves = frozenset(move.kind for move in core.moves if move.is_anytime)
        self.public_view, self.private_view = view.public, view.private
        self.dump, self.load = parts.stored.dump, parts.stored.load
        self.parse_move, self.move_json = parts.wire.read, parts.wire.write
        self.parse_rules, self.rules_json, self.preset = rules.parse, rules.json, rules.preset
        self.format_of, self.title_of = money.format_of, money.title_of
        self.largest_loss = money.largest_loss
        self.texts, self.rule_facts = parts.words.texts, parts.words.rule_facts
        self.deal_record, self.step_record = parts.records.deal, parts.records.step
        self.review, self.hand_questions = parts.records.review, parts.records.questions
        self.choose = parts.bots
        self.analysis, self.puzzles, self.fair_play = parts.analysis, parts.puzzles, parts.fair_play
        self.questions = parts.hand_help.questions if parts.hand_help else {}

    def start(self, **begun: Any) -> Changed:
        return _pair(self.parts.core.start(**begun))

    def play(self, state: Any, seat: int, move: Any, *, now: Instant, seed: bytes) -> Changed:
        return _pair(self.parts.core.play(state, seat, move, now=now, seed=seed))

    def expire(self, state: Any, *, now: Instant, seed: bytes) -> Changed:
        return _pair(self.parts.core.expire(state, now=now, seed=seed))

    def conclude(self, state: Any) -> Changed | None:
        outcome = self.parts.core.conclude(state)
        return None if outcome is None else _pair(outcome)

    def propose(self, state: Any, *, now: Instant) -> Changed | None:
        outcome = self.parts.core.propose(state, now=now)
        return None if outcome is None else _pair(outcome)

    def acting(self, state: Any) -> tuple[int, ...]:
        return self.status(state).acting

    def members(self, state: Any) -> tuple[int, ...]:
        seats: tuple[int, ...] = state.seats
        return seats

    def deadline(self, state: Any) -> Instant | None:
        return self.status(state).deadline

    def deals(self, state: Any) -> int:
        return self.status(state).deals

    def result(self, state: Any) -> Any:
        return self.status(state).result

    def nothing_private(self) -> dict[str, JSON]:
        return dict(self.parts.view.nothing_private)

    def draft(self, rev: int, draft: object) -> Any:
        return self.parse_move({"kind": "arrange", "rev": rev, self.parts.draft: draft})

    def answer(self, state: Any, seat: int, question: Mapping[str, JSON]) -> dict[str, JSON]:
        if self.parts.hand_help is None:
            raise IllegalMove("no_such_help", "This game has no such help.")
        return self.parts.hand_help.answer(state, seat, question)

    def presets(self) -> tuple[str, ...]:
        return tuple(self.parts.rules.presets)

    def lesson_preset(self) -> str | None:
        return None if self.parts.lesson is None else self.parts.lesson.preset

    def lesson_seed(self) -> bytes | None:
        return None if self.parts.lesson is None else self.parts.lesson.seed

    def for_event(self, rules: Any, *, deals: int, qualifiers: int) -> Any:
        if self.parts.money.for_event is None:
            raise InvalidRules("These rules are not for tournaments.")
        return self.parts.money.for_event(rules, deals=deals, qualifiers=qualifiers)

    def at_stake(self, rules: Any, *, point_chips: int, stacks: Sequence[int]) -> Any:
        if self.parts.money.at_stake is None:
            raise InvalidRules("A point is no tournament chip in this game.")
        return self.parts.money.at_stake(rules, point_chips=point_chips, stacks=stacks)

    def event_start(self, rules: Any) -> int:
        return 0 if self.parts.money.event_start is None else self.parts.money.event_start(rules)

    def hand_answer(self, question: str, line: str) -> str:
        if self.parts.records.answer is None:
            raise InvalidRules("This game answers no questions about hands.")
        return self.parts.records.answer(question, line)
