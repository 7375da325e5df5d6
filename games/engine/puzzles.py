"""Puzzles from finished deals, a part of a game (docs/puzzles.md)."""

from collections.abc import Mapping
from random import Random
from typing import Any, Protocol

from games.engine.base import Text


class BadAnswer(ValueError):  # noqa: N818 - an expected refusal
    """The text is not an answer to this puzzle."""


class DealPuzzles(Protocol):
    """Finds and judges puzzles. A puzzle is a `task`, which may be shown, and its `solution`, both JSON."""

    @property
    def kinds(self) -> Mapping[str, Text]:
        """The kinds of puzzles by code (at most 10 letters), with headings for people."""

    def find(
        self, record: Mapping[str, Any], kind: str, *, rng: Random
    ) -> dict[str, dict[str, Any]] | None:
        """Return a puzzle of this kind from the whole record of a finished deal, or None if it has
        none.

        `{"task": ..., "solution": ...}` holds no names or numbers of the record, and its suits are
        exchanged. It takes seconds. The solution follows from what the seat could know then, never
        from the cards that came.
        """

    def judge(
        self, kind: str, task: Mapping[str, Any], solution: Mapping[str, Any], answer: str
    ) -> dict[str, Any]:
        """Return whether an answer is `right`, and its `loss` against the best answer in points of
        the deal.

        The game decides the form of an answer. Raises `BadAnswer`.
        """
