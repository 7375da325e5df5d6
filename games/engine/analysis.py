"""The analysis of finished deals, a part of a game (docs/analysis.md)."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Protocol

from games.engine.base import JSON, Text


class DealAnalysis(Protocol):
    """Judges the decisions of a player in a finished deal."""

    @property
    def version(self) -> int:
        """Raised when the same deal would be judged differently."""

    @property
    def kinds(self) -> Mapping[str, Text]:
        """The kinds of decisions by their names in `decisions`, with headings for people."""

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

        `record` is a whole record (docs/deal-record.md). `progress` is called with the work done
        and the work in all. `part` of the usual effort makes a rougher analysis. Returns None if
        the deal was broken off or the seat was not in it.

        Otherwise, in net points of the deal: `result`, `luck` (`deal`, `draws`, `others`),
        `adjusted` (result less luck), `turns` (their number), `notes` (on the whole deal), and
        `decisions` in their order. Each has `step` (its number in the record), `turn` from 1,
        `kind`, `loss`, `error` (standard error), `hand`, `open` (the card on the open pile or
        null), `options` (`text`, `card`), the numbers of the `chosen` and the `best` option (null
        without options), and `reasons`. A text is a `message`, marked for translation, and
        `values`.
        """
