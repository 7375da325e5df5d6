"""Melds that the solver must lay: for a freed joker (K10), or as the initial meld (K7).

A joker on the table is freed if another tile takes its place. It must be laid again in a new meld, together with two
tiles from the rack. A core is a new meld that a lay must contain, or the required part of one.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import Final, NamedTuple

from games.cards import FACE_RANK
from games.rummikub.rules.judging import TILES_WITH_JOKER, Faces
from games.rummikub.rules.melds import COLOURS, JOKER, MIN_MELD, VALUES, face_of
from games.rummikub.rules.solver import Placed, StepBudget

# A longer run can be split in two.
_LONGEST_OPENING: Final = 5
# The number of steps that take as long as trying a meld.
_STEPS_OF_MELD: Final = 10


class MeldCore(NamedTuple):
    """A new meld, or the required part of one, as pairs of a tile and the face that it stands for.

    `from_rack` are the faces of the tiles in it that must come from the rack. The solver may add tiles to the meld only
    if `grows` is set.
    """

    meld: tuple[Placed, ...]
    from_rack: tuple[int, ...]
    grows: bool

    @property
    def points(self) -> int:
        return sum(FACE_RANK[face] for _, face in self.meld)


def list_layings_of_freed(rack: Faces, there: Faces, freed: int) -> Iterator[tuple[MeldCore, ...]]:
    """Yield each choice of new melds into which the freed jokers can be laid (K10).

    `freed` is the number of freed jokers. Two of them go into one meld together, or into a meld each. Each meld has two
    tiles from the rack. `there` counts all tiles that a meld may contain, those of the rack included.
    """
    single = list(dict.fromkeys(_list_with_jokers(rack, there, 1)))
    if freed == 1:
        yield from ((core,) for core in single)
        return
    yield from ((core,) for core in dict.fromkeys(_list_with_jokers(rack, there, freed)))
    yield from combinations(single, freed)


def _list_with_jokers(rack: Faces, there: Faces, freed: int) -> Iterator[MeldCore]:
    """Yield the new melds with `freed` freed jokers and two tiles from the rack."""
    for value in VALUES:
        yield from _list_groups_with(rack, [face_of(value, colour) for colour in COLOURS], freed)
    for colour in COLOURS:
        for low, high in combinations(VALUES, 2):
            if high - low >= MIN_MELD - 1:
                faces = [face_of(value, colour) for value in range(low, high + 1)]
                yield from _list_runs_with(rack, there, faces, freed)


def _list_groups_with(rack: Faces, faces: Sequence[int], freed: int) -> Iterator[MeldCore]:
    """Yield groups of two tiles from the rack and `freed` freed jokers. One of the two tiles may itself be a joker."""
    for own_jokers in range(min(1, rack[JOKER]) + 1):
        naturals = TILES_WITH_JOKER - own_jokers
        for two in combinations([face for face in faces if rack[face]], naturals):
            others = [face for face in faces if face not in two]
            for stood_for in combinations(others, freed + own_jokers):
                yield _make_core(two, stood_for, (*two, *[JOKER] * own_jokers))


def _list_runs_with(
    rack: Faces, there: Faces, faces: Sequence[int], freed: int
) -> Iterator[MeldCore]:
    """Yield runs of exactly these faces with `freed` freed jokers and two tiles from the rack.

    A run may also contain one joker from the rack. Runs that could do without their first or last tile are left out.
    """
    for own_jokers in range(min(1, rack[JOKER]) + 1):
        for stood_for in combinations(faces, freed + own_jokers):
            naturals = [face for face in faces if face not in stood_for]
            if all(there[face] for face in naturals):
                held = [face for face in naturals if rack[face]]
                yield from _list_needed(naturals, held, stood_for, own_jokers)


def _list_needed(
    naturals: Sequence[int], held: Sequence[int], stood_for: tuple[int, ...], own_jokers: int
) -> Iterator[MeldCore]:
    """Yield a run once for each choice of the two tiles in it that come from the rack (K10).

    `naturals` are the faces of the run's natural tiles, `held` those of them that the rack has, and `stood_for` the
    faces that its jokers stand for. If the run begins or ends with a natural tile that is not one of the two, the
    choice is left out, because the run could do without that tile.
    """
    ends = {min(*naturals, *stood_for), max(*naturals, *stood_for)} if naturals else set()
    for jokers in range(own_jokers + 1):
        for two in combinations(held, TILES_WITH_JOKER - jokers):
            if ends and ends <= {*two, *stood_for}:
                yield _make_core(naturals, stood_for, (*two, *[JOKER] * jokers))


def _make_core(
    naturals: Sequence[int], stood_for: Sequence[int], from_rack: tuple[int, ...]
) -> MeldCore:
    meld = [*((face, face) for face in naturals), *((JOKER, face) for face in stood_for)]
    return MeldCore(tuple(sorted(meld, key=lambda one: one[1])), from_rack, grows=True)


def list_openings(rack: Faces, least: int, budget: StepBudget) -> Iterator[tuple[MeldCore, ...]]:
    """Yield each choice of melds, made only of these tiles, that is worth at least `least` points (K7).

    Each meld of a choice is needed to reach `least`. Of several choices that use the same tiles only one is yielded.
    The search stops when the budget is spent.
    """
    melds = sorted(_find_melds(rack), key=lambda core: -core.points)
    seen: set[tuple[int, ...]] = set()
    for chosen in _choose_melds(melds, rack, least, budget):
        tiles = tuple(sorted(chain.from_iterable(core.from_rack for core in chosen)))
        if tiles not in seen:
            seen.add(tiles)
            yield chosen


def _choose_melds(
    melds: Sequence[MeldCore], rack: Faces, least: int, budget: StepBudget
) -> Iterator[tuple[MeldCore, ...]]:
    """Yield the choices of melds that are worth at least `least` points together.

    `melds` must be sorted by their points, the highest first. A choice ends with the meld that reaches `least`. So
    every meld in it is needed.
    """
    for place, core in enumerate(melds):
        budget.left -= _STEPS_OF_MELD
        if budget.is_spent:
            return
        rest = Counter(rack)
        rest.subtract(core.from_rack)
        if min(rest.values()) < 0:
            continue
        if core.points >= least:
            yield (core,)
        else:
            following = _choose_melds(melds[place:], rest, least - core.points, budget)
            yield from ((core, *others) for others in following)


def _find_melds(rack: Faces) -> Iterator[MeldCore]:
    """Yield all melds that these tiles can make, except runs so long that they could be split into two."""
    for value in VALUES:
        for size in (3, 4):
            for colours in combinations(COLOURS, size):
                yield from _fill_meld(rack, [face_of(value, colour) for colour in colours])
    for colour in COLOURS:
        for size in range(MIN_MELD, _LONGEST_OPENING + 1):
            for low in range(1, 15 - size):
                yield from _fill_meld(rack, [face_of(low + step, colour) for step in range(size)])


def _fill_meld(rack: Faces, faces: Sequence[int]) -> Iterator[MeldCore]:
    """Yield the meld of exactly these faces, once for each way to use jokers in it.

    A joker may stand for a tile that is not among the tiles, or save one that is.
    """
    for jokers in range(rack[JOKER] + 1):
        for stood_for in combinations(faces, jokers):
            naturals = [face for face in faces if face not in stood_for]
            if naturals and all(rack[face] for face in naturals):
                core = _make_core(naturals, stood_for, (*naturals, *[JOKER] * jokers))
                yield core._replace(grows=False)
