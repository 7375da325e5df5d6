"""Tables of tiles in JSON: for each meld `{"cards": [tile], "as": [face]}`."""

from collections.abc import Callable
from typing import Annotated, Any, Final

from games.cards import FACE_TEXT, PRINTED_JOKER, Card
from games.engine.base import JSON
from games.engine.fields import Within, reader
from games.rummikub.rules.melds import Meld, Melds, laid, read_meld
from games.rummikub.rules.ruleset import TILES

_read_tiles: Final = reader(Annotated[tuple[Card, ...], Within(1, TILES)], TILES)
_FACE_BY_TEXT: Final = {text: face for face, text in enumerate(FACE_TEXT) if face != PRINTED_JOKER}


def read_table(data: object) -> Melds:
    """Read the table of a lay. Raises `ValueError` or `TypeError`."""
    return _read_melds(data, _read_meld)


def read_draft(data: object) -> Melds | None:
    """Read a table that a player is building, or None. Raises `ValueError` or `TypeError`."""
    return None if data is None else _read_melds(data, _read_loosely)


def draft_json(table: Melds | None) -> JSON:
    """Write a table that a player is building: `as` is null for tiles that are no meld."""
    return None if table is None else [{**meld.json(), "as": stands_json(meld)} for meld in table]


def stands_json(meld: Meld) -> JSON:
    """Return what each tile is or stands for, or null for tiles that are no meld."""
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
    tiles, faces = _parts_of(data)
    if not isinstance(faces, list) or len(faces) != len(tiles):
        raise ValueError(faces)
    return laid(tiles, map(_read_face, faces))


def _read_loosely(data: Any) -> Meld:
    """Read a meld of a draft, which need not say what its jokers stand for: `as` may be null."""
    tiles, faces = _parts_of(data)
    read = read_meld(tiles)
    if faces is None:
        return read
    said = _read_meld(data)
    return read if said.kind is None else said


def _parts_of(data: Any) -> tuple[tuple[Card, ...], Any]:
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
