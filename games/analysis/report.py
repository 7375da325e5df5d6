"""The report of an analysis, the same for every game: decisions, luck, and the result without luck."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from games.analysis.judging import Effort
from games.analysis.telling import outcome, own_turns, text_json
from games.engine.base import JSON, Text

Progress = Callable[[int, int], None]
# The numbers of one's own steps in their order, each with its decision if it was one.
Decisions = Iterable[tuple[int, dict[str, JSON] | None]]


@dataclass(frozen=True, slots=True)
class Luck:
    """Luck in net points of the seat: by the deal, by its own draws, and by the other players' draws."""

    deal: float
    draws: float
    others: float
    # Of each own draw, by the number of the step.
    by_step: Mapping[int, float]

    @property
    def total(self) -> float:
        return self.deal + self.draws + self.others


def no_progress(_done: int, _total: int) -> None:
    """Report no progress."""


def effort_for(record: Mapping[str, Any], seat: int, full: Effort, most_moves: int) -> Effort:
    """Return the effort for each move. In deals with more own moves than `most_moves` it is smaller."""
    return full.times(min(1, most_moves / max(1, len(_own_steps(record, seat)))))


def reported(
    record: Mapping[str, Any],
    seat: int,
    decisions: Callable[[], Decisions],
    luck: Callable[[], Luck],
    *,
    note: Callable[[], Text],
    progress: Progress,
) -> dict[str, JSON] | None:
    """Return the report of `games.engine.game.DealAnalysis`, or None if the seat has no result.

    `decisions`, `luck` and `note` are called only if there is a result, in this order.
    """
    result = outcome(record, seat)
    if result is None:
        return None
    own = _own_steps(record, seat)
    total = len(own) + 1
    found: list[JSON] = []
    for number, decision in decisions():
        if decision is not None:
            found.append(decision)
        progress(own.index(number) + 1, total)
    had = luck()
    progress(total, total)
    return {
        "result": result,
        "luck": {
            "deal": round(had.deal, 1),
            "draws": round(had.draws, 1),
            "others": round(had.others, 1),
        },
        "adjusted": round(result - had.total, 1),
        "turns": own_turns(record, seat),
        "notes": [text_json(note())],
        "decisions": found,
    }


def _own_steps(record: Mapping[str, Any], seat: int) -> list[int]:
    return [number for number, step in enumerate(record["steps"]) if step.get("seat") == seat]
