"""The most that can be laid of a pool of tiles: a dynamic program over the numbers 1 to 13.

After each number all that matters of a colour is how long its open runs are, three and more being
alike: a run of three that can go on never gains by stopping. So with so many tiles of the next
number going into runs the next state is all but given. Colours meet in the groups of a number and
in the jokers that have been used. After van Rijn, Takes and Vis, arXiv 1604.07553.

Melds that stay as they lie may grow at their ends: an open run of any length may flow into one that
begins here, and one that ends here is an open run of three.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from typing import Final, NamedTuple

from tables.games.rummikub.melds import COLOURS, JOKER, VALUES, face_of
from tables.games.rummikub.pool import Found, Placed, Pool, Vector

MOST_JOKERS: Final = 2
_LONG: Final = 3
_BITS: Final = 6
_MASK: Final = (1 << _BITS) - 1
_TWO_MASK: Final = (1 << 2 * _BITS) - 1
_JOKERS_AT: Final = 4 * _BITS

# The open runs of a colour, as their lengths; a state is an index.
_STATES: Final = tuple(
    runs
    for size in range(2 + MOST_JOKERS + 1)
    for runs in combinations_with_replacement((1, 2, _LONG), size)
)
_STATE_OF: Final = {runs: number for number, runs in enumerate(_STATES)}
_CLOSED: Final = frozenset(
    number for number, runs in enumerate(_STATES) if all(length == _LONG for length in runs)
)

_NOTHING: Final[Vector] = (0, 0, 0, 0)


class _Option(NamedTuple):
    """What a colour does at a number; `needed` are jokers without which its runs cannot end."""

    state: int  # shifted to its place in the key
    jokers: int
    needed: int
    gain: int
    in_runs: int
    naturals: int
    absorbed: tuple[int, ...]


# Two colours at once: what both do to the state, jokers used, jokers used and needed, gain.
_Pair = tuple[int, int, int, int, _Option, _Option]


def solve(pool: Pool) -> Found | None:
    """The dearest way to use the pool; None if what has to be used cannot be."""
    search = _Search(pool)
    layer = {0: 0}
    steps: list[_Steps] = []
    for value in VALUES:
        layer, back = search.next_layer(value, layer)
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
    return _Builder(search).built(layer[best], path[::-1])


def _is_end(key: int, pool: Pool) -> bool:
    if key >> _JOKERS_AT < pool.jokers_least:
        return False
    return all(key >> _BITS * colour & _MASK in _CLOSED for colour in COLOURS)


# For each key its predecessor, the groups of the number and what each colour does.
_Steps = dict[int, tuple[int, Vector, Sequence[_Option]]]


class _Search:
    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.vectors: dict[int, Mapping[Vector, _Division]] = {}

    def next_layer(self, value: int, layer: Mapping[int, int]) -> tuple[dict[int, int], _Steps]:
        vectors = self.vectors[value] = self._vectors(value)
        halves: dict[tuple[int, int, int, int], list[_Pair]] = {}
        reached: dict[int, int] = {}
        back: _Steps = {}
        for key, gain in layer.items():
            for vector in vectors:
                front = self._half(value, 0, vector, key, halves)
                if front and (rear := self._half(value, 2, vector, key, halves)):
                    self._reach(value, (key, gain, vector), (front, rear), (reached, back))
        return reached, back

    def _half(
        self,
        value: int,
        colour: int,
        vector: Vector,
        key: int,
        halves: dict[tuple[int, int, int, int], list[_Pair]],
    ) -> list[_Pair]:
        """What this colour and the next one can do."""
        states = key >> _BITS * colour & _TWO_MASK
        asked = (colour, vector[colour], vector[colour + 1], states)
        found = halves.get(asked)
        if found is None:
            first = self._options(value, colour, vector[colour], states & _MASK)
            second = self._options(value, colour + 1, vector[colour + 1], states >> _BITS)
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

    def _options(self, value: int, colour: int, grouped: int, state: int) -> list[_Option]:
        """Everything that a colour can do when so many of its tiles go into groups."""
        pool, face = self.pool, face_of(value, colour)
        least, most = pool.least[face], pool.most[face]
        starting = sum(run.colour == colour and run.low == value for run in pool.runs)
        ended = sum(run.colour == colour and run.high == value - 1 for run in pool.runs)
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
            for in_runs in range(most + pool.jokers_most - grouped + 1)
            for after, absorbed in _flow(state, in_runs, starting, ended)
            if (needed := self._needed(value, colour, after)) <= pool.jokers_most
            for naturals in self._naturals(in_runs + grouped, least, most)
        ]

    def _needed(self, value: int, colour: int, state: int) -> int:
        """How many jokers the short runs of a colour need at least, to end or to flow into a fixed
        one."""
        pool, runs = self.pool, _STATES[state]
        short = sum(length < _LONG for length in runs)
        needed = 0
        for step, wanting in ((1, short), (2, runs.count(1))):
            there = pool.most[face_of(value + step, colour)] if value + step in VALUES else 0
            starting = sum(
                run.colour == colour and value < run.low <= value + step for run in pool.runs
            )
            needed += max(0, wanting - starting - there)
        return needed

    def _naturals(self, tiles: int, least: int, most: int) -> range:
        """How many of these tiles are no jokers. A joker takes the place of a tile that is there
        only where the joker has to be used."""
        highest = min(tiles, most)
        lowest = max(least, tiles - self.pool.jokers_most)
        if not self.pool.jokers_least:
            lowest = max(lowest, highest)
        return range(lowest, highest + 1)

    def _vectors(self, value: int) -> "Mapping[Vector, _Division]":
        """How many tiles of each colour may go into groups of this number, and into which."""
        pool = self.pool
        most = [pool.most[face_of(value, colour)] for colour in COLOURS]
        places = [
            (len(pool.runs) + place, group.colours)
            for place, group in enumerate(pool.groups)
            if group.value == value
        ]
        found: dict[Vector, _Division] = {}
        for base, melds in _GROUPS.items():
            if _lacking(base, most) > pool.jokers_most:
                continue
            for added in product(*((None, *colours) for _, colours in places)):
                total = list(base)
                for colour in added:
                    if colour is not None:
                        total[colour] += 1
                vector = (total[0], total[1], total[2], total[3])
                if _lacking(vector, most) <= pool.jokers_most:
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


def _lacking(vector: Sequence[int], most: Sequence[int]) -> int:
    return sum(max(0, wanted - there) for wanted, there in zip(vector, most, strict=True))


def _all_groups() -> dict[Vector, tuple[tuple[int, ...], ...]]:
    """Of one number: up to two groups, and three where jokers help."""
    single = [*combinations(COLOURS, 3), tuple(COLOURS)]
    found: dict[Vector, tuple[tuple[int, ...], ...]] = {_NOTHING: ()}
    for size in (1, 2, 3):
        for melds in combinations_with_replacement(single, size):
            sums = [sum(colour in meld for meld in melds) for colour in COLOURS]
            if sum(sums) <= 2 * len(COLOURS) + MOST_JOKERS:
                found.setdefault((sums[0], sums[1], sums[2], sums[3]), melds)
    return found


_GROUPS: Final = _all_groups()


@lru_cache(maxsize=1 << 14)
def _flow(
    state: int, tiles: int, starting: int, ended: int
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Where so many tiles of the next number lead: the state, and the lengths of the open runs
    that flow into fixed ones that start here."""
    found: dict[int, tuple[int, ...]] = {}
    for absorbed, kept in _absorbed(_STATES[state], starting):
        runs = (*kept, *[_LONG] * ended)
        short = [length for length in runs if length < _LONG]
        if tiles < len(short):
            continue
        on_long = min(tiles - len(short), len(runs) - len(short))
        new = tiles - len(short) - on_long
        after = sorted([*[1] * new, *(length + 1 for length in short), *[_LONG] * on_long])
        if (number := _STATE_OF.get(tuple(after))) is not None:
            found.setdefault(number, absorbed)
    return tuple(found.items())


def _absorbed(
    runs: tuple[int, ...], starting: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Which short runs flow into fixed ones, and which go on by themselves."""
    short = [place for place, length in enumerate(runs) if length < _LONG]
    for size in range(min(starting, len(short)) + 1):
        for places in combinations(short, size):
            yield (
                tuple(runs[place] for place in places),
                tuple(length for place, length in enumerate(runs) if place not in places),
            )


@dataclass(slots=True)
class _OpenRun:
    tiles: list[Placed]
    length: int
    fixed: int | None = None


class _Builder:
    """Lays out what a path through the layers says."""

    def __init__(self, search: _Search) -> None:
        self.search = search
        self.pool = search.pool
        self.open: list[list[_OpenRun]] = [[] for _ in COLOURS]
        self.melds: list[list[Placed]] = []
        self.grown: dict[int, list[Placed]] = {}

    def built(self, gain: int, path: Sequence[tuple[Vector, Sequence[_Option]]]) -> Found:
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
        """Put this number's tiles into the runs of a colour; the others go into groups."""
        face = face_of(value, colour)
        tiles = [(JOKER, face)] * option.jokers + [(face, face)] * option.naturals
        runs = self.open[colour]
        self._absorb(value, colour, option.absorbed)
        runs += [
            _OpenRun([], _LONG, place)
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
            run.length = min(run.length + 1, _LONG)
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
