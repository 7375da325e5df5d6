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
from operator import ge
from typing import Final, NamedTuple

from games.cards import FACE_RANK, FACE_SUIT
from games.rummikub.rules.melds import COLOURS, JOKER, MIN_MELD, VALUES, face_of

MOST_JOKERS: Final = 2
# The most open runs of a colour, and the number after the last one.
_MOST_OPEN: Final = 2 + MOST_JOKERS
_AFTER_LAST: Final = 14
# The numbers that a run of three may start with, as bits.
_STARTS_OF_RUNS: Final = (1 << 12) - 2
# Runs of three and longer ones are equal.
LONG: Final = 3
# The open runs of a colour, as their lengths; a state is an index.
STATES: Final = tuple(
    runs
    for size in range(_MOST_OPEN + 1)
    for runs in combinations_with_replacement((1, 2, LONG), size)
)
_STATE_OF: Final = {runs: number for number, runs in enumerate(STATES)}
# By state: its long runs, and a state that has its short ones alone.
_LONGS: Final = tuple(runs.count(LONG) for runs in STATES)
_SHORT: Final = tuple(
    _STATE_OF[tuple(length for length in runs if length < LONG)] for runs in STATES
)
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
class TilePool:
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


def list_useful(pool: TilePool) -> Iterator[int]:
    """Yield the faces of tiles that need not be used and fit somewhere, with the help of any others."""
    jokers = pool.jokers_most
    there = [0, 0, 0, 0]  # by colour, the numbers as bits
    for run in pool.runs:
        there[run.colour] |= (2 << run.high) - (1 << run.low)
    for face, most in enumerate(pool.most):
        if most:
            there[FACE_SUIT[face]] |= 1 << FACE_RANK[face]
    in_runs = [_list_in_runs(numbers, jokers) for numbers in there]
    growing = {face_of(group.value, colour) for group in pool.groups for colour in group.colours}
    for face, (least, most) in enumerate(zip(pool.least, pool.most, strict=True)):
        if most <= least:
            continue
        value, colour = FACE_RANK[face], FACE_SUIT[face]
        alike = sum(pool.most[face_of(value, other)] > 0 for other in COLOURS)
        if in_runs[colour] >> value & 1 or alike + jokers >= MIN_MELD or face in growing:
            yield face


def _list_in_runs(numbers: int, jokers: int) -> int:
    """Return as bits the numbers that are in three numbers in a row of which all but the jokers are there."""
    first, second, third = numbers, numbers >> 1, numbers >> 2
    if jokers > 1:
        return -1
    starts = first & second & third
    if jokers:
        starts = first & second | first & third | second & third
    starts &= _STARTS_OF_RUNS
    return starts | starts << 1 | starts << 2


@dataclass(slots=True)
class Solution:
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


class StepBudget:
    """The steps that a question to the solver may still take. A step is a choice for four colours tried."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    @property
    def is_spent(self) -> bool:
        return self.left <= 0


# A number with more steps goes on with the most promising states alone (docs/bots.md).
STEPS_OF_NUMBER: Final = 30_000
# What a state promises beside its gain, in tiles. Found by trying.
_JOKER_AT_HAND: Final = 1.5
_SHORT_RUN: Final = 0.5
# The steps that asking the solver costs at all, in time.
_STEPS_OF_ASKING: Final = 5_000


def solve(pool: TilePool, budget: StepBudget) -> Solution | None:
    """Return the best use of the pool, or None if the required tiles cannot be used.

    With many tiles it is the best of the uses that the steps of a number allow to try.
    """
    budget.left -= _STEPS_OF_ASKING
    search = _Search(pool, budget)
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


def _is_end(key: int, pool: TilePool) -> bool:
    if key >> _JOKERS_AT < pool.jokers_least:
        return False
    return all(key >> _BITS * colour & _MASK in CLOSED for colour in COLOURS)


# For each key its predecessor, the groups of the number and the choice for each colour.
_Steps = dict[int, tuple[int, Vector, Sequence[_Option]]]


class _Search:
    def __init__(self, pool: TilePool, budget: StepBudget) -> None:
        self.pool = pool
        self.budget = budget
        # Whether a number had more steps than it may take. From then on the best states come first.
        self.is_crowded = False
        self.vectors: dict[int, Mapping[Vector, _Division]] = {}
        self.jokers = _Jokers(pool.jokers_most, pool.jokers_least > 0)
        self.colours = dict(_list_colours(pool))

    def build_next_layer(
        self, value: int, layer: Mapping[int, int]
    ) -> tuple[dict[int, int], _Steps]:
        self.vectors[value] = self._count_vectors(value)
        if not self.is_crowded:
            reached, back, is_whole = self._expand_layer(value, layer)
            if is_whole:
                return reached, back
            self.is_crowded = True
        reached, back, _is_whole = self._expand_layer(value, self._put_best_first(layer))
        return reached, back

    def _put_best_first(self, layer: Mapping[int, int]) -> dict[int, int]:
        """Return the states worth to go on with, the most promising first.

        A joker at hand is worth more than its tile, and a short run may stay in the way.
        """

        def promise(one: tuple[int, int]) -> float:
            key, gain = one
            short = sum(len(STATES[_SHORT[key >> _BITS * colour & _MASK]]) for colour in COLOURS)
            jokers = self.pool.jokers_most - (key >> _JOKERS_AT)
            return gain + (_JOKER_AT_HAND * jokers - _SHORT_RUN * short) * self.pool.tile

        return dict(sorted(_drop_dominated(layer).items(), key=promise, reverse=True))

    def _expand_layer(
        self, value: int, layer: Mapping[int, int]
    ) -> tuple[dict[int, int], _Steps, bool]:
        """Return the next layer, its steps back, and whether all states of this one went into it."""
        named = list(self.vectors[value])
        in_front = [(vector[0], vector[1]) for vector in named]
        in_rear = [(vector[2], vector[3]) for vector in named]
        fronts: dict[int, Sequence[tuple[int, Sequence[_Pair]]]] = {}
        rears: dict[int, Mapping[int, Sequence[_Pair]]] = {}
        reached: dict[int, int] = {}
        back: _Steps = {}
        steps = 0
        for key, gain in layer.items():
            if steps > STEPS_OF_NUMBER:
                break
            states = key & _TWO_MASK
            if (front := fronts.get(states)) is None:
                front = fronts[states] = [*self._list_halves(value, 0, in_front, states).items()]
                steps += len(named)
            states = key >> 2 * _BITS & _TWO_MASK
            if (rear := rears.get(states)) is None:
                rear = rears[states] = self._list_halves(value, 2, in_rear, states)
                steps += len(named)
            for number, firsts in front:
                if (seconds := rear.get(number)) is not None:
                    steps += 1 + len(firsts) * len(seconds)
                    come_from = (key, gain, named[number])
                    self._reach(value, come_from, (firsts, seconds), (reached, back))
        self.budget.left -= steps
        return reached, back, steps <= STEPS_OF_NUMBER

    def _list_halves(
        self, value: int, colour: int, in_groups: Sequence[tuple[int, int]], states: int
    ) -> dict[int, Sequence[_Pair]]:
        """Return the choices for this colour and the next, by the place of the vector that allows them.

        `in_groups` are the tiles of both colours that each vector puts into groups.
        """
        colours = self.colours[value, colour], self.colours[value, colour + 1]
        known = {
            grouped: _list_pairs(colours, grouped, states, self.jokers)
            for grouped in dict.fromkeys(in_groups)
        }
        return {
            number: pairs for number, grouped in enumerate(in_groups) if (pairs := known[grouped])
        }

    def _reach(
        self,
        value: int,
        come_from: tuple[int, int, Vector],
        halves: tuple[Sequence[_Pair], Sequence[_Pair]],
        into: tuple[dict[int, int], _Steps],
    ) -> None:
        key, gain, vector = come_from
        reached, back = into
        used = key >> _JOKERS_AT
        left = self.pool.jokers_most - used
        firsts, seconds = halves
        for front, jokers, wanted, gained, first, second in firsts:
            if wanted > left:
                continue
            room, so_far = left - wanted, gain + gained
            for rear, more, needed, also, third, fourth in seconds:
                if needed > room:
                    continue
                state = front | rear | used + jokers + more << _JOKERS_AT
                total = so_far + also
                if jokers or more:
                    total += self._joker_gain(used, jokers + more, value)
                if total > reached.get(state, -1):
                    reached[state] = total
                    back[state] = (key, vector, (first, second, third, fourth))

    def _joker_gain(self, used: int, jokers: int, value: int) -> int:
        counted = max(0, used + jokers - max(used, self.pool.jokers_of_table))
        return counted * (self.pool.tile + value)

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
        possible = _list_possible_groups(tuple(most), jokers)
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


def _drop_dominated(layer: Mapping[int, int]) -> dict[int, int]:
    """Drop each state for which another one gained as much and has the same short runs and more long ones.

    A long run may end or go on: having one is never worse than having none.
    """
    alike: dict[tuple[int, ...], list[tuple[int, Sequence[int], int]]] = {}
    for key, gain in layer.items():
        states = [key >> _BITS * colour & _MASK for colour in COLOURS]
        kind = (key >> _JOKERS_AT, *(_SHORT[state] for state in states))
        alike.setdefault(kind, []).append((gain, [_LONGS[state] for state in states], key))
    kept: dict[int, int] = {}
    for group in alike.values():
        group.sort(key=lambda one: (-one[0], -sum(one[1])))
        best: list[Sequence[int]] = []
        for gain, longs, key in group:
            if not any(all(map(ge, other, longs)) for other in best):
                best.append(longs)
                kept[key] = gain
    return kept


class _Division(NamedTuple):
    """Groups as tuples of colours, and the fixed groups that grow, by place and colour."""

    melds: tuple[tuple[int, ...], ...]
    grown: list[tuple[int, int]]


@lru_cache(maxsize=1 << 13)  # at most 16 MB
def _list_pairs(
    colours: tuple["_Colour", "_Colour"], grouped: tuple[int, int], states: int, jokers: "_Jokers"
) -> tuple[_Pair, ...]:
    """Return every choice for two colours when these numbers of their tiles go into groups."""
    firsts = _list_options(colours[0], grouped[0], states & _MASK, jokers)
    seconds = firsts and _list_options(colours[1], grouped[1], states >> _BITS, jokers)
    return tuple(
        (
            one.state | two.state,
            one.jokers + two.jokers,
            one.jokers + two.jokers + one.needed + two.needed,
            one.gain + two.gain,
            one,
            two,
        )
        for one in firsts
        for two in seconds
    )


@lru_cache(maxsize=1 << 13)  # at most 6 MB
def _list_options(
    colour: "_Colour", grouped: int, state: int, jokers: "_Jokers"
) -> tuple[_Option, ...]:
    least, most = colour.least, colour.most
    needed_after = _count_needed(colour.next_tiles, colour.later_tiles)
    return tuple(
        _Option(
            after << colour.shift,
            in_runs + grouped - naturals,
            needed,
            naturals * colour.worth,
            in_runs,
            naturals,
            absorbed,
        )
        for in_runs in range(most + jokers.most - grouped + 1)
        for after, absorbed in flow(state, in_runs, colour.starting, colour.ended)
        if (needed := needed_after[after]) <= jokers.most
        for naturals in _count_naturals(in_runs + grouped, least, most, jokers)
    )


def _count_naturals(tiles: int, least: int, most: int, jokers: "_Jokers") -> range:
    """Return the possible numbers of these tiles that are no jokers.

    A joker replaces a tile that is there only if the joker must be used.
    """
    highest = min(tiles, most)
    lowest = max(least, tiles - jokers.most)
    return range(lowest if jokers.replace else max(lowest, highest), highest + 1)


class _Colour(NamedTuple):
    """A colour at a number: its tiles, what one of them is worth, and its surroundings.

    `starting` and `ended` count fixed runs that start here and that ended just before; `next_tiles` and
    `later_tiles` the tiles and fixed runs with which an open run may go on at the next number and at the
    one after it. It is flat, and larger counts are one: it is a key of `_list_pairs`.
    """

    shift: int  # of its state in the key
    least: int
    most: int
    worth: int
    starting: int
    ended: int
    next_tiles: int
    later_tiles: int


class _Jokers(NamedTuple):
    most: int
    replace: bool  # a tile that is there


def _list_colours(pool: TilePool) -> Iterator[tuple[tuple[int, int], _Colour]]:
    """Yield each colour at each number, by both."""
    for colour in COLOURS:
        begin, ended = [0] * (_AFTER_LAST + 2), [0] * (_AFTER_LAST + 2)
        for run in pool.runs:
            if run.colour == colour:
                begin[run.low] += 1
                ended[run.high + 1] += 1
        first = face_of(1, colour)
        least, most = pool.least[first : first + 13], (*pool.most[first : first + 13], 0, 0)
        for value in VALUES:
            starts = begin[value + 1]
            yield (
                (value, colour),
                _Colour(
                    _BITS * colour,
                    least[value - 1],
                    most[value - 1],
                    pool.tile + value,
                    begin[value],
                    ended[value],
                    min(most[value] + starts, _MOST_OPEN),
                    min(most[value + 1] + starts + begin[value + 2], _MOST_OPEN),
                ),
            )


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


@lru_cache(maxsize=1 << 8)  # at most 1 MB
def _list_possible_groups(
    most: tuple[int, ...], jokers: int
) -> list[tuple[Vector, tuple[tuple[int, ...], ...]]]:
    """Return the groups that these tiles and jokers allow."""
    return [
        (base, melds) for base, melds in _GROUPS.items() if _count_lacking(base, most) <= jokers
    ]


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
        # The places of the fixed runs, by their colour and the number where they start or just after their end.
        self.starting: dict[tuple[int, int], list[int]] = {}
        self.ended: dict[tuple[int, int], list[int]] = {}
        for place, run in enumerate(self.pool.runs):
            self.starting.setdefault((run.low, run.colour), []).append(place)
            self.ended.setdefault((run.high + 1, run.colour), []).append(place)

    def build(self, gain: int, path: Sequence[tuple[Vector, Sequence[_Option]]]) -> Solution:
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
        return Solution(gain, self.melds, self.grown)

    def _run(self, value: int, colour: int, option: _Option) -> list[Placed]:
        """Put tiles of this number into the runs of a colour. Returns the tiles for its groups."""
        runs, ended = self.open[colour], self.ended.get((value, colour), ())
        if not (runs or ended or option.jokers or option.naturals):
            return []
        face = face_of(value, colour)
        tiles = [(JOKER, face)] * option.jokers + [(face, face)] * option.naturals
        self._absorb(self.starting.get((value, colour), ()), runs, option.absorbed)
        runs += [_OpenRun([], LONG, place) for place in ended]
        runs.sort(key=lambda run: run.length)
        for run in runs[option.in_runs :]:
            self._close(run)
        del runs[option.in_runs :]
        runs += [_OpenRun([], 0) for _ in range(option.in_runs - len(runs))]
        for run in runs:
            run.tiles.append(tiles.pop())
            run.length = min(run.length + 1, LONG)
        return tiles

    def _absorb(
        self, starting: Sequence[int], runs: list[_OpenRun], lengths: Sequence[int]
    ) -> None:
        for place, length in zip(starting, lengths, strict=False):
            run = runs.pop([one.length for one in runs].index(length))
            self.grown.setdefault(place, []).extend(run.tiles)

    def _close(self, run: _OpenRun) -> None:
        if run.fixed is None:
            self.melds.append(run.tiles)
        elif run.tiles:
            self.grown.setdefault(run.fixed, []).extend(run.tiles)
