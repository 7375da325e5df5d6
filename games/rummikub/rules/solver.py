"""Finds the melds that use the most tiles of a pool: a dynamic program over the numbers 1 to 13.

A use of the pool is a list of melds that contain every tile that must be used. Each used tile gains a constant
(`TilePool.tile`) and its number. With `TILE` as the constant, the number of tiles comes first and their points second.
The best use is the one with the highest gain.

A run is open as long as tiles of the next number may continue it. After each number the state of a colour is the
lengths of its open runs. All lengths from three on are treated alike, because ending a run of three never gains
anything if the run can continue. Given the state, the number of tiles that go into runs nearly determines the next
state. The colours affect each other only through the groups of a number and the jokers used. After van Rijn, Takes and
Vis, arXiv 1604.07553.

A state is dropped if another state has gained as much and can continue in every way that the dropped one can. A state
is also dropped if even all remaining tiles could not make it better than the best use known so far. A first search with
few steps finds such a use.

Fixed melds must stay on the table, but tiles may be added to them. An open run of any length may be joined to a fixed
run that starts at the next number. A fixed run that has just ended continues as an open run of three.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, combinations, combinations_with_replacement, pairwise, product
from typing import Final, NamedTuple

from games.cards import FACE_RANK, FACE_SUIT
from games.engine.state import require
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
_SHORT_RUNS: Final = tuple(sum(length < LONG for length in runs) for runs in STATES)
CLOSED: Final = frozenset(
    number for number, runs in enumerate(STATES) if all(length == LONG for length in runs)
)


@lru_cache(maxsize=1 << 14)  # at most 5 MB
def flow(
    state: int, tiles: int, starting: int, ended: int
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the states of a colour that can follow `state` if `tiles` tiles of the next number go into its runs.

    Each state comes with the lengths of the open runs that are joined to fixed runs. `starting` is the number of fixed
    runs that start at the next number, `ended` that of fixed runs that ended just before it. There are at most two
    tiles of a face, and at most `MOST_JOKERS` jokers.
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
    """Yield each way to join short open runs to at most `starting` fixed runs.

    A way is two tuples: the lengths of the runs that are joined, and the lengths of the runs that are left open.
    """
    short = [place for place, length in enumerate(runs) if length < LONG]
    for size in range(min(starting, len(short)) + 1):
        for places in combinations(short, size):
            yield (
                tuple(runs[place] for place in places),
                tuple(length for place, length in enumerate(runs) if place not in places),
            )


# The gain from a tile besides its points. It exceeds all points together: the number of tiles comes first.
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
    """A run from the number `low` to `high` that must stay. Tiles may be added at its ends."""

    colour: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class FixedGroup:
    """A group that must stay. One tile of one of `colours`, which the group lacks, may be added to it."""

    value: int
    colours: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TilePool:
    """The tiles that may be used: of each face, at least `least` tiles and at most `most`.

    `jokers_of_table` is how many of the jokers come from the table. The same number of the jokers used, those at the
    lowest numbers, add nothing to a solution's gain. `runs` and `groups` are the fixed melds, whose own tiles are not
    counted in the pool. `tile` is what each used tile gains besides its number.
    """

    least: tuple[int, ...]
    most: tuple[int, ...]
    jokers_least: int = 0
    jokers_most: int = 0
    jokers_of_table: int = 0
    runs: tuple[FixedRun, ...] = ()
    groups: tuple[FixedGroup, ...] = ()
    tile: int = TILE

    @property
    def gain_of_required(self) -> int:
        """The gain from the tiles that must be used, without jokers."""
        return sum(
            least * (self.tile + FACE_RANK[face]) for face, least in enumerate(self.least) if least
        )


def list_useful(pool: TilePool) -> Iterator[int]:
    """Yield the faces of optional tiles that fit into some meld with other tiles of the pool.

    A face is optional if the pool has more tiles of it than must be used.
    """
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
    """Return, as bits, the numbers that can be part of a run of three made of `numbers` and this many jokers."""
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
    """The tiles to lay, as the solver found them.

    `gain` adds up what each used tile gains, including required tiles. `melds` are the new melds. `grown` maps the
    index of a fixed meld to the tiles added to it. The indexes count the pool's fixed runs first, then its groups.
    """

    gain: int
    melds: list[list[Placed]] = field(default_factory=list)
    grown: dict[int, list[Placed]] = field(default_factory=dict)

    def place_jokers(self, least: int) -> bool:
        """Add jokers to the new melds until `least` jokers are used. Return whether there was room for all of them."""
        laid = chain.from_iterable((*self.melds, *self.grown.values()))
        left = least - sum(tile == JOKER for tile, _ in laid)
        for meld in self.melds:
            while left > 0 and (face := _find_room(meld)) is not None:
                meld.append((JOKER, face))
                left -= 1
        return left <= 0


def _find_room(meld: Sequence[Placed]) -> int | None:
    """Return a face that a joker added to the meld can stand for, or None if the meld is full."""
    faces = [face for _, face in meld]
    low, high = min(faces), max(faces)
    if FACE_RANK[low] == FACE_RANK[high]:
        possible = [face_of(FACE_RANK[low], colour) for colour in COLOURS]
    else:
        possible = [high + 1] * (FACE_RANK[high] < VALUES[-1]) + [low - 1] * (FACE_RANK[low] > 1)
    return next((face for face in possible if face not in faces), None)


class _Option(NamedTuple):
    """A choice for one colour at one number: how many tiles go into its runs, and how many of its tiles are jokers.

    `state` is the colour's state afterwards. `jokers` and `naturals` count the tiles used in runs and groups together,
    and `in_runs` those in runs. `needed` is how many jokers the open runs still need, because too few tiles follow.
    `absorbed` has the lengths of the open runs that are joined to fixed runs.
    """

    state: int
    jokers: int
    needed: int
    naturals: int
    in_runs: int
    absorbed: tuple[int, ...]


# The choices of two colours: what they add to a key as its first or its last colours, jokers used,
# jokers used and needed, tiles used that are no jokers.
_Pair = tuple[int, int, int, int, int]
# By the jokers at hand.
_Pairs = tuple[tuple[_Pair, ...], ...]


class StepBudget:
    """The steps that a call of the solver may still take. One step tries one choice for all four colours."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    @property
    def is_spent(self) -> bool:
        return self.left <= 0


# The steps for each number in the first and in the second search. If they do not suffice, only the most
# promising states are continued (docs/bots.md).
STEPS_OF_NUMBER: Final = (300, 30_000)
# What a state promises besides its gain, in half tiles. Found by trial.
_JOKER_AT_HAND: Final = 3
_SHORT_RUN: Final = 1
# The number of steps that take as long as the fixed part of a call.
_STEPS_OF_ASKING: Final = 1_000


def solve(
    pool: TilePool, budget: StepBudget, *, known: int = -1, takes_any: bool = False
) -> Solution | None:
    """Return the use of the pool with the highest gain or, with `takes_any`, a good one that is found sooner.

    Returns None if the required tiles cannot all be used, or if no use gains more than `known`. With many tiles it
    returns the best of the uses that can be tried within the steps allowed for each number.
    """
    budget.left -= _STEPS_OF_ASKING
    if pool.jokers_of_table == pool.jokers_most:
        # Jokers gain nothing here. Required ones can be added to the melds in the end, unless all are full.
        found = _Search(pool, budget, jokers_least=0).find_best(known, takes_any=takes_any)
        if found is None or found.place_jokers(pool.jokers_least):
            return found
    search = _Search(pool, budget, pool.jokers_least)
    return search.find_best(known, takes_any=takes_any)


# A state of all colours, with the jokers used, and its gain.
_Reached = tuple[int, int]


class _Layer(NamedTuple):
    """The states after a number. Both mappings have them as keys.

    `gains` has the highest gain with which each state was reached, and `before` the state from which it was reached.
    """

    gains: dict[int, int]
    before: dict[int, int]


class _Search:
    def __init__(self, pool: TilePool, budget: StepBudget, jokers_least: int) -> None:
        self.pool = pool
        self.budget = budget
        self.jokers_least = jokers_least
        self.jokers = _Jokers(pool.jokers_most, jokers_least > 0)
        self.colours = dict(_list_colours(pool))
        self.vectors = {value: self._count_vectors(value) for value in VALUES}
        self.most_after = self._count_most_after()

    def find_best(self, known: int, *, takes_any: bool) -> Solution | None:
        best: Sequence[_Reached] = ()
        for steps in STEPS_OF_NUMBER:
            if known >= self.most_after[0]:
                break
            found, is_whole = self._find_better(known, steps)
            if found:
                best, known = found, found[-1][1]
            if is_whole or self.budget.is_spent or (best and takes_any):
                break
        return _Builder(self).build(best) if best else None

    def _find_better(self, known: int, most_steps: int) -> tuple[Sequence[_Reached], bool]:
        """Return the states that lead to the best use, and whether all states were tried within the steps.

        They are the states before and after each number. The sequence is empty if no use gains more than `known`.
        `most_steps` is the limit for each number.
        """
        states, layers, is_whole = {0: 0}, [], True
        for value in VALUES:
            least = max(-1, known - self.most_after[value])
            layer, has_all = self._expand(value, states, least, most_steps)
            layers.append(layer)
            states = self._put_best_first(layer.gains)
            is_whole = is_whole and has_all
        ends = [key for key, gain in states.items() if gain > known and self._is_end(key)]
        if not ends:
            return (), is_whole
        key = max(ends, key=states.__getitem__)
        path = []
        for layer in reversed(layers):
            path.append((key, layer.gains[key]))
            key = layer.before[key]
        return ((0, 0), *reversed(path)), is_whole

    def _is_end(self, key: int) -> bool:
        if key >> _JOKERS_AT < self.jokers_least:
            return False
        return all(key >> _BITS * colour & _MASK in CLOSED for colour in COLOURS)

    def _count_most_after(self) -> list[int]:
        """Return, for each number, a bound on what can be gained after it. Index 0 has the bound for all numbers."""
        pool, useful = self.pool, set(list_useful(self.pool))
        most = [(pool.jokers_most - pool.jokers_of_table) * (pool.tile + VALUES[-1])]
        for value in reversed(VALUES):
            faces = [face_of(value, colour) for colour in COLOURS]
            tiles = sum((pool.most if face in useful else pool.least)[face] for face in faces)
            most.append(most[-1] + tiles * (pool.tile + value))
        return most[::-1]

    def _put_best_first(self, gains: Mapping[int, int]) -> dict[int, int]:
        """Return the states that are worth continuing, each with its gain. The most promising state comes first.

        An unused joker is worth more than an ordinary tile, and a short run may turn out to be a burden. A state comes
        before all states that it dominates (see `_describe_state`).
        """
        most, tile = self.pool.jokers_most, self.pool.tile
        use = _BITS_OF_JOKERS[self.jokers_least > 0]
        found = []
        for key, gain in gains.items():
            jokers, short, bits = key >> _JOKERS_AT, 0, use[key >> _JOKERS_AT]
            for colour in COLOURS:
                state = key >> _BITS * colour & _MASK
                short += _SHORT_RUNS[state]
                bits = bits << _SIZE_OF_BITS | _BITS_OF_STATE[state]
            promise = 2 * gain + (_JOKER_AT_HAND * (most - jokers) - _SHORT_RUN * short) * tile
            found.append((promise, bits.bit_count(), bits, key))
        found.sort(reverse=True)
        kept: dict[int, int] = {}
        better: list[tuple[int, int]] = []
        for _promise, _size, bits, key in found:
            gain = gains[key]
            for other, gained in better:
                if other | bits == other and gained >= gain:
                    break
            else:
                better.append((bits, gain))
                kept[key] = gain
        return kept

    def _expand(
        self, value: int, states: Mapping[int, int], least: int, most_steps: int
    ) -> tuple[_Layer, bool]:
        """Return the states after the number `value` that are worth continuing, and whether no state was left out.

        The `states` before the number are continued in their order, until about `most_steps` steps have been taken. A
        state after it is worth continuing if its gain exceeds `least`.
        """
        most_steps = max(STEPS_OF_NUMBER[0], min(most_steps, self.budget.left))
        vectors = list(self.vectors[value])
        in_front = [(vector[0], vector[1]) for vector in vectors]
        in_rear = [(vector[2], vector[3]) for vector in vectors]
        fronts: dict[int, Mapping[int, _Pairs]] = {}
        rears: dict[int, Mapping[int, _Pairs]] = {}
        layer = _Layer({}, {})
        steps = 0
        for key, gain in states.items():
            if steps > most_steps:
                break
            two = key & _TWO_MASK
            if (front := fronts.get(two)) is None:
                front = fronts[two] = self._list_halves(value, 0, in_front, two)
                steps += len(vectors)
            two = key >> 2 * _BITS & _TWO_MASK
            if (rear := rears.get(two)) is None:
                rear = rears[two] = self._list_halves(value, 2, in_rear, two)
                steps += len(vectors)
            halves = [(pairs, rear[place]) for place, pairs in front.items() if place in rear]
            steps += len(halves) + self._reach(value, (key, gain), halves, layer, least)
        self.budget.left -= steps
        return layer, steps <= most_steps

    def _reach(
        self,
        value: int,
        start: _Reached,
        halves: Sequence[tuple[_Pairs, _Pairs]],
        layer: _Layer,
        least: int,
    ) -> int:
        """Add the states that can follow `start` at this number to the layer. Return the number of steps taken."""
        before, gain = start
        gains, come_from = layer
        used, worth, steps = before >> _JOKERS_AT, self.pool.tile + value, 0
        left, joker_gains = self.pool.jokers_most - used, self._count_joker_gains(value, used)
        for firsts, seconds in halves:
            for front, _, jokers, wanted, naturals in firsts[left]:
                base, so_far = front + (used << _JOKERS_AT), gain + naturals * worth
                following = seconds[left - wanted]
                steps += len(following)
                for _, rear, more, _, others in following:
                    key = base + rear
                    total = so_far + others * worth + joker_gains[jokers + more]
                    if total > gains.get(key, least):
                        gains[key] = total
                        come_from[key] = before
        return steps

    def _count_joker_gains(self, value: int, used: int) -> list[int]:
        """Return the gain from using 0, 1, ... jokers at the number `value`.

        `used` is how many jokers have been used at lower numbers.
        """
        uncounted = max(used, self.pool.jokers_of_table)
        worth = self.pool.tile + value
        jokers = range(self.pool.jokers_most - used + 1)
        return [max(0, used + more - uncounted) * worth for more in jokers]

    def find_choice(
        self, value: int, start: _Reached, end: _Reached
    ) -> tuple[Vector, Sequence[_Option]]:
        """Return what was chosen at the number `value` on the way from the state `start` to the state `end`.

        The first part is how many tiles of each colour go into groups, the second the choice for each colour.
        """
        used = start[0] >> _JOKERS_AT
        jokers = (end[0] >> _JOKERS_AT) - used
        gain = end[1] - start[1] - self._count_joker_gains(value, used)[jokers]
        choices = (
            (vector, chosen)
            for vector in self.vectors[value]
            for chosen in product(*self._list_options_between(value, vector, start[0], end[0]))
            if sum(option.jokers for option in chosen) == jokers
            and sum(option.naturals for option in chosen) * (self.pool.tile + value) == gain
        )
        return require(next(choices, None))

    def _list_options_between(
        self, value: int, vector: Vector, start: int, end: int
    ) -> Iterator[list[_Option]]:
        """Yield, for each colour, the choices that lead from one state to the other."""
        for colour, grouped in zip(COLOURS, vector, strict=True):
            before, after = (key >> _BITS * colour & _MASK for key in (start, end))
            options = _list_options(self.colours[value, colour], grouped, before, self.jokers)
            yield [option for option in options if option.state == after]

    def _list_halves(
        self, value: int, colour: int, in_groups: Sequence[tuple[int, int]], states: int
    ) -> dict[int, _Pairs]:
        """Return the choices for this colour and the next one, by the index in `in_groups` that allows them.

        Each entry of `in_groups` is how many tiles of each of the two colours go into groups.
        """
        colours = self.colours[value, colour], self.colours[value, colour + 1]
        known: dict[tuple[int, int], _Pairs] = {}
        halves: dict[int, _Pairs] = {}
        for number, grouped in enumerate(in_groups):
            if (pairs := known.get(grouped)) is None:
                pairs = known[grouped] = _list_pairs(colours, grouped, states, self.jokers)
            if pairs[-1]:
                halves[number] = pairs
        return halves

    def _count_vectors(self, value: int) -> "Mapping[Vector, _Division]":
        """Return the groups that are possible at this number, as a mapping.

        The keys of the mapping are how many tiles of each colour go into the groups.
        """
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


class _Division(NamedTuple):
    """Groups as tuples of colours, and the tiles added to fixed groups, each as the group's index and a colour."""

    melds: tuple[tuple[int, ...], ...]
    grown: list[tuple[int, int]]


@lru_cache(maxsize=1 << 13)  # at most 10 MB
def _list_pairs(
    colours: tuple["_Colour", "_Colour"], grouped: tuple[int, int], states: int, jokers: "_Jokers"
) -> _Pairs:
    """Return the pairs of choices for two colours. Index n has those that can be made with n jokers left.

    `grouped` is how many tiles of each colour go into groups.
    """
    firsts = _list_options(colours[0], grouped[0], states & _MASK, jokers)
    seconds = firsts and _list_options(colours[1], grouped[1], states >> _BITS, jokers)
    pairs = [
        (
            (after := first | second << _BITS) | (used := one + two) << _JOKERS_AT,
            after << 2 * _BITS | used << _JOKERS_AT,
            used,
            used + needed + wanted,
            some + others,
        )
        for first, one, needed, some, *_ in firsts
        for second, two, wanted, others, *_ in seconds
    ]
    by_jokers = []
    for left in reversed(range(jokers.most + 1)):
        pairs = [pair for pair in pairs if pair[3] <= left]
        by_jokers.append(tuple(pairs))
    return tuple(by_jokers[::-1])


@lru_cache(maxsize=1 << 13)  # at most 4 MB
def _list_options(
    colour: "_Colour", grouped: int, state: int, jokers: "_Jokers"
) -> tuple[_Option, ...]:
    least, most = colour.least, colour.most
    needed_after = _count_needed(colour.next_tiles, colour.later_tiles)
    return tuple(
        _Option(
            after,
            in_runs + grouped - naturals,
            needed,
            naturals,
            in_runs,
            absorbed,
        )
        for in_runs in range(most + jokers.most - grouped + 1)
        for after, absorbed in flow(state, in_runs, colour.starting, colour.ended)
        if (needed := needed_after[after]) <= jokers.most
        for naturals in _count_naturals(in_runs + grouped, least, most, jokers)
    )


def _count_naturals(tiles: int, least: int, most: int, jokers: "_Jokers") -> range:
    """Return the possible numbers of natural tiles among these tiles; the rest are jokers.

    A joker is used in place of an available tile only if the joker must be used.
    """
    highest = min(tiles, most)
    lowest = max(least, tiles - jokers.most)
    return range(lowest if jokers.replace else max(lowest, highest), highest + 1)


class _Colour(NamedTuple):
    """A colour at a number: its tiles and its surroundings.

    `starting` and `ended` are the numbers of fixed runs that start here and that ended just before. `next_tiles` and
    `later_tiles` are the numbers of tiles and fixed runs with which an open run may continue at the next number and at
    the one after it. The class is flat and caps its counts, because its values are cache keys of `_list_pairs`.
    """

    least: int
    most: int
    starting: int
    ended: int
    next_tiles: int
    later_tiles: int


class _Jokers(NamedTuple):
    most: int
    replace: bool  # whether a joker may replace an available tile


def _list_colours(pool: TilePool) -> Iterator[tuple[tuple[int, int], _Colour]]:
    """Yield each colour at each number, keyed by (number, colour)."""
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
                    least[value - 1],
                    most[value - 1],
                    begin[value],
                    ended[value],
                    min(most[value] + starts, _MOST_OPEN),
                    min(most[value + 1] + starts + begin[value + 2], _MOST_OPEN),
                ),
            )


@lru_cache(maxsize=1 << 8)  # at most 1 MB
def _count_needed(next_tiles: int, later_tiles: int) -> tuple[int, ...]:
    """Return, for each state, how many jokers its open runs need, given the tiles of the next two numbers.

    Every short run needs a tile of the next number. A run of one tile also needs one of the number after it.
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
    """Return the combinations of groups that these tiles and jokers can form."""
    return [
        (base, melds) for base, melds in _GROUPS.items() if _count_lacking(base, most) <= jokers
    ]


def _list_groups() -> dict[Vector, tuple[tuple[int, ...], ...]]:
    """Return the possible combinations of groups at one number: up to two, or three with the help of jokers."""
    single = [*combinations(COLOURS, 3), tuple(COLOURS)]
    found: dict[Vector, tuple[tuple[int, ...], ...]] = {_NOTHING: ()}
    for size in (1, 2, 3):
        for melds in combinations_with_replacement(single, size):
            sums = [sum(colour in meld for meld in melds) for colour in COLOURS]
            if sum(sums) <= 2 * len(COLOURS) + MOST_JOKERS:
                found.setdefault((sums[0], sums[1], sums[2], sums[3]), melds)
    return found


_GROUPS: Final = _list_groups()


# --- States as good as others.


_SIZE_OF_BITS: Final = 5 * _MOST_OPEN


def _describe_state(runs: Sequence[int]) -> int:
    """Return the state as bits, such that a state that dominates another one has all of its bits.

    A state dominates another one if it has, for each run of the other state, a run at least as long. Any further runs
    must be long, because these may end or go on.
    """
    ones, long = runs.count(1), runs.count(LONG)
    many = (len(runs), len(runs) - ones, long)
    few = (ones, len(runs) - long)
    bits = [number > bound for number in many for bound in range(_MOST_OPEN)]
    bits += [number <= bound for number in few for bound in range(_MOST_OPEN)]
    return sum(1 << place for place, bit in enumerate(bits) if bit)


_BITS_OF_STATE: Final = tuple(map(_describe_state, STATES))
# By the jokers used. Fewer are as good, but if jokers must be used, only the same number is.
_BITS_OF_JOKERS: Final = (
    tuple((1 << MOST_JOKERS - used) - 1 for used in range(MOST_JOKERS + 1)),
    tuple(1 << used for used in range(MOST_JOKERS + 1)),
)


# --- Melds.


@dataclass(slots=True)
class _OpenRun:
    tiles: list[Placed]
    length: int
    fixed: int | None = None


class _Builder:
    """Builds the melds of a use from the states that the search passed through, one after each number."""

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

    def build(self, path: Sequence[_Reached]) -> Solution:
        for value, (start, end) in zip(VALUES, pairwise(path), strict=True):
            if start == end:
                continue  # no tile of this number is used
            vector, chosen = self.search.find_choice(value, start, end)
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
        return Solution(path[-1][1], self.melds, self.grown)

    def _run(self, value: int, colour: int, option: _Option) -> list[Placed]:
        """Add the tiles of this number to the runs of a colour. Return the tiles that are left for its groups."""
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
