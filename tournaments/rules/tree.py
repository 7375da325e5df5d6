"""The tree of tables: which tables of a round feed each table of the next, known before play (R10.4c).

A tree is built from the tables of a drawn round: their sizes, in the order of their numbers, and the number
of byes. It does not depend on the players' seats, so nobody can choose opponents by playing fast or slowly.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from tournaments.rules.bracket import Structure, split_into_tables

# Number of the imaginary table for players with a bye.
BYES = 0


@dataclass(frozen=True, slots=True, order=True)
class AdvancingPlace:
    """A place from which a player advances: the number of a table in its round, and the rank there, both from 1.

    If `table` is `BYES`, `place` is the position among the players with a bye in the first round.
    """

    table: int
    place: int


# The tables of a round in the order of their numbers, each with the feeds that fill it.
Level: TypeAlias = tuple[tuple[AdvancingPlace, ...], ...]


def knock_out_tree(sizes: Sequence[int], byes: int, structure: Structure) -> tuple[Level, ...]:
    """Return the rounds that follow a round whose tables have these sizes (R10.3). Neighbouring tables meet.

    Return an empty tuple if that round is the final. At tables for two, the last of an odd number of players
    has a bye: a table of one.
    """
    levels: list[Level] = []
    while len(sizes) + byes > 1:
        feeds = [
            AdvancingPlace(number, place)
            for number, size in enumerate(sizes, start=1)
            for place in range(1, _count_going_on(size, structure) + 1)
        ]
        feeds += [AdvancingPlace(BYES, place) for place in range(1, byes + 1)]
        sizes = split_into_tables(len(feeds), structure.seats)
        if sum(sizes) < len(feeds):
            sizes = (*sizes, 1)
        levels.append(split(feeds, sizes))
        byes = 0
    return tuple(levels)


def _count_going_on(size: int, structure: Structure) -> int:
    return structure.count_going_on(size) if size > 1 else 1


def split(feeds: Sequence[AdvancingPlace], sizes: Sequence[int]) -> Level:
    tables, start = [], 0
    for size in sizes:
        tables.append(tuple(feeds[start : start + size]))
        start += size
    return tuple(tables)


def count_going_on_from(level: Level) -> Counter[int]:
    """Return a mapping from each table of the round before `level` to the number of players who advance."""
    return Counter(feed.table for feeds in level for feed in feeds)


@dataclass(frozen=True, slots=True)
class FinishedTable:
    """A finished table: the players who advance, best first, and when it ended, in seconds.

    In `going_on`, None stands for a player who was disqualified later.
    """

    going_on: tuple[int | None, ...]
    at: float


@dataclass(frozen=True, slots=True)
class Ready:
    """A table of a tree that can be filled. `level` is its round, counted from 0 in the tree."""

    level: int
    number: int
    players: tuple[int, ...]
    # When the last of the feeding tables ended.
    since: float


@dataclass(frozen=True, slots=True)
class Reached:
    """The progress of a tree: tables to seat, players who pass through, and the number of finished rounds.

    `alone` lists tables of the tree at which a player has no opponent.
    """

    ready: tuple[Ready, ...]
    alone: tuple[Ready, ...]
    rounds_over: int


# Tables by (round, number): the outcome, or None while it is being played.
Known: TypeAlias = Mapping[tuple[int, int], FinishedTable | None]


def compute_progress(
    levels: Sequence[Level], first: Mapping[int, FinishedTable | None], known: Known
) -> Reached:
    """Return how far the play in a tree has come.

    `first` maps table numbers to the tables of the round before the tree, and `BYES` to its byes. `known` maps
    (depth, table number) to the tables of the tree that are seated.
    """
    ready: list[Ready] = []
    alone: list[Ready] = []
    before: Mapping[int, FinishedTable | None] = first
    rounds_over = 0 if any(ended is None for ended in first.values()) else 1
    for depth, level in enumerate(levels):
        outcomes: dict[int, FinishedTable | None] = {}
        for number, feeds in enumerate(level, start=1):
            if (depth, number) in known:
                outcomes[number] = known[depth, number]
                continue
            outcomes[number], table = _fill(depth, number, feeds, before)
            if table is not None:
                (ready if len(table.players) > 1 else alone).append(table)
        if rounds_over == depth + 1 and all(ended is not None for ended in outcomes.values()):
            rounds_over += 1
        before = outcomes
    return Reached(tuple(ready), tuple(alone), rounds_over)


def _fill(
    depth: int,
    number: int,
    feeds: Sequence[AdvancingPlace],
    before: Mapping[int, FinishedTable | None],
) -> tuple[FinishedTable | None, Ready | None]:
    """Return the outcome of a table that is not seated yet, and the players who can be seated there now.

    Both are None while a table that feeds it is undecided. A single player advances without playing. A table without
    any player is dropped.
    """
    sources = [before[feed.table] for feed in feeds]
    if any(source is None for source in sources):
        return None, None
    over = [source for source in sources if source is not None]
    places = (
        source.going_on[feed.place - 1]
        for feed, source in zip(feeds, over, strict=True)
        if feed.place <= len(source.going_on)
    )
    players = tuple(player for player in places if player is not None)
    since = max(source.at for source in over)
    if len(players) > 1:
        return None, Ready(depth, number, players, since)
    table = Ready(depth, number, players, since) if players else None
    return FinishedTable(players, since), table


@dataclass(frozen=True)
class Tree:
    """The rounds that follow the drawn round `first_round`."""

    first_round: int
    levels: tuple[Level, ...]

    @cached_property
    def _places(self) -> list[Counter[int]]:
        return [count_going_on_from(level) for level in self.levels]

    @property
    def last_round(self) -> int:
        return self.first_round + len(self.levels)

    def get_round(self, level: int) -> int:
        """Return the number of the round at this level. Levels count from 0."""
        return self.first_round + 1 + level

    def places(self, round_number: int, table_number: int) -> int:
        """Return the number of players who advance from this table."""
        if round_number == self.last_round:
            return 0
        return self._places[round_number - self.first_round][table_number]

    def count_better(self, round_number: int, table_number: int) -> int | None:
        """Return the number of players who rank before everybody at this table of the last round.

        Return None for tables of earlier rounds.
        """
        if round_number != self.last_round:
            return None
        if not self.levels:
            return 0
        return sum(map(len, self.levels[-1][: table_number - 1]))
