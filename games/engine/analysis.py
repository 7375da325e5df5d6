"""The analysis of finished deals: what a game offers that has one (docs/analysis.md)."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Protocol

from games.engine.base import JSON, Text


class DealAnalysis(Protocol):
    """What a player of a finished deal could have done better (docs/analysis.md)."""

    @property
    def version(self) -> int:
        """Rises when the same deal would be judged otherwise."""

    @property
    def kinds(self) -> Mapping[str, Text]:
        """The kinds of decisions, by the names in `decisions`, as headings for people."""

    def analyse(
        self,
        record: Mapping[str, Any],
        seat: int,
        *,
        rng: Random,
        progress: Callable[[int, int], None],
        part: float = 1,
    ) -> dict[str, JSON] | None:
        """Judge each decision of a seat by what it could know then, never by the cards that came.

        `record` is the whole one (docs/deal-record.md). `progress` is called with what is done and
        how much there is. `part`: of the usual effort, for a rougher look. None if the deal was
        broken off or the seat was not in it; otherwise, in net points of the deal: `result`, `luck`
        (`deal`, `draws`, `others`), `adjusted` (result less luck), `turns` (how many), `notes`
        (what holds for the whole deal), and `decisions` in their order, each with `step` (its
        number in the record), `turn` from 1, `kind`, `loss`, `error` (standard error), `hand`,
        `open` (the card on the open pile or null), `options` (`text`, `card`), the numbers of the
        `chosen` and the `best` one (null without options), and `reasons`. A text is `message`,
        marked for translation, and `values`.
        """
