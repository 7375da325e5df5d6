"""The seating of a knock-out tournament, and the players who advance (docs/rules.md, R10.3 and R10.4).

Players are represented by their places in the draw; 0 is the best seed.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Final, TypeVar

SEATS: Final = range(2, 9)
PAIR: Final = 2

PlayerT = TypeVar("PlayerT", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Structure:
    """The size of tables, and how many players advance from each.

    `qualifiers` is the number who advance; from a table with too few players, fewer do. If players keep their chips
    from round to round (R10.11), `costs` lists the most chips that each round can cost a player.
    """

    seats: int
    qualifiers: int
    costs: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.seats not in SEATS:
            raise ValueError("a table has two to eight seats")
        if not 0 < self.qualifiers < self.seats:
            raise ValueError("somebody goes on from a table, and somebody does not")

    def count_going_on(self, players: int) -> int:
        """Return the number of players who advance from a table of this size."""
        return min(self.qualifiers, players - 1)


@dataclass(frozen=True, slots=True)
class Seating:
    """The tables of a round, and the players who advance without playing."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()

    @property
    def is_final(self) -> bool:
        return len(self.tables) == 1 and not self.byes


def split_into_tables(players: int, seats: int) -> tuple[int, ...]:
    """Return the sizes of as few tables as possible. They differ by at most one, and none is 1.

    At tables for two, an odd number leaves one player over, who has a bye.
    """
    if players < PAIR:
        raise ValueError("nobody plays alone")
    seated = players - players % PAIR if seats == PAIR else players
    tables = -(-seated // seats)
    size, larger = divmod(seated, tables)
    return tuple(size + 1 if number < larger else size for number in range(tables))


def seat_players(
    players: Sequence[int], *, seats: int, had_bye: Iterable[int] = (), rng: Random
) -> Seating:
    """Seat `players`, given best seed first, at random tables.

    A bye goes to the best seed who has not had one.
    """
    sizes = split_into_tables(len(players), seats)
    left_over = len(players) - sum(sizes)
    before = set(had_bye)
    # Sorting keeps the better seed first among those with an equal claim.
    byes = tuple(sorted(players, key=before.__contains__)[:left_over])
    drawn = [player for player in players if player not in byes]
    drawn = rng.sample(drawn, len(drawn))
    tables, start = [], 0
    for size in sizes:
        tables.append(tuple(drawn[start : start + size]))
        start += size
    return Seating(tuple(tables), byes)


def separate_pairs(seating: Seating, apart: Iterable[frozenset[int]]) -> Seating:
    """Exchange players between tables so that as few of these pairs as possible sit at one table.

    In a final, which has only one table, they meet.
    """
    tables = [list(table) for table in seating.tables]
    pairs = list(apart)

    def meetings(*some: Sequence[int]) -> int:
        return sum(pair <= set(table) for table in some for pair in pairs)

    for here, table in enumerate(tables):
        others = [*tables[here + 1 :], *tables[:here]]
        while meetings(table) and _exchange(table, others, meetings):
            pass
    return Seating(tuple(tuple(table) for table in tables), seating.byes)


def _exchange(table: list[int], others: Sequence[list[int]], meetings: Callable[..., int]) -> bool:
    """Exchange a player of `table` with one of another table if fewer pairs then meet. Return whether it did."""
    for other in others:
        before = meetings(table, other)
        for mine, yours in product(range(len(table)), range(len(other))):
            table[mine], other[yours] = other[yours], table[mine]
            if meetings(table, other) < before:
                return True
            table[mine], other[yours] = other[yours], table[mine]
    return False


def draw(entrants: int, *, rng: Random) -> tuple[int, ...]:
    """Return a random place in the draw for each entrant, in the order of entering."""
    return tuple(rng.sample(range(entrants), entrants))


def is_final(players: int, structure: Structure) -> bool:
    return players <= structure.seats


def count_left_after_round(players: int, structure: Structure) -> int:
    """Return how many of `players` are left after a round, byes included."""
    sizes = split_into_tables(players, structure.seats)
    return sum(map(structure.count_going_on, sizes)) + players - sum(sizes)


def count_rounds(players: int, structure: Structure) -> tuple[int, ...]:
    """Return the number of players in each round, including the final; empty for fewer than two players."""
    played: list[int] = []
    while players >= PAIR:
        played.append(players)
        if is_final(players, structure):
            break
        players = count_left_after_round(players, structure)
    return tuple(played)


@dataclass(frozen=True, slots=True)
class Finisher:
    """A player's result at a table: rank, chips, and place in the draw."""

    seeding: int
    rank: int
    chips: int


@dataclass(frozen=True, slots=True)
class TableEnded:
    """A finished table of `size` players. `finishers` leaves out disqualified players, who cannot advance."""

    size: int
    finishers: tuple[Finisher, ...]


def list_best_of_tables(
    tables: Iterable[TableEnded], byes: Iterable[Finisher], structure: Structure
) -> tuple[int, ...]:
    """Return the seeds that advance from a round: the best of each table, and players with a bye."""
    best = [
        find_qualified(table.finishers, structure.count_going_on(table.size)) for table in tables
    ]
    return (*(seeding for some in best for seeding in some), *(bye.seeding for bye in byes))


def find_qualified(finishers: Iterable[Finisher], places: int) -> tuple[int, ...]:
    """Return the seeds that advance. The draw decides between players of equal rank (R10.4)."""
    best = sorted(finishers, key=lambda finisher: (finisher.rank, finisher.seeding))
    return tuple(finisher.seeding for finisher in best[:places])


@dataclass(frozen=True, slots=True)
class Exit(Finisher):
    """The result with which a player left the tournament.

    `rank` matters only in the final and, with `points`, in any round of a pool tournament (R10.13).
    """

    round: int
    in_final: bool
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A player's final place. `place` is unique; players of equal `rank` share the prizes of their places."""

    place: int
    rank: int


def rank_finishers(exits: Mapping[PlayerT, Exit]) -> dict[PlayerT, Place]:
    """Rank the players at the end (R10.6).

    Players of the final are ranked by its result. The others follow: those who went out in a later round rank higher,
    and within a round those with more chips. In a pool tournament the rank at the table decides instead of the chips,
    and then the lower score (R10.13).

    Players with equal results get the same rank. The draw decides their places, for prizes that only one can get.
    """

    def merit(exit_: Exit) -> tuple[int, ...]:
        if exit_.in_final:
            return (-exit_.round, exit_.rank)
        if exit_.points is not None:
            return (-exit_.round, exit_.rank, exit_.points)
        return (-exit_.round, -exit_.chips)

    ranked = sorted(exits.items(), key=lambda item: (merit(item[1]), item[1].seeding))
    placed: dict[PlayerT, Place] = {}
    rank, last = 0, None
    for place, (player, exit_) in enumerate(ranked, start=1):
        if merit(exit_) != last:
            rank, last = place, merit(exit_)
        placed[player] = Place(place, rank)
    return placed
