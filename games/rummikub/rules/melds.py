"""Tiles and melds: runs, groups, and the tiles that jokers stand for (K1, K4).

A tile is a `Card` of one of two packs. The suits S H D C stand for black, red, orange and blue, the ranks A to K for
the numbers 1 to 13. A tile's face is a number from 0 to 52, the same in both packs.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Annotated, Any, Final

from games.cards import (
    CARD_TEXT,
    FACE_RANK,
    FACE_SUIT,
    FACE_TEXT,
    PRINTED_JOKER,
    Card,
    full_deck,
)
from games.engine.base import JSON
from games.engine.fields import Within, make_reader
from games.engine.state import Value
from games.rummikub.rules.ruleset import TILES

# K1, in the order that a shuffle starts from.
DECK: Final = full_deck(2)
COLOURS: Final = range(4)
VALUES: Final = range(1, 14)
MIN_MELD: Final = 3
JOKER: Final = PRINTED_JOKER
_JOKERS: Final = frozenset(tile for tile in DECK if tile.face == JOKER)


class MeldKind(StrEnum):
    RUN = "run"
    GROUP = "group"


class Meld(Value):
    """Tiles that lie together, with the face that each tile has or stands for."""

    cards: tuple[Card, ...]
    faces: tuple[int, ...]

    @property
    def jokers(self) -> tuple[int, ...]:
        """The faces that the jokers of this meld stand for."""
        if _JOKERS.isdisjoint(self.cards):
            return ()
        return tuple(
            face for card, face in zip(self.cards, self.faces, strict=True) if card.face == JOKER
        )

    @property
    def points(self) -> int:
        """The points of the meld. A joker counts as the tile that it stands for (K7)."""
        return sum(FACE_RANK[face] for face in self.faces)

    @property
    def kind(self) -> MeldKind | None:
        """Run or group; None if the tiles form no meld, or a tile other than a joker stands for another face."""
        for card, face in zip(self.cards, self.faces, strict=True):
            if card.face not in (face, JOKER):
                return None
        return kind_of_faces(self.faces)

    def json(self) -> dict[str, JSON]:
        return {
            "cards": [CARD_TEXT[card] for card in self.cards],
            "as": [FACE_TEXT[face] for face in self.faces],
        }


Melds = tuple[Meld, ...]


def face_of(value: int, colour: int) -> int:
    return colour * 13 + value - 1


def kind_of_faces(faces: Sequence[int]) -> MeldKind | None:
    """Return the kind of meld that these faces form in any order (K4), or None.

    With a joker that stands for no tile they form no meld.
    """
    if len(faces) < MIN_MELD or len(set(faces)) < len(faces) or JOKER in faces:
        return None
    values = sorted(FACE_RANK[face] for face in faces)
    if values[0] == values[-1]:
        return MeldKind.GROUP
    is_one_colour = len({FACE_SUIT[face] for face in faces}) == 1
    is_in_order = values[-1] - values[0] == len(values) - 1
    return MeldKind.RUN if is_one_colour and is_in_order else None


def make_meld(cards: Iterable[Card], faces: Iterable[int]) -> Meld:
    """Return a meld with its tiles in the usual order: a run from its lowest number, a group by colour."""
    ordered = sorted(zip(faces, cards, strict=True))
    return Meld(tuple(card for _, card in ordered), tuple(face for face, _ in ordered))


def list_readings(cards: Sequence[Card]) -> tuple[tuple[int, ...], ...]:
    """Return each choice of faces for the jokers with which these tiles form a meld, the likeliest choice first.

    A choice is called a reading. It has the face of each tile, in the order of the tiles. Readings in which the tiles
    lie in ascending order come first, then those that are worth more points. The result is empty if the tiles form no
    meld.
    """
    return _list_readings(tuple(card.face for card in cards))


@lru_cache(maxsize=1 << 12)  # at most 2 MB
def _list_readings(faces: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    jokers = faces.count(JOKER)
    naturals = [face for face in faces if face != JOKER]
    if not naturals or len(faces) < MIN_MELD:
        return ()
    found = [*_read_as_runs(naturals, jokers), *_read_as_groups(naturals, jokers)]
    read = [_place_faces(faces, stands) for stands in found]
    # First the reading in which the tiles lie in ascending order, then the one that counts most.
    return tuple(sorted(read, key=lambda one: (not _is_ascending(one), -_points(one))))


def _read_as_runs(naturals: Sequence[int], jokers: int) -> Iterator[tuple[int, ...]]:
    """Yield the faces that the jokers stand for, once for each run that all these tiles can form."""
    colour = FACE_SUIT[naturals[0]]
    low, high = FACE_RANK[min(naturals)], FACE_RANK[max(naturals)]
    size = len(naturals) + jokers
    for first in range(max(1, high - size + 1), min(low, 14 - size) + 1):
        window = {face_of(value, colour) for value in range(first, first + size)}
        missing = window - set(naturals)
        if len(missing) == jokers and set(naturals) <= window:
            yield tuple(sorted(missing))


def _read_as_groups(naturals: Sequence[int], jokers: int) -> Iterator[tuple[int, ...]]:
    value = FACE_RANK[naturals[0]]
    group = {face_of(value, colour) for colour in COLOURS}
    if len(set(naturals)) == len(naturals) and set(naturals) <= group:
        yield from combinations(sorted(group - set(naturals)), jokers)


def _place_faces(faces: Sequence[int], stands: tuple[int, ...]) -> tuple[int, ...]:
    following = list(reversed(stands))
    return tuple(following.pop() if face == JOKER else face for face in faces)


def _is_ascending(faces: Sequence[int]) -> bool:
    return all(after == before + 1 for before, after in pairwise(faces))


def _points(faces: Iterable[int]) -> int:
    return sum(FACE_RANK[face] for face in faces)


def read_meld(cards: Sequence[Card]) -> Meld:
    """Return these tiles as a meld, with the likeliest reading of their jokers (see `list_readings`).

    If the tiles form no meld, the result has the `kind` None.
    """
    found = list_readings(cards)
    return make_meld(cards, found[0]) if found else Meld(tuple(cards), tuple(c.face for c in cards))


def count(cards: Iterable[Card], joker_points: int) -> int:
    """Return the points of a rack (K15)."""
    return sum(joker_points if card.face == JOKER else card.rank for card in cards)


def cards_of(melds: Iterable[Meld]) -> Iterator[Card]:
    for meld in melds:
        yield from meld.cards


def melds_json(melds: Iterable[Meld]) -> list[JSON]:
    return [meld.json() for meld in melds]


# --- Tables of tiles in JSON: for each meld `{"cards": [tile], "as": [face]}`.


_read_tiles: Final = make_reader(Annotated[tuple[Card, ...], Within(1, TILES)], TILES)
_FACE_BY_TEXT: Final = {text: face for face, text in enumerate(FACE_TEXT) if face != PRINTED_JOKER}


def read_table(data: object) -> Melds:
    """Read the table of a lay. Raises `ValueError` or `TypeError` if it is malformed."""
    return _read_melds(data, _read_meld)


def read_draft(data: object) -> Melds | None:
    """Read a table that a player is building, or None. Raises `ValueError` or `TypeError` if it is malformed."""
    return None if data is None else _read_melds(data, _read_loosely)


def draft_json(table: Melds | None) -> JSON:
    """Write a table that a player is building. `as` is null for tiles that form no meld."""
    return None if table is None else [{**meld.json(), "as": stands_json(meld)} for meld in table]


def stands_json(meld: Meld) -> JSON:
    """Return the face that each tile has or stands for, or null for tiles that form no meld."""
    return None if meld.kind is None else meld.json()["as"]


def _read_melds(data: object, read: Callable[[Any], Meld]) -> Melds:
    if not isinstance(data, list) or len(data) > TILES:
        raise ValueError(data)
    melds = tuple([read(meld) for meld in data])
    tiles = [tile for meld in melds for tile in meld.cards]
    if len(set(tiles)) < len(tiles):
        raise ValueError("a tile lies there twice")
    return melds


def _read_meld(data: Any) -> Meld:
    tiles, faces = _split_parts(data)
    if not isinstance(faces, list) or len(faces) != len(tiles):
        raise ValueError(faces)
    return make_meld(tiles, map(_read_face, faces))


def _read_loosely(data: Any) -> Meld:
    """Read a meld of a draft. `as` may be null, because a draft need not say what its jokers stand for."""
    tiles, faces = _split_parts(data)
    read = read_meld(tiles)
    if faces is None:
        return read
    said = _read_meld(data)
    return read if said.kind is None else said


def _split_parts(data: Any) -> tuple[tuple[Card, ...], Any]:
    if not isinstance(data, dict) or data.keys() != {"cards", "as"}:
        raise ValueError(data)
    if not isinstance(data["cards"], list):
        raise TypeError(data["cards"])
    return _read_tiles(data["cards"]), data["as"]


def _read_face(text: Any) -> int:
    face = _FACE_BY_TEXT.get(text) if isinstance(text, str) else None
    if face is None:
        raise ValueError(text)
    return face
