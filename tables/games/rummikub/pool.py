"""What the solver is given, and what it finds (tables/games/rummikub/solver.py)."""

from dataclasses import dataclass, field
from typing import Final

# What a tile is worth beside its points, which are fewer than this in all: most tiles come first.
TILE: Final = 1024

# A tile, which may be a joker, and the face that it stands for.
Placed = tuple[int, int]
Vector = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class FixedRun:
    """A run that stays; it may grow."""

    colour: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class FixedGroup:
    """A group that stays; one tile of one of these colours may be added."""

    value: int
    colours: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pool:
    """By face how many tiles have to be used and how many may be.

    Of the jokers used the first `jokers_of_table`, those of the lowest numbers, count nothing.
    """

    least: tuple[int, ...]
    most: tuple[int, ...]
    jokers_least: int = 0
    jokers_most: int = 0
    jokers_of_table: int = 0
    runs: tuple[FixedRun, ...] = ()
    groups: tuple[FixedGroup, ...] = ()
    tile: int = TILE


@dataclass(slots=True)
class Found:
    """`gain` counts every tile of the pool that is used, also those that have to be; `grown` is what
    is added to the fixed melds, the runs first, by their place."""

    gain: int
    melds: list[list[Placed]] = field(default_factory=list)
    grown: dict[int, list[Placed]] = field(default_factory=dict)
