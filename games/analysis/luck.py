"""The luck of a deal for one seat."""

from collections.abc import Mapping
from dataclasses import dataclass


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
