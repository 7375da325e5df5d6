"""The best use of a pool of tiles: a dynamic program over the numbers 1 to 13.

After each number the state of a colour is the lengths of its open runs. Three and more are alike,
because a run of three that can continue never gains by stopping. The number of tiles that go into runs
then nearly determines the next state. Colours interact only in the groups of a number and in the jokers
used. After van Rijn, Takes and Vis, arXiv 1604.07553.

Fixed melds may grow at their ends. An open run of any length may flow into a fixed run that begins
here, and a fixed run that ends here is an open run of three.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from typing import Final, NamedTuple

from games.rummikub.rules.melds import COLOURS, JOKER, VALUES, face_of

MOST_JOKERS: Final = 2
# Runs of three and longer ones are equal.
LONG: Final = 3
# The open runs of a colour, as their lengths; a state is an index.
STATES: Final = tuple(
    runs
    for size in range(2 + MOST_JOKERS + 1)
    for runs in combinations_with_replacement((1, 2, LONG), size)
)
_STATE_OF: Final = {runs: number for number, runs in enumerate(STATES)}
CLOSED: Final = frozenset(
    number for number, runs in enumerate(STATES) if all(length == LONG for length in runs)
)


@lru_cache(maxsize=1 << 14)  # at most 5 MB
def flow(
    state: int, tiles: int, starting: int, ended: int
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the states that this many tiles of the next number lead to.

    Each state comes with the lengths of the open runs that flow into fixed runs starting here. A face
    has two tiles, and `MOST_JOKERS`.
    """
    found: dict[int, tuple[int, ...]] = {}
    for absorbed, kept in _list_absorbed(STATES[state], starting):
        runs = (*kept, *[LONG] * ended)
        short = [length for length in runs if length < LONG]
        if tiles < len(short):
            continue
        on_long = min(tiles - len(short), len(runs) - len(short))
        new = tiles - len(short) - on_long
        after = sorted([*[1] * new, *(length + 1 for length in short), *[LONG] * on_long])
        found.setdefault(_STATE_OF[tuple(after)], absorbed)
    return tuple(found.items())


def _list_absorbed(
    runs: tuple[int, ...], starting: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the short runs that flow into fixed runs, and the runs that continue alone."""
    short = [place for place, length in enumerate(runs) if length < LONG]
    for size in range(min(starting, len(short)) + 1):
        for places in combinations(short, size):
            yield (
                tuple(runs[place] for place in places),
                tuple(length for place, length in enumerate(runs) if place not in places),
            )


# The worth of a tile besides its points. All points together are fewer: the number of tiles comes first.
TILE: Final = 1024
_BITS: Final = 6
_MASK: Final = (1 << _BITS) - 1
_TWO_MASK: Final = (1 << 2 * _BITS) - 1
_JOKERS_AT: Final = 4 * _BITS

# A tile, which may be a joker, and the face that it stands for.
Placed = tuple[int, int]
Vector = tuple[int, int, int, int]
_NOTHING: Final[Vector] = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class FixedRun:
    """A run that stays. It may grow."""

    colour: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class FixedGroup:
    """A group that stays. A tile of one of these colours may be added."""

    value: int
    colours: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pool:
    """The tiles to use: by face the least and the most.

    Of the jokers used, the first `jokers_of_table`, those of the lowest numbers, count nothing.
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
    """A solution. `gain` counts every used tile, required tiles included.

    `grown` are the tiles added to the fixed melds, by place, runs first.
    """

    gain: int
    melds: list[list[Placed]] = field(default_factory=list)
    grown: dict[int, list[Placed]] = field(default_factory=dict)


class _Option(NamedTuple):
    """A choice for a colour at a number. `needed` are the jokers that its runs need to end."""

    state: int  # shifted to its place in the key
    jokers: int
    needed: int
    gain: int
    in_runs: int
    naturals: int
    absorbed: tuple[int, ...]


# The choices of two colours: their state, jokers used, jokers used and needed, gain.
_Pair = tuple[int, int, int, int, _Option, _Option]


def solve(pool: Pool) -> Found | None:
    """Return the best use of the pool, or None if the required tiles cannot be used."""
    search = _Search(pool)
    layer = {0: 0}
    steps: list[_Steps] = []
    for value in VALUES:
        layer, back = search.build_next_layer(value, layer)
        steps.append(back)
    ends = [key for key in layer if _is_end(key, pool)]
    if not ends:
        return None
    best = max(ends, key=layer.__getitem__)
    path: list[tuple[Vector, Sequence[_Option]]] = []
    key = best
    for back in reversed(steps):
        key, vector, chosen = back[key]
        path.append((vector, chosen))
    return _Builder(search).build(layer[best], path[::-1])


def _is_end(key: int, pool: Pool) -> bool:
    if key >> _JOKERS_AT < pool.jokers_least:
        return False
    return all(key >> _BITS * colour & _MASK in CLOSED for colour in COLOURS)


# For each key its predecessor, the groups of the number and the choice for each colour.
_Steps = dict[int, tuple[int, Vector, Sequence[_Option]]]


class _Search:
    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.vectors: dict[int, Mapping[Vector, _Division]] = {}
        self.ahead = {
            (value, colour): _look_ahead(pool, value, colour)
            for value in VALUES
            for colour in COLOURS
        }

    def build_next_layer(
        self, value: int, layer: Mapping[int, int]
    ) -> tuple[dict[int, int], _Steps]:
        vectors = self.vectors[value] = self._count_vectors(value)
        halves: dict[tuple[int, int, int, int], list[_Pair]] = {}
        reached: dict[int, int] = {}
        back: _Steps = {}
        for key, gain in layer.items():
            for vector in vectors:
                front = self._list_half(value, 0, vector, key, halves)
                if front and (rear := self._list_half(value, 2, vector, key, halves)):
                    self._reach(value, (key, gain, vector), (front, rear), (reached, back))
        return reached, back

    def _list_half(
        self,
        value: int,
        colour: int,
        vector: Vector,
        key: int,
        halves: dict[tuple[int, int, int, int], list[_Pair]],
    ) -> list[_Pair]:
        """Return the choices for this colour and the next."""
        states = key >> _BITS * colour & _TWO_MASK
        asked = (colour, vector[colour], vector[colour + 1], states)
        found = halves.get(asked)
        if found is None:
            first = self._list_options(value, colour, vector[colour], states & _MASK)
            second = self._list_options(value, colour + 1, vector[colour + 1], states >> _BITS)
            found = halves[asked] = [
                (
                    one.state | two.state,
                    one.jokers + two.jokers,
                    one.jokers + two.jokers + one.needed + two.needed,
                    one.gain + two.gain,
                    one,
                    two,
                )
                for one in first
                for two in second
            ]
        return found

    def _reach(
        self,
        value: int,
        come_from: tuple[int, int, Vector],
        halves: tuple[list[_Pair], list[_Pair]],
        into: tuple[dict[int, int], _Steps],
    ) -> None:
        key, gain, vector = come_from
        reached, back = into
        used = key >> _JOKERS_AT
        left = self.pool.jokers_most - used
        for front, jokers, wanted, gained, first, second in halves[0]:
            for rear, more, needed, also, third, fourth in halves[1]:
                if wanted + needed > left:
                    continue
                state = front | rear | used + jokers + more << _JOKERS_AT
                total = gain + gained + also
                if jokers or more:
                    total += self._joker_gain(used, jokers + more, value)
                if total > reached.get(state, -1):
                    reached[state] = total
                    back[state] = (key, vector, (first, second, third, fourth))

    def _joker_gain(self, used: int, jokers: int, value: int) -> int:
        counted = sum(number >= self.pool.jokers_of_table for number in range(used, used + jokers))
        return counted * (self.pool.tile + value)

    def _list_options(self, value: int, colour: int, grouped: int, state: int) -> list[_Option]:
        """Return every choice for a colour when this many of its tiles go into groups."""
        pool, face = self.pool, face_of(value, colour)
        least, most, jokers = pool.least[face], pool.most[face], pool.jokers_most
        there = self.ahead[value, colour]
        return [
            _Option(
                after << _BITS * colour,
                in_runs + grouped - naturals,
                needed,
                naturals * (pool.tile + value),
                in_runs,
                naturals,
                absorbed,
            )
            for in_runs in range(most + jokers - grouped + 1)
            for after, absorbed in flow(state, in_runs, there.starting, there.ended)
            if (needed := there.needed[after]) <= jokers
            for naturals in self._count_naturals(in_runs + grouped, least, most)
        ]

    def _count_naturals(self, tiles: int, least: int, most: int) -> range:
        """Return the possible numbers of these tiles that are no jokers.

        A joker replaces a tile that is there only if the joker must be used.
        """
        highest = min(tiles, most)
        lowest = max(least, tiles - self.pool.jokers_most)
        if not self.pool.jokers_least:
            lowest = max(lowest, highest)
        return range(lowest, highest + 1)

    def _count_vectors(self, value: int) -> "Mapping[Vector, _Division]":
        """Return how many tiles of each colour may go into groups of this number, and which groups."""
        pool = self.pool
        most = [pool.most[face_of(value, colour)] for colour in COLOURS]
        places = [
            (len(pool.runs) + place, group.colours)
            for place, group in enumerate(pool.groups)
            if group.value == value
        ]
        jokers = pool.jokers_most
        possible = [
            (base, melds) for base, melds in _GROUPS.items() if _count_lacking(base, most) <= jokers
        ]
        if not places:
            return {base: _Division(melds, []) for base, melds in possible}
        found: dict[Vector, _Division] = {}
        for base, melds in possible:
            for added in product(*((None, *colours) for _, colours in places)):
                total = list(base)
                for colour in added:
                    if colour is not None:
                        total[colour] += 1
                vector = (total[0], total[1], total[2], total[3])
                if _count_lacking(vector, most) <= jokers:
                    grown = [
                        (place, colour)
                        for (place, _), colour in zip(places, added, strict=True)
                        if colour is not None
                    ]
                    found.setdefault(vector, _Division(melds, grown))
        return found


class _Division(NamedTuple):
    """Groups as tuples of colours, and the fixed groups that grow, by place and colour."""

    melds: tuple[tuple[int, ...], ...]
    grown: list[tuple[int, int]]


class _Ahead(NamedTuple):
    """The surroundings of a colour at a number.

    `starting` and `ended` count fixed runs that start here and that ended just before. `needed` is, by
    the state after it, the least number of jokers for its short runs to end or to reach a fixed run.
    """

    starting: int
    ended: int
    needed: tuple[int, ...]


def _look_ahead(pool: Pool, value: int, colour: int) -> _Ahead:
    runs = [run for run in pool.runs if run.colour == colour]
    next_tiles, later_tiles = (
        _count_tiles_at(pool, value + step, colour)
        + sum(value < run.low <= value + step for run in runs)
        for step in (1, 2)
    )
    return _Ahead(
        starting=sum(run.low == value for run in runs),
        ended=sum(run.high == value - 1 for run in runs),
        needed=_count_needed(next_tiles, later_tiles),
    )


def _count_tiles_at(pool: Pool, value: int, colour: int) -> int:
    return pool.most[face_of(value, colour)] if value in VALUES else 0


@lru_cache(maxsize=1 << 8)  # at most 1 MB
def _count_needed(next_tiles: int, later_tiles: int) -> tuple[int, ...]:
    """Return the jokers needed by state, given the tiles of the next two numbers.

    Every short run needs a tile of the next number. A run of one tile needs both.
    """
    return tuple(
        max(0, sum(length < LONG for length in runs) - next_tiles)
        + max(0, runs.count(1) - later_tiles)
        for runs in STATES
    )


def _count_lacking(vector: Vector, most: Sequence[int]) -> int:
    lacking = 0
    for wanted, there in zip(vector, most, strict=True):
        if wanted > there:
            lacking += wanted - there
    return lacking


def _list_groups() -> dict[Vector, tuple[tuple[int, ...], ...]]:
    """Return the choices of groups of a number: up to two, and three with the help of jokers."""
    single = [*combinations(COLOURS, 3), tuple(COLOURS)]
    found: dict[Vector, tuple[tuple[int, ...], ...]] = {_NOTHING: ()}
    for size in (1, 2, 3):
        for melds in combinations_with_replacement(single, size):
            sums = [sum(colour in meld for meld in melds) for colour in COLOURS]
            if sum(sums) <= 2 * len(COLOURS) + MOST_JOKERS:
                found.setdefault((sums[0], sums[1], sums[2], sums[3]), melds)
    return found


_GROUPS: Final = _list_groups()


@dataclass(slots=True)
class _OpenRun:
    tiles: list[Placed]
    length: int
    fixed: int | None = None


class _Builder:
    """Builds the melds from a path through the layers."""

    def __init__(self, search: _Search) -> None:
        self.search = search
        self.pool = search.pool
        self.open: list[list[_OpenRun]] = [[] for _ in COLOURS]
        self.melds: list[list[Placed]] = []
        self.grown: dict[int, list[Placed]] = {}

    def build(self, gain: int, path: Sequence[tuple[Vector, Sequence[_Option]]]) -> Found:
        for value, (vector, chosen) in zip(VALUES, path, strict=True):
            grouped = [
                self._run(value, colour, option)
                for colour, option in zip(COLOURS, chosen, strict=True)
            ]
            division = self.search.vectors[value][vector]
            for meld in division.melds:
                self.melds.append([grouped[colour].pop() for colour in meld])
            for place, colour in division.grown:
                self.grown.setdefault(place, []).append(grouped[colour].pop())
        for runs in self.open:
            for run in runs:
                self._close(run)
        return Found(gain, self.melds, self.grown)

    def _run(self, value: int, colour: int, option: _Option) -> list[Placed]:
        """Put tiles of this number into the runs of a colour. Returns the tiles for its groups."""
        face = face_of(value, colour)
        tiles = [(JOKER, face)] * option.jokers + [(face, face)] * option.naturals
        runs = self.open[colour]
        self._absorb(value, colour, option.absorbed)
        runs += [
            _OpenRun([], LONG, place)
            for place, fixed in enumerate(self.pool.runs)
            if fixed.colour == colour and fixed.high == value - 1
        ]
        runs.sort(key=lambda run: run.length)
        for run in runs[option.in_runs :]:
            self._close(run)
        del runs[option.in_runs :]
        runs += [_OpenRun([], 0) for _ in range(option.in_runs - len(runs))]
        for run in runs:
            run.tiles.append(tiles.pop())
            run.length = min(run.length + 1, LONG)
        return tiles

    def _absorb(self, value: int, colour: int, lengths: Sequence[int]) -> None:
        starting = [
            place
            for place, fixed in enumerate(self.pool.runs)
            if fixed.colour == colour and fixed.low == value
        ]
        runs = self.open[colour]
        for place, length in zip(starting, lengths, strict=False):
            run = runs.pop([one.length for one in runs].index(length))
            self.grown.setdefault(place, []).extend(run.tiles)

    def _close(self, run: _OpenRun) -> None:
        if run.fixed is None:
            self.melds.append(run.tiles)
        elif run.tiles:
            self.grown.setdefault(run.fixed, []).extend(run.tiles)
