"""Answers for what a game does without; a game inherits them and says the rest."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.engine.analysis import DealAnalysis
from games.engine.base import (
    JSON,
    DealStart,
    Event,
    Help,
    IllegalMove,
    Instant,
    InvalidRules,
    RuleFact,
    Text,
)
from games.engine.core import Status
from games.engine.fair_play import FairPlay
from games.engine.puzzles import DealPuzzles

_NO_HELP = IllegalMove("no_such_help", "This game has no such help.")


class GameDefaults:
    """No offers, no help, nothing to ask for beforehand; everybody pays one entry fee."""

    questions: Mapping[str, Help] = {}
    texts: Mapping[str, Text] = {}
    rule_facts: Sequence[RuleFact] = ()
    hand_questions: tuple[str, ...] = ()
    open_moves: frozenset[str] = frozenset()
    anytime_moves: frozenset[str] = frozenset()
    analysis: DealAnalysis | None = None
    puzzles: DealPuzzles | None = None
    fair_play: FairPlay | None = None

    def status(self, state: Any) -> Status:
        game: Any = self
        return Status(
            acting=game.acting(state),
            deadline=game.deadline(state),
            deals=game.deals(state),
            fees=game.fees_charged(state),
            shares_offered=game.shares_offered(state),
            proposes=game.propose(state, now=0) is not None,
            result=game.result(state),
        )

    def fees_charged(self, state: Any) -> Mapping[int, int]:
        return dict.fromkeys(self.members(state), 1)  # type: ignore[attr-defined] # the game's

    def legal_view(self, state: Any, seat: int) -> list[dict[str, JSON]]:
        game: Any = self
        return legal_templates([game.move_json(move) for move in game.legal(state, seat)])

    def deferrable(self, state: Any, seat: int) -> tuple[Any, ...]:
        return ()

    def propose(self, state: Any, *, now: Instant) -> tuple[Any, tuple[Event, ...]] | None:
        return None

    def conclude(self, state: Any) -> tuple[Any, tuple[Event, ...]] | None:
        return None

    def hasten(self, state: Any, *, due_by: Instant, count_by: Instant | None) -> Any:
        return state

    def shares_offered(self, state: Any) -> Mapping[int, int] | None:
        return None

    def nothing_private(self) -> dict[str, JSON]:
        return {"hand": []}

    def draft(self, rev: int, draft: object) -> Any:
        raise IllegalMove("no_such_help", "This game keeps nothing that is not played.")

    def answer(self, state: Any, seat: int, question: Mapping[str, JSON]) -> dict[str, JSON]:
        raise IllegalMove("no_such_help", "This game has no such help.")

    def lesson_preset(self) -> str | None:
        return None

    def lesson_seed(self) -> bytes | None:
        return None

    def for_event(self, rules: Any, *, deals: int, qualifiers: int) -> Any:
        raise InvalidRules("These rules are not for tournaments.")

    def at_stake(self, rules: Any, *, point_chips: int, stacks: Sequence[int]) -> Any:
        raise InvalidRules("A point is no tournament chip in this game.")

    def event_start(self, rules: Any) -> int:
        return 0

    def deal_record(self, start: DealStart) -> dict[str, JSON]:
        return {}

    def step_record(
        self, events: Sequence[Mapping[str, JSON]], private: Mapping[str, Mapping[str, JSON]]
    ) -> dict[str, JSON]:
        return {}

    def review(self, record: Mapping[str, JSON]) -> list[dict[str, JSON]]:
        return []

    def hand_answer(self, question: str, line: str) -> str:
        raise InvalidRules("This game answers no questions about hands.")


def legal_templates(moves: Sequence[Mapping[str, JSON]]) -> list[dict[str, JSON]]:
    """Moves of one kind as one entry, each of its fields with the values that are allowed."""
    entries: dict[str, dict[str, Any]] = {}
    for move in moves:
        kind = str(move["kind"])
        entry = entries.setdefault(kind, {"kind": kind})
        for name, value in move.items():
            if name != "kind" and value not in entry.setdefault(name, []):
                entry[name].append(value)
    return list(entries.values())
