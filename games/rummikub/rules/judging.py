"""Judges a lay by comparing the table before it and after it (K6 to K11).

A meld with a joker is frozen: its tiles stay together (K9). A joker is freed if another tile takes its place in the
meld. Once all its jokers are freed, the meld is no longer frozen (K10). A reading of a lay is one account of what the
player did with the frozen melds. There may be several, because equal tiles are interchangeable. A lay is valid if any
of its readings obeys all rules. The order of the player's steps does not matter.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import Final, NamedTuple

from games.cards import FACE_RANK, FACES
from games.engine.base import gettext_noop as _
from games.engine.moves import MoveRefusal
from games.rummikub.rules.melds import COLOURS, JOKER, Meld, Melds, face_of
from games.rummikub.rules.ruleset import RummikubRules

TILES_MISSING: Final = MoveRefusal("tiles_missing", _("Tiles that lay on the table are missing."))
TILE_NOT_HELD: Final = MoveRefusal(
    "card_not_held", _("A tile is neither on the table nor on your rack.")
)
TABLE_NOT_VALID: Final = MoveRefusal(
    "table_not_valid", _("Something on the table is neither a run nor a group.")
)
NOTHING_LAID: Final = MoveRefusal(
    "nothing_laid", _("Lay at least one tile from your rack, or draw one.")
)
BELOW_INITIAL_MELD: Final = MoveRefusal(
    "below_initial_meld", _("The melds from your rack are worth too few points to begin with.")
)
TABLE_NOT_YOURS: Final = MoveRefusal(
    "table_not_yours", _("Until you have begun, the melds on the table stay as they are.")
)
JOKER_IS_FROZEN: Final = MoveRefusal(
    "joker_is_frozen",
    _("A meld with a joker stays together until a tile from your rack takes the joker's place."),
)
JOKER_NOT_LAID: Final = MoveRefusal(
    "joker_not_laid",
    _("A joker that you free goes into a meld with two more tiles from your rack."),
)

# K10: tiles of the rack besides the one that frees the joker.
TILES_WITH_JOKER: Final = 2

Faces = Counter[int]


@dataclass(frozen=True, slots=True)
class LayVerdict:
    """The judgement of a lay. `refusal` is None for a valid lay.

    `tiles` and `points` are the number and the value of the tiles laid from the rack. `opening_points` is the value of
    the melds made only of tiles from the rack (K7), 0 if the player had already made the initial meld.
    """

    refusal: MoveRefusal | None
    points: int = 0
    opening_points: int = 0
    tiles: int = 0


class Lay(NamedTuple):
    """A lay to be judged. `rack` has the faces of all tiles on the rack before the lay."""

    before: Melds
    after: Melds
    rack: Faces
    has_opened: bool

    @property
    def from_rack(self) -> Faces:
        """The tiles added to the table."""
        return faces_of(self.after) - faces_of(self.before)


class FrozenReading(NamedTuple):
    """One reading of what a lay did with the frozen melds, or with one of them.

    `kept` are the indexes, on the new table, of the melds that stayed. `freeing` are the faces of the tiles that
    replaced jokers, `freed` is the number of jokers freed, and `stayed` are the faces of the tiles that certainly
    stayed in a frozen meld.
    """

    kept: tuple[int, ...] = ()
    freeing: tuple[int, ...] = ()
    freed: int = 0
    stayed: tuple[int, ...] = ()


def faces_of(melds: Iterable[Meld]) -> Faces:
    return Counter([card % FACES for meld in melds for card in meld.cards])


def judge(lay: Lay, rules: RummikubRules) -> LayVerdict:
    """Return the verdict on a lay: its points, and the first rule that it breaks, if any."""
    before, after = faces_of(lay.before), faces_of(lay.after)
    from_rack, is_complete = after - before, before <= after
    readings = list(_list_readings(lay, rules)) if is_complete else []
    points, opening = _count_worth(lay, from_rack, readings)
    refusal = _check_tiles(lay, from_rack) if is_complete else TILES_MISSING
    if refusal is None and not lay.has_opened:
        refusal = _check_opening(lay, opening, rules)
    if refusal is None:
        refusal = _check_jokers(lay, from_rack, readings, rules)
    return LayVerdict(refusal, points, opening, from_rack.total())


def _check_tiles(lay: Lay, from_rack: Faces) -> MoveRefusal | None:
    """Check that all new tiles come from the rack and that all melds are valid (K6)."""
    if from_rack - lay.rack:
        return TILE_NOT_HELD
    if any(meld.kind is None for meld in lay.after):
        return TABLE_NOT_VALID
    return None if from_rack else NOTHING_LAID


def _check_opening(lay: Lay, opening: int, rules: RummikubRules) -> MoveRefusal | None:
    """Check the initial meld (K7)."""
    if not rules.open_then_play:
        before, after = Counter(map(_pair_faces, lay.before)), Counter(map(_pair_faces, lay.after))
        added = Counter(tile for meld in after - before for tile, _ in meld)
        if before - after or added - lay.from_rack:
            return TABLE_NOT_YOURS
    return None if opening >= rules.initial_meld else BELOW_INITIAL_MELD


def _fits(melds: Iterable[Meld], faces: Faces) -> bool:
    return not faces_of(melds) - faces


# --- Frozen melds (K9 to K11).


def _list_readings(lay: Lay, rules: RummikubRules) -> Iterator[FrozenReading]:
    """Yield every reading of what happened to the frozen melds. Whether the rack had the tiles for it is not checked.

    If a player who has not made the initial meld broke up a frozen meld, yield nothing (K11). If jokers may be moved
    freely (`joker_melds` "free", after the initial meld), yield one empty reading.
    """
    frozen = [meld for meld in lay.before if meld.jokers]
    if lay.has_opened and rules.joker_melds == "free":
        yield FrozenReading()
        return
    treated = [list(_list_treatments(lay, meld, rules)) for meld in frozen]
    for choice in product(*treated):
        kept = tuple(chain.from_iterable(one.kept for one in choice))
        if len(set(kept)) == len(kept):
            freeing = tuple(chain.from_iterable(one.freeing for one in choice))
            stayed = tuple(chain.from_iterable(one.stayed for one in choice))
            yield FrozenReading(kept, freeing, sum(one.freed for one in choice), stayed)


def _list_treatments(lay: Lay, meld: Meld, rules: RummikubRules) -> Iterator[FrozenReading]:
    stayed = tuple(card.face for card in meld.cards)
    yield from (FrozenReading((place,), stayed=stayed) for place in _list_places(lay.after, meld))
    if not lay.has_opened:
        return  # K11
    for size in range(1, len(meld.jokers) + 1):
        for freed in combinations(meld.jokers, size):
            yield from _free_jokers(lay, meld, freed, rules)


def _free_jokers(
    lay: Lay, meld: Meld, freed: tuple[int, ...], rules: RummikubRules
) -> Iterator[FrozenReading]:
    """Yield the ways in which these jokers of a meld may have been freed. `freed` are the faces that they stood for.

    If another joker is left in it, the meld stays.
    """
    if len(freed) == len(meld.jokers):
        for freeing in list_freeing_tiles(meld, rules):
            yield FrozenReading((), freeing, len(freed))
        return
    stayed = tuple(tile for tile, face in _pair_faces(meld) if face not in freed)
    for place in _list_places(lay.after, meld, freed):
        yield FrozenReading((place,), freed, len(freed), stayed)


def list_freeing_tiles(meld: Meld, rules: RummikubRules) -> list[tuple[int, ...]]:
    """Return each choice of faces that can replace all jokers of a meld (K10)."""
    faces = meld.faces
    is_group_of_three = len(faces) == 3 and FACE_RANK[faces[0]] == FACE_RANK[faces[1]]
    if not is_group_of_three or len(meld.jokers) > 1:
        return [meld.jokers]
    naturals = set(faces) - set(meld.jokers)
    value = FACE_RANK[faces[0]]
    missing = [face for c in COLOURS if (face := face_of(value, c)) not in naturals]
    return [tuple(missing)] if rules.group_swap == "both" else [(face,) for face in missing]


def _list_places(after: Melds, meld: Meld, replaced: tuple[int, ...] = ()) -> Iterator[int]:
    """Yield the indexes at which this meld, perhaps with more tiles, may be on the new table.

    The jokers that stood for `replaced` have been replaced by tiles; its other jokers have stayed.
    """
    stays = {(face if face in replaced else tile, face) for tile, face in _pair_faces(meld)}
    for place, other in enumerate(after):
        if meld.faces[0] in other.faces and stays <= set(_pair_faces(other)):
            yield place


def _pair_faces(meld: Meld) -> tuple[tuple[int, int], ...]:
    """Return, for each tile, its own face and the face it stands for."""
    return tuple((card.face, face) for card, face in zip(meld.cards, meld.faces, strict=True))


def _check_jokers(
    lay: Lay, from_rack: Faces, readings: Sequence[FrozenReading], rules: RummikubRules
) -> MoveRefusal | None:
    """Check that frozen melds have stayed unless their jokers were freed (K9), and that these are laid again (K10)."""
    freeing = [(reading, _find_own(lay, reading, rules)) for reading in readings]
    possible = [(reading, from_rack - own) for reading, own in freeing if not own - from_rack]
    if not possible:
        return JOKER_IS_FROZEN
    is_laid_again = any(_is_laid_again(lay, rest, reading) for reading, rest in possible)
    return None if is_laid_again else JOKER_NOT_LAID


def _find_own(lay: Lay, reading: FrozenReading, rules: RummikubRules) -> Faces:
    """Return the tiles that, in this reading, replaced jokers and must have come from the rack."""
    freeing = Counter(reading.freeing)
    if rules.swap_from == "anywhere":
        return freeing - (faces_of(lay.before) - Counter(reading.stayed))
    return freeing


def _is_laid_again(lay: Lay, from_rack: Faces, reading: FrozenReading) -> bool:
    """Return whether each joker freed in this reading lies in a new meld with two tiles from the rack (K10).

    `from_rack` are the tiles laid from the rack, without those that replaced jokers.
    """
    others = [meld for place, meld in enumerate(lay.after) if place not in reading.kept]
    with_joker = [meld for meld in others for _ in meld.jokers]
    return any(
        _has_tiles(freed, from_rack, reading.freed)
        for freed in combinations(with_joker, reading.freed)
    )


def _has_tiles(melds: Sequence[Meld], from_rack: Faces, freed: int) -> bool:
    """Return whether each of these melds has two tiles from the rack that no other of them needs.

    `freed` is the number of freed jokers. A meld with two of them is listed twice, but needs only two tiles.
    """
    if not freed:
        return True
    first, *others = melds
    others = [meld for meld in others if meld is not first]
    usable = _list_usable(first, from_rack, freed if not others else 1)
    for two in combinations(usable, TILES_WITH_JOKER):
        rest = from_rack - Counter(two)
        if all(len(_list_usable(meld, rest, 1)) >= TILES_WITH_JOKER for meld in others):
            return True
    return False


def _list_usable(meld: Meld, from_rack: Faces, freed: int) -> list[int]:
    """Return the faces of the tiles in the meld that may have come from the rack.

    The `freed` freed jokers in the meld are left out.
    """
    naturals = [card.face for card in meld.cards if card.face != JOKER and from_rack[card.face]]
    jokers = min(len(meld.jokers) - freed, from_rack[JOKER])
    return [*naturals, *[JOKER] * jokers]


# --- The worth of a lay.


def _count_worth(lay: Lay, from_rack: Faces, readings: Sequence[FrozenReading]) -> tuple[int, int]:
    """Return the points of all tiles laid from the rack, and of the melds made only of tiles from the rack."""
    naturals = sum(FACE_RANK[face] * number for face, number in from_rack.items() if face != JOKER)
    kept = readings[0].kept if readings else ()
    others = [meld for place, meld in enumerate(lay.after) if place not in kept]
    # A joker added to a frozen meld came from the rack. Of the other jokers those came from it that
    # count most.
    grown = [face for place in kept for face in lay.after[place].jokers]
    added = Counter(grown) - Counter(face for meld in lay.before for face in meld.jokers)
    most = sorted((FACE_RANK[face] for meld in others for face in meld.jokers), reverse=True)
    jokers = [*map(FACE_RANK.__getitem__, added.elements()), *most]
    melds = [] if lay.has_opened else [meld for meld in others if meld.kind is not None]
    return naturals + sum(jokers[: from_rack[JOKER]]), _count_most_points(melds, from_rack)


def _count_most_points(melds: Sequence[Meld], from_rack: Faces) -> int:
    """Return the most points that melds from this list can have together if they are made only of these tiles.

    Two melds may compete for the same tile.
    """
    melds = [meld for meld in melds if _fits([meld], from_rack)]
    if _fits(melds, from_rack):
        return sum(meld.points for meld in melds)
    first, *others = melds
    rest = from_rack - faces_of([first])
    taken = first.points + _count_most_points(others, rest)
    # Leaving out this meld gains nothing if an equal meld takes its tiles.
    others = [meld for meld in others if faces_of([meld]) != faces_of([first])]
    if _fits_each(others, rest):
        return taken
    return max(taken, _count_most_points(others, from_rack))


def _fits_each(melds: Iterable[Meld], faces: Faces) -> bool:
    return all(_fits([meld], faces) for meld in melds)
