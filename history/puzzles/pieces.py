"""The cards and tiles of a puzzle, in the form that templates/history/puzzles/_card.html draws."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from games.engine.base import Text
from games.registry import get_game
from history.models import Puzzle
from tables.catalog import translate
from tables.texts import card_texts

_NUMBERS: Final = "A23456789TJQK"
# Black, red, orange, blue, as tables with tiles draw them.
_SHAPES: Final = {"S": "■", "H": "●", "D": "▲", "C": "◆"}


class Cards:
    def __init__(self, wild_rank: str | None) -> None:
        self.wild_rank = wild_rank
        self.texts = card_texts()

    def is_face(self, text: str) -> bool:
        return text == "PJ" or f"suit_{text[1:]}" in self.texts

    def describe_all(self, faces: Sequence[str]) -> list[dict[str, Any]]:
        return [self.describe(face) for face in faces]

    def describe(self, face: str) -> dict[str, Any]:
        """Describe a card for templates/_card.html, with its name in words."""
        if face == "PJ":
            name = self.texts["printed_joker"]
            return {"face": face, "rank": "", "suit": "J", "wild": False, "name": name}
        rank, suit = face[0], face[1]
        wild = rank == self.wild_rank
        name = self.texts["card_queen" if rank == "Q" else "card"].format(
            rank=self.texts.get(f"rank_{rank}", ""), suit=self.texts[f"suit_{suit}"]
        )
        if wild:
            name = self.texts["card_wild"].format(card=name)
        return {"face": face, "rank": rank, "suit": suit, "wild": wild, "name": name}


class Tiles(Cards):
    """Tiles instead of cards. Their names are the game's own texts."""

    def __init__(self, words: Mapping[str, Text]) -> None:
        super().__init__(None)
        self.words = words

    def describe(self, face: str) -> dict[str, Any]:
        if face == "PJ":
            name = translate(self.words["tile_joker"])
            return {"face": face, "tile": "J", "number": "☺", "shape": "", "name": name}
        number, suit = _NUMBERS.index(face[0]) + 1, face[1]
        name = translate(self.words[f"tile_{suit}"]).format(number=number)
        shape = _SHAPES[suit]
        return {"face": face, "tile": suit, "number": number, "shape": shape, "name": name}


def find_pieces(puzzle: Puzzle) -> Cards:
    """Return the kind of pieces with which this puzzle is played: cards or tiles."""
    task: Any = puzzle.task
    if task.get("tiles"):
        return Tiles(get_game(puzzle.game).words.texts)
    return Cards(task.get("wild_rank"))


def group_by_suit(cards: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Split a sorted hand into groups of one suit, as "Sort" at the table does. Jokers are the last group."""
    return [list(group) for _suit, group in groupby(cards, key=lambda card: card["face"][1])]
