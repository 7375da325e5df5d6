"""Who plays a deal, and how the rules refuse a move."""

from dataclasses import dataclass
from typing import Any

Event = dict[str, Any]
Move = dict[str, Any]


class Refused(Exception):  # noqa: N818 - as the game's own refusal
    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def require(condition: object, code: str) -> None:
    if not condition:
        raise Refused(code)


@dataclass
class Player:
    seat: int
    groups: list[list[str]]
    extra_ms: int
    status: str = "playing"
    how: str | None = None
    points: int | None = None
    rev: int = 0
    turns: int = 0
    missed: int = 0
    has_drawn: bool = False
    # R4.7: laid at its best by the game; there are several ways to do that.
    is_laid_by_game: bool = False
    least: int = 0

    @property
    def hand(self) -> list[str]:
        return [card for group in self.groups for card in group]

    def lose(self, card: str) -> None:
        left = [[one for one in group if one != card] for group in self.groups]
        self.groups = [group for group in left if group]
