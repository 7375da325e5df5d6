"""The hand tool, which settles disputes: it answers questions about racks as lines of JSON.

Questions:

`check`: `{"before": melds, "after": melds, "rack": tiles, "initial_met": bool}` asks whether this is a legal lay.
`lay`: `{"table": melds, "rack": tiles, "initial_met": bool}` asks for the best lay.
`count`: `{"rack": tiles}` asks for the points of the rack at the end of a deal.

A meld is `{"cards": tiles, "as": faces}`, where `as` has the face that each tile stands for. A meld without `as`, or
one that is a plain list of tiles, gets the likeliest reading. Tiles are written with or without their pack. `ruleset`
names a preset, and `rules` changes single fields of it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from games.cards import FACE_TEXT, PRINTED_JOKER, Card
from games.engine.base import JSON
from games.engine.game import HandTool
from games.hand_questions import BadQuestion, HandQuestion, HandQuestions, read_face
from games.rummikub.rules.judging import Lay, judge
from games.rummikub.rules.laying import Stand, find_best_lay
from games.rummikub.rules.melds import Meld, Melds, count, make_meld, read_meld
from games.rummikub.rules.ruleset import PRESETS, TILES, RummikubRules, load_rules

_PACKS: Final = 2


def _check(asked: Mapping[str, Any], rules: RummikubRules) -> dict[str, JSON]:
    is_met = _is_met(asked)
    before, rack = _read_position(asked["before"], asked["rack"])
    after = _read_melds(asked["after"], _RummikubTiles())
    faces = Counter(card.face for card in rack)
    verdict = judge(Lay(before, after, faces, is_met), rules)
    return {
        "valid": verdict.refusal is None,
        "reason": None if verdict.refusal is None else verdict.refusal.code,
        "points": verdict.points,
    }


def _lay(asked: Mapping[str, Any], rules: RummikubRules) -> dict[str, JSON]:
    is_met = _is_met(asked)
    table, rack = _read_position(asked["table"], asked["rack"])
    best = find_best_lay(Stand(table, tuple(sorted(rack)), is_met, rules))
    after = table if best is None else best.table
    return {
        "tiles": 0 if best is None else best.tiles,
        "points": 0 if best is None else best.points,
        "table": [_meld_json(meld) for meld in after],
    }


def _is_met(asked: Mapping[str, Any]) -> bool:
    if type(asked["initial_met"]) is not bool:
        raise BadQuestion("initial_met is true or false.")
    return bool(asked["initial_met"])


def _count(asked: Mapping[str, Any], rules: RummikubRules) -> dict[str, JSON]:
    return {"points": count(_read_cards(asked["rack"], _RummikubTiles()), rules.joker_points)}


_QUESTIONS: Final = HandQuestions(
    {
        "check": HandQuestion(_check, frozenset({"before", "after", "rack", "initial_met"})),
        "lay": HandQuestion(_lay, frozenset({"table", "rack", "initial_met"})),
        "count": HandQuestion(_count, frozenset({"rack"})),
    },
    PRESETS,
    load_rules,
)
TOOL: Final = HandTool(tuple(_QUESTIONS.asked), _QUESTIONS.answer)


class _RummikubTiles:
    """The tiles of the game. Each can be taken only once."""

    def __init__(self) -> None:
        self.taken: set[Card] = set()

    def take(self, text: object) -> Card:
        """Take the tile of this name. If the name has no pack, take the first one left."""
        if not isinstance(text, str):
            raise BadQuestion(f"unknown card: {text!r}")
        name, dot, number = text.partition(".")
        face = read_face(name)
        if dot and number not in ("0", "1"):
            raise BadQuestion(f"unknown card: {text!r}")
        packs = [int(number)] if dot else range(_PACKS)
        for pack in packs:
            card = Card.of(face, pack)
            if card not in self.taken:
                self.taken.add(card)
                return card
        raise BadQuestion(f"{text} is there too often.")


def _read_position(melds: object, rack: object) -> tuple[Melds, tuple[Card, ...]]:
    tiles = _RummikubTiles()
    lying = _read_melds(melds, tiles)
    for meld in lying:
        if meld.kind is None:
            raise BadQuestion(f"{' '.join(_texts(meld.cards))} is no meld.")
    return lying, _read_cards(rack, tiles)


def _read_melds(melds: object, tiles: _RummikubTiles) -> Melds:
    if not isinstance(melds, list) or len(melds) > TILES:
        raise BadQuestion("A table is a list of melds.")
    return tuple(_meld(meld, tiles) for meld in melds)


def _meld(meld: object, tiles: _RummikubTiles) -> Meld:
    if isinstance(meld, list):
        meld = {"cards": meld}
    if not isinstance(meld, dict) or not {"cards"} <= meld.keys() <= {"cards", "as"}:
        raise BadQuestion("A meld is a list of tiles, or has cards and as.")
    cards = _read_cards(meld["cards"], tiles)
    stands = meld.get("as")
    if not cards:
        raise BadQuestion("A meld has tiles.")
    if stands is None:
        return read_meld(cards)
    if not isinstance(stands, list) or len(stands) != len(cards):
        raise BadQuestion("as says of each tile what it stands for.")
    return make_meld(cards, [_read_face(text) for text in stands])


def _read_cards(texts: object, tiles: _RummikubTiles) -> tuple[Card, ...]:
    if not isinstance(texts, list):
        raise BadQuestion("Tiles are a list.")
    return tuple(tiles.take(text) for text in texts)


def _read_face(text: object) -> int:
    """Read the face that a joker stands for, written with or without a pack."""
    face = read_face(text.partition(".")[0] if isinstance(text, str) else text)
    if face == PRINTED_JOKER:
        raise BadQuestion("A joker stands for a tile.")
    return face


def _texts(cards: Iterable[Card]) -> list[str]:
    return [FACE_TEXT[card.face] for card in cards]


def _meld_json(meld: Meld) -> dict[str, JSON]:
    return {"cards": _texts(meld.cards), "as": [FACE_TEXT[face] for face in meld.faces]}
