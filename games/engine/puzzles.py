"""Puzzles of finished deals: what a game offers that has any (docs/puzzles.md)."""

from collections.abc import Mapping
from random import Random
from typing import Any, Protocol

from games.engine.base import Text


class BadAnswer(ValueError):  # noqa: N818 - an expected refusal
    """What was sent is no answer to this puzzle."""


class DealPuzzles(Protocol):
    """A puzzle is a `task`, which may be shown, and its `solution`; both are JSON."""

    @property
    def kinds(self) -> Mapping[str, Text]:
        """The kinds of puzzles, by code (at most 10 letters), as headings for people."""

    def find(
        self, record: Mapping[str, Any], kind: str, *, rng: Random
    ) -> dict[str, dict[str, Any]] | None:
        """A puzzle of this kind in the whole record of a finished deal (docs/deal-record.md).

        `{"task": ..., "solution": ...}`, None if the deal has none. Of the record it tells neither
        names nor numbers, and the suits are others. It takes seconds. What is right follows from
        what the seat could know then, never from the cards that came.
        """

    def judge(
        self, kind: str, task: Mapping[str, Any], solution: Mapping[str, Any], answer: str
    ) -> dict[str, Any]:
        """`right`, and `loss` in points of the deal against the best answer.

        What an answer looks like is the game's. Raises BadAnswer.
        """
