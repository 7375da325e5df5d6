"""What the luck of a deal came to for one seat."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Luck:
    """In net points of the seat: of the dealing, of its own draws, of the others' draws."""

    deal: float
    draws: float
    others: float
    # Of each own draw, by the number of the step.
    by_step: Mapping[int, float]

    @property
    def total(self) -> float:
        return self.deal + self.draws + self.others
