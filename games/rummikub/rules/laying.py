"""Finds the lay that plays the most tiles and, of several such lays, the most points (K6 to K11).

A meld with a joker is frozen: its tiles stay together (K9). A joker is freed if another tile takes its place in the
meld. Once all its jokers are freed, the meld is no longer frozen (K10). The solver takes frozen melds as fixed; it may
add tiles to them. It is called again for each joker that the rack could free, at first as if the freed joker were any
other tile. If that finds a better lay that is illegal, every meld into which the joker may go is tried (K10).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice, product
from typing import Final, NamedTuple

from games.cards import FACE_RANK, FACE_SUIT, Card
from games.rummikub.rules.cores import MeldCore, list_layings_of_freed, list_openings
from games.rummikub.rules.judging import Faces, Lay, LayVerdict, judge, list_freeing_tiles
from games.rummikub.rules.melds import (
    COLOURS,
    JOKER,
    MIN_MELD,
    VALUES,
    Meld,
    Melds,
    cards_of,
    face_of,
    make_meld,
)
from games.rummikub.rules.ruleset import RummikubRules
from games.rummikub.rules.solver import (
    FixedGroup,
    FixedRun,
    Placed,
    Solution,
    StepBudget,
    TilePool,
    list_useful,
    solve,
)

_FACES: Final = range(JOKER)
# The most melds to try for a freed joker or as an initial meld.
_MOST_TRIED: Final = 150
# The steps for one question, about a tenth of a second. The last call of the solver may exceed them.
STEPS: Final = 100_000


@dataclass(frozen=True, slots=True)
class BestLay:
    """The lay that plays the most tiles, as far as the search found it. `table` is the whole table after it.

    `tiles` and `points` are the number and the points of the tiles laid from the rack.
    """

    tiles: int
    points: int
    table: Melds

    @property
    def worth(self) -> tuple[int, int]:
        return self.tiles, self.points


class Stand(NamedTuple):
    """The position before a lay. The rack is sorted."""

    table: Melds
    rack: tuple[Card, ...]
    has_opened: bool
    rules: RummikubRules

    @property
    def is_free(self) -> bool:
        """Whether jokers on the table may be moved like any other tile."""
        return self.has_opened and self.rules.joker_melds == "free"


class Scene(NamedTuple):
    """One way to treat the frozen melds, fixed before the solver is called.

    `stays` are the melds that stay, and `put` the tiles that replace jokers in them. `loose` are the tiles of the table
    that may be moved. `freeing` are all tiles that replace jokers, and `freed` is the number of jokers freed.
    """

    stays: tuple[tuple[Placed, ...], ...]
    loose: tuple[int, ...]
    freeing: tuple[int, ...] = ()
    freed: int = 0
    put: tuple[int, ...] = ()


@lru_cache(maxsize=1 << 9)  # at most 2 MB
def find_best_lay(stand: Stand) -> BestLay | None:
    """Return the lay with the most tiles and, of several, the most points, or None if there is no lay.

    The search takes about `STEPS` steps. If they do not suffice, the result is the best lay found until then.
    """
    budget = StepBudget(STEPS)
    return (
        _find_best_opened(stand, budget) if stand.has_opened else _find_best_opening(stand, budget)
    )


def find_any_lay(stand: Stand) -> Melds | None:
    """Return the table after some legal lay, or None if there is none. Much faster than `find_best_lay`.

    A player who has not made the initial meld lays the one with the most points or, if the rules need none and the rack
    has no meld, the best lay. Otherwise the lay is the first one found: without moving a tile, then with moving tiles,
    then with freeing jokers.
    """
    budget = StepBudget(STEPS)
    if not stand.has_opened:
        return _find_any_opening(stand, budget)
    if (plain := _lay_plainly(stand)) is not None:
        return plain
    has_joker = any(card.face == JOKER for card in stand.rack)
    for scene in (*([_keep_all(stand)] if has_joker else []), _keep_frozen(stand)):
        if (found := _solve_scene(stand, scene, budget, takes_any=True)) is not None:
            return found.table
    for scene in _list_freeing_scenes(stand):
        if budget.is_spent:
            break
        if (found := _find_best_freeing(stand, scene, None, budget)) is not None:
            return found.table
    return None


def _find_any_opening(stand: Stand, budget: StepBudget) -> Melds | None:
    opened = _open_plainly(stand, budget)
    if opened is not None or stand.rules.initial_meld:
        return opened
    # Without an initial meld, tiles of the rack may join those of the table.
    best = _find_best_opening(stand, budget)
    return None if best is None else best.table


@lru_cache(maxsize=4)  # one lay is offered, checked and laid
def judge_table(stand: Stand, table: Melds) -> LayVerdict:
    rack = Counter(card.face for card in stand.rack)
    return judge(Lay(stand.table, table, rack, stand.has_opened), stand.rules)


def _find_best_opened(stand: Stand, budget: StepBudget) -> BestLay | None:
    still, moving = _keep_all(stand), _keep_frozen(stand)
    # Without a joker, a whole rack counts the same however it is laid.
    most = 0 if any(card.face == JOKER for card in stand.rack) else len(stand.rack)
    best = _solve_scene(stand, still, budget)
    if moving != still and not (best and best.tiles == most):
        best = _choose_better(best, _solve_scene(stand, moving, budget))
    for scene in _list_freeing_scenes(stand):
        if budget.is_spent or (best and best.tiles == most):
            break
        best = _choose_better(best, _find_best_freeing(stand, scene, best, budget))
    return best


def lay_without_moving(stand: Stand) -> BestLay | None:
    """Return the best lay that moves no tile on the table, or None if there is none."""
    return _solve_scene(stand, _keep_all(stand), StepBudget(STEPS))


def _choose_better(one: BestLay | None, other: BestLay | None) -> BestLay | None:
    if one is None or (other is not None and other.worth > one.worth):
        return other
    return one


# --- A lay at a glance.


def _lay_plainly(stand: Stand) -> Melds | None:
    """Return the table after a simple lay without jokers, or None if there is none.

    Such a lay adds melds from the rack, and single tiles to melds on the table.
    """
    free: dict[int, list[Card]] = {}
    for card in stand.rack:
        if card.face != JOKER:
            free.setdefault(card.face, []).append(card)
    if not free:
        return None
    laid = [_take_meld(faces, free) for faces in _list_plain_melds(free)]
    table = (*(_grow_plainly(meld, free) for meld in stand.table), *laid)
    is_laid = table != stand.table and judge_table(stand, table).refusal is None
    return table if is_laid else None


def _open_plainly(stand: Stand, budget: StepBudget) -> Melds | None:
    """Return the table with the initial meld that has the most points (K7), or None if the rack has too few points."""
    pool = _make_rack_pool(Counter(card.face for card in stand.rack))
    useful = sum(FACE_RANK[face] * pool.most[face] for face in list_useful(pool))
    if useful + pool.jokers_most * VALUES[-1] < stand.rules.initial_meld:
        return None
    found = solve(pool, budget, known=max(0, stand.rules.initial_meld - 1))
    if found is None:
        return None
    free: dict[int, list[Card]] = {}
    for card in stand.rack:
        free.setdefault(card.face, []).append(card)
    laid = (
        make_meld([free[tile].pop() for tile, _ in meld], [face for _, face in meld])
        for meld in found.melds
    )
    return (*stand.table, *laid)


def _list_plain_melds(free: Mapping[int, Sequence[Card]]) -> Iterator[list[int]]:
    """Yield the faces of one meld after another, groups first.

    The caller must take the tiles of each meld from `free` before asking for the next meld.
    """
    for value in VALUES:
        group = [face for colour in COLOURS if free.get(face := face_of(value, colour))]
        if len(group) >= MIN_MELD:
            yield group
    for colour in COLOURS:
        run: list[int] = []
        for value in (*VALUES, None):
            if value is not None and free.get(face := face_of(value, colour)):
                run.append(face)
                continue
            if len(run) >= MIN_MELD:
                yield run
            run = []


def _take_meld(faces: Sequence[int], free: Mapping[int, list[Card]]) -> Meld:
    return make_meld([free[face].pop() for face in faces], faces)


def _grow_plainly(meld: Meld, free: Mapping[int, list[Card]]) -> Meld:
    """Return the meld with every tile of `free` that can be added to it."""
    cards, faces = list(meld.cards), list(meld.faces)
    is_group = len({FACE_RANK[face] for face in faces}) == 1
    while True:
        if is_group:
            ends = [face_of(FACE_RANK[faces[0]], colour) for colour in COLOURS]
        else:
            low, high = min(faces), max(faces)
            ends = [low - 1] * (FACE_RANK[low] > 1) + [high + 1] * (FACE_RANK[high] < VALUES[-1])
        found = next((face for face in ends if face not in faces and free.get(face)), None)
        if found is None:
            return meld if len(cards) == len(meld.cards) else make_meld(cards, faces)
        cards.append(free[found].pop())
        faces.append(found)


# --- Frozen melds.


def pair_faces(meld: Meld) -> tuple[Placed, ...]:
    return tuple((card.face, face) for card, face in zip(meld.cards, meld.faces, strict=True))


def _keep_all(stand: Stand) -> Scene:
    """Return the scene in which the whole table stays as it is."""
    return Scene(tuple(map(pair_faces, stand.table)), ())


def _keep_frozen(stand: Stand) -> Scene:
    """Return the scene in which all frozen melds stay as they are, and all other tiles may be moved."""
    frozen = [] if stand.is_free else [meld for meld in stand.table if meld.jokers]
    loose = [meld for meld in stand.table if meld not in frozen]
    return Scene(tuple(map(pair_faces, frozen)), tuple(card.face for card in cards_of(loose)))


def _list_freeing_scenes(stand: Stand) -> Iterator[Scene]:
    """Yield every scene in which tiles that may replace jokers free at least one joker (K10).

    They come from the rack or, if the rules have `swap_from` "anywhere", from melds without jokers as well.
    """
    if stand.is_free:
        return
    frozen = [meld for meld in stand.table if meld.jokers]
    held = set(cards_of(frozen))
    loose = tuple(card.face for card in cards_of(stand.table) if card not in held)
    at_hand = Counter(card.face for card in stand.rack)
    if stand.rules.swap_from == "anywhere":
        at_hand.update(loose)
    for choice in product(*(list(_treat_meld(meld, stand.rules)) for meld in frozen)):
        freeing = Counter(chain.from_iterable(one.freeing for one in choice))
        if freeing and not freeing - at_hand:
            yield Scene(
                tuple(chain.from_iterable(one.stays for one in choice)),
                (*loose, *chain.from_iterable(one.loose for one in choice)),
                tuple(freeing.elements()),
                sum(one.freed for one in choice),
                tuple(chain.from_iterable(one.put for one in choice)),
            )


def _treat_meld(meld: Meld, rules: RummikubRules) -> Iterator[Scene]:
    """Yield the ways to treat a frozen meld, each as a scene of this meld alone.

    The meld is kept, or taken apart after all its jokers are replaced, or only one of its two jokers is replaced.
    """
    yield Scene((pair_faces(meld),), ())
    naturals = tuple(card.face for card in meld.cards if card.face != JOKER)
    for freeing in list_freeing_tiles(meld, rules):
        yield Scene((), naturals, freeing, len(meld.jokers))
    if len(meld.jokers) > 1:
        for face in meld.jokers:
            replaced = tuple(
                (face, face) if one == (JOKER, face) else one for one in pair_faces(meld)
            )
            yield Scene((replaced,), (), (face,), 1, (face,))


def _find_best_freeing(
    stand: Stand, scene: Scene, best: BestLay | None, budget: StepBudget
) -> BestLay | None:
    found = _find_lay(stand, scene, budget)
    if found is None or (best is not None and found.lay.worth <= best.worth):
        return None
    if found.is_legal:
        return found.lay
    limit, best = found.lay.worth, None
    rack = Counter(card.face for card in stand.rack)
    there = rack + Counter(scene.loose)
    tried = list_layings_of_freed(rack - _find_own(stand, scene), there, scene.freed)
    for cores in islice(tried, _MOST_TRIED):
        best = _choose_better(best, _solve_scene(stand, scene, budget, cores))
        if budget.is_spent or (best is not None and best.worth == limit):
            break
    return best


# --- The initial meld.


def _find_best_opening(stand: Stand, budget: StepBudget) -> BestLay | None:
    """Return the best lay that includes the initial meld, or None if the rack cannot make one (K7).

    The lay has everything else that can be laid with it.
    """
    rack = Counter(card.face for card in stand.rack)
    pool, least = _make_rack_pool(rack), stand.rules.initial_meld
    if solve(pool, budget, known=least - 1, takes_any=True) is None:
        return None
    scene = _keep_frozen(stand) if stand.rules.open_then_play else _leave_untouched(stand)
    relaxed = _find_lay(stand, scene, budget)
    if relaxed is not None and relaxed.is_legal:
        return relaxed.lay
    best = None
    for cores in islice(list_openings(rack, stand.rules.initial_meld, budget), _MOST_TRIED):
        best = _choose_better(best, _solve_scene(stand, scene, budget, cores))
        if best is not None and relaxed is not None and best.worth == relaxed.lay.worth:
            break
    return best


def _leave_untouched(stand: Stand) -> Scene:
    """Return the scene in which no tile is added to any meld on the table."""
    return Scene((), ())


def count_most_points(rack: Faces) -> int:
    """Return the most points that melds of only these tiles can be worth together, 0 if the tiles make no meld."""
    found = solve(_make_rack_pool(rack), StepBudget(STEPS))
    return 0 if found is None else found.gain


def _make_rack_pool(rack: Faces) -> TilePool:
    """Return the tiles of a rack for the solver, with a gain equal to their points."""
    most = tuple(rack[face] for face in _FACES)
    return TilePool((0,) * JOKER, most, jokers_most=rack[JOKER], tile=0)


# --- Asking the solver.


class _Found(NamedTuple):
    """A lay found by the solver, and whether it obeys K7 and K10, which the solver ignores."""

    lay: BestLay
    is_legal: bool


def _solve_scene(
    stand: Stand,
    scene: Scene,
    budget: StepBudget,
    cores: Sequence[MeldCore] = (),
    *,
    takes_any: bool = False,
) -> BestLay | None:
    """Return the best lay in this scene, or None if the solver finds no legal lay.

    The lay must contain the new melds `cores`.
    """
    found = _find_lay(stand, scene, budget, cores, takes_any=takes_any)
    return found.lay if found is not None and found.is_legal else None


def _find_lay(
    stand: Stand,
    scene: Scene,
    budget: StepBudget,
    cores: Sequence[MeldCore] = (),
    *,
    takes_any: bool = False,
) -> _Found | None:
    """Return the solver's best lay, which may break K7 and K10, or None if it finds none."""
    pool = _make_pool(stand, scene, cores)
    if pool is None:
        return None
    # A lay needs at least one tile of the rack.
    known = -1 if cores or scene.freeing else pool.gain_of_required
    found = solve(pool, budget, known=known, takes_any=takes_any)
    if found is None:
        return None
    growing = _list_growing(scene, cores)
    lone = [core.meld for core in cores if not core.grows]
    table = _Table(stand).lay_out(growing, lone, found)
    verdict = judge_table(stand, table)
    if not verdict.tiles:
        return None
    return _Found(BestLay(verdict.tiles, verdict.points, table), verdict.refusal is None)


def _make_pool(stand: Stand, scene: Scene, cores: Sequence[MeldCore]) -> TilePool | None:
    """Return the tiles for the solver, or None if the fixed melds need tiles that are not available.

    The fixed melds are those that stay in this scene, and the new melds `cores`.
    """
    rack, loose = Counter(card.face for card in stand.rack), Counter(scene.loose)
    taken = Counter(tile for core in cores for tile, _ in core.meld)
    taken.update(scene.put)
    needed = _find_own(stand, scene)
    needed.update(chain.from_iterable(core.from_rack for core in cores))
    needed.update(loose)
    there = rack + loose
    there[JOKER] += scene.freed
    if taken - there or needed - there:
        return None
    jokers = max(0, loose[JOKER] + scene.freed - taken[JOKER])
    runs, groups = _fix_melds(_list_growing(scene, cores))
    return TilePool(
        least=tuple(max(0, needed[face] - taken[face]) for face in _FACES),
        most=tuple(there[face] - taken[face] for face in _FACES),
        jokers_least=jokers,
        jokers_most=there[JOKER] - taken[JOKER],
        jokers_of_table=jokers,
        runs=runs,
        groups=groups,
    )


def _list_growing(scene: Scene, cores: Sequence[MeldCore]) -> list[tuple[Placed, ...]]:
    """Return the fixed melds to which the solver may add tiles, in its order: runs, then groups."""
    melds = [*scene.stays, *(core.meld for core in cores if core.grows)]
    return sorted(melds, key=_is_group)


def _is_group(meld: Sequence[Placed]) -> bool:
    return len({FACE_SUIT[face] for _, face in meld}) > 1


def _find_own(stand: Stand, scene: Scene) -> Faces:
    """Return the tiles that replace jokers in this scene and must come from the rack."""
    freeing = Counter(scene.freeing)
    return freeing if stand.rules.swap_from == "rack" else freeing - Counter(scene.loose)


def _fix_melds(
    melds: Sequence[tuple[Placed, ...]],
) -> tuple[tuple[FixedRun, ...], tuple[FixedGroup, ...]]:
    runs, groups = [], []
    for meld in melds:
        values = [FACE_RANK[face] for _, face in meld]
        colours = {FACE_SUIT[face] for _, face in meld}
        if _is_group(meld):
            groups.append(FixedGroup(values[0], tuple(c for c in COLOURS if c not in colours)))
        else:
            runs.append(FixedRun(min(colours), min(values), max(values)))
    return tuple(runs), tuple(groups)


class _Table:
    """Assigns tiles to the faces of a solution: first those of the table, then those of the rack."""

    def __init__(self, stand: Stand) -> None:
        self.stand = stand
        self.tiles: dict[int, list[Card]] = {}
        self.places = {card: place for place, old in enumerate(stand.table) for card in old.cards}
        self.is_untouched = not (stand.has_opened or stand.rules.open_then_play)
        lying = () if self.is_untouched else cards_of(stand.table)
        for card in (*lying, *stand.rack):
            self.tiles.setdefault(card.face, []).append(card)

    def lay_out(
        self,
        growing: Sequence[tuple[Placed, ...]],
        lone: Iterable[Sequence[Placed]],
        found: Solution,
    ) -> Melds:
        melds = [
            *self._grow_melds(growing, found),
            *(self._make_meld(tiles) for tiles in (*lone, *found.melds)),
        ]
        if self.is_untouched:
            melds += self.stand.table
        return tuple(sorted(melds, key=self._find_place))

    def _grow_melds(self, growing: Sequence[tuple[Placed, ...]], found: Solution) -> list[Meld]:
        """Return the fixed melds with the tiles added to them. A meld that stays keeps its own tiles."""
        stayed: dict[int, Meld] = {}
        left = list(self.stand.table)
        for number, meld in enumerate(growing):
            same = next((one for one in left if pair_faces(one) == meld), None)
            if same is not None:
                left.remove(same)
                stayed[number] = same
                for card in same.cards:
                    self.tiles[card.face].remove(card)
        melds = []
        for number, meld in enumerate(growing):
            as_it_lay = stayed.get(number)
            added = self._make_meld([*(() if as_it_lay else meld), *found.grown.get(number, ())])
            melds.append(_join_melds(as_it_lay, added) if as_it_lay else added)
        return melds

    def _make_meld(self, tiles: Sequence[Placed]) -> Meld:
        cards = [self.tiles[tile].pop(0) for tile, _ in tiles]
        return make_meld(cards, [face for _, face in tiles])

    def _find_place(self, meld: Meld) -> int:
        """Return the index of the old meld that shares the most tiles with this one.

        A meld without old tiles gets an index after all old melds.
        """
        shared = Counter([self.places[card] for card in meld.cards if card in self.places])
        if not shared:
            return len(self.stand.table)
        return min(shared, key=lambda place: (-shared[place], place))


def _join_melds(one: Meld, other: Meld) -> Meld:
    return make_meld((*one.cards, *other.cards), (*one.faces, *other.faces))
