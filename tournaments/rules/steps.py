"""The progress of a tournament, and the steps that its format may return (R10.4).

Players are represented by their places in the draw.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from tournaments.rules.bracket import Finisher, Structure, TableEnded
from tournaments.rules.lifecycle import Due, Situation
from tournaments.rules.tree import Ready


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """An opened table of a round or of a tree.

    `ended_at` is in seconds, or None while the table is played. `finishers` are the players who may advance
    once it has ended. `going_on` are those who do advance, best first, once this is stored; None stands for a
    player who was disqualified later.
    """

    size: int
    ended_at: float | None = None
    finishers: tuple[Finisher, ...] = ()
    going_on: tuple[int | None, ...] | None = None


@dataclass(frozen=True, slots=True)
class RoundCourse:
    """The course of play since the last drawn round. `tables` maps (round, table number) to a table.

    `byes` are the players with a bye in that round; None stands for a player who was disqualified later.
    `began` is the round's start in seconds.
    """

    first_round: int
    tables: Mapping[tuple[int, int], SeatedTable]
    byes: tuple[int | None, ...]
    began: float

    @property
    def sizes(self) -> list[int]:
        """Return the sizes of the drawn round's tables, by number."""
        drawn = sorted(key for key in self.tables if key[0] == self.first_round)
        return [self.tables[key].size for key in drawn]


class Progress(Protocol):
    """A tournament as its format sees it. Reading a property may query the database."""

    @property
    def situation(self) -> Situation: ...

    @property
    def structure(self) -> Structure: ...

    @property
    def break_seconds(self) -> int: ...

    @property
    def round_number(self) -> int: ...

    @property
    def players_left(self) -> int:
        """Return the number of players who are still in the tournament."""
        ...

    @property
    def tables(self) -> Sequence[TableEnded]:
        """Return the tables of the round in play. Read only after all of them have ended."""
        ...

    @property
    def byes(self) -> Sequence[Finisher]:
        """Return the players with a bye in the round in play."""
        ...

    @property
    def course(self) -> RoundCourse:
        """Return the tables of the tree. Read only if the format has one (R10.4c)."""
        ...


@dataclass(frozen=True, slots=True)
class EndRound:
    """The step that ends the round in play. The players in `going_on` advance; the others are out."""

    going_on: tuple[int, ...]
    is_final: bool

    @property
    def is_last(self) -> bool:
        return self.is_final or not self.going_on


@dataclass(frozen=True, slots=True)
class EndTable:
    """The result of a finished table in a tree. The players in `going_on` advance, best first.

    In the last round, `better` is the number of players who rank before everybody at this table.
    """

    round: int
    number: int
    going_on: tuple[int, ...]
    better: int | None


@dataclass(frozen=True, slots=True)
class PassThrough:
    """A player without an opponent at a table of a tree.

    The player advances or, in the last round, is ranked without playing.
    """

    round: int
    player: int
    better: int | None


@dataclass(frozen=True, slots=True)
class Advance:
    """The step that decides the finished tables of a tree and fills those that can be filled.

    Rounds before `rounds_over` are over; `last_round` is the final. `next_at` is the time in seconds at which
    the next table is filled, or None if that depends on a table in play.
    """

    ended: tuple[EndTable, ...]
    alone: tuple[PassThrough, ...]
    fill: tuple[Ready, ...]
    first_round: int
    last_round: int
    rounds_over: int
    next_at: float | None

    @property
    def is_last(self) -> bool:
        return self.rounds_over > self.last_round


Step: TypeAlias = Due | EndRound | Advance
