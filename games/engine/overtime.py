"""R10.4b: shorter turns and an earlier limit of minutes, as a table asks of its game after each step."""

from dataclasses import dataclass
from typing import Any

from games.engine.base import Instant
from games.engine.game import Game


@dataclass(frozen=True, slots=True)
class Overtime:
    """From `begins_at` on a turn has `turn_ms`; from `count_at` on no turn of a deal begins."""

    begins_at: Instant
    turn_ms: int
    count_at: Instant

    def due_by(self, now: Instant) -> Instant:
        """When a turn or a break that runs now ends at the latest."""
        return max(now, self.begins_at) + self.turn_ms

    def hastened(self, game: Game, state: Any, *, now: Instant) -> Any:
        """Return the state with what is left of its times; the same object if that is all of them."""
        return game.core.hasten(state, due_by=self.due_by(now), count_by=self.count_at)
