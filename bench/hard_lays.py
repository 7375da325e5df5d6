"""Positions of Rummikub that are hard to solve: many tiles on the table, two of them jokers that may move."""

import random
from collections.abc import Sequence
from typing import Final

from bench.play import make_random
from games.cards import Card
from games.rummikub.rules.laying import Stand
from games.rummikub.rules.melds import COLOURS, DECK, JOKER, VALUES, Meld, face_of, make_meld
from games.rummikub.rules.ruleset import PRESETS

TILES_ON_TABLE: Final = (45, 70)
TILES_ON_RACK: Final = (8, 20)
_LONGEST_RUN: Final = 6
_JOKER_CHANCE: Final = 0.2


def list_hard_positions(number: int) -> list[Stand]:
    """Return this many positions, always the same ones."""
    return [deal_hard_position(make_random(f"hard/{place}")) for place in range(number)]


def deal_hard_position(rng: random.Random) -> Stand:
    wanted, left = rng.randint(*TILES_ON_TABLE), list(DECK)
    rng.shuffle(left)
    table: list[Meld] = []
    while sum(len(meld.cards) for meld in table) < wanted:
        faces = _choose_faces(rng)
        has_joker = rng.random() < _JOKER_CHANCE or len(table) <= 1
        stood_for = rng.choice(faces) if has_joker else None
        cards = [_find(left, JOKER if face == stood_for else face) for face in faces]
        if None not in cards:
            meld = make_meld([card for card in cards if card is not None], faces)
            table.append(meld)
            left = [card for card in left if card not in meld.cards]
    loose = [card for card in left if card.face != JOKER]
    rack = tuple(sorted(loose[: rng.randint(*TILES_ON_RACK)]))
    return Stand(tuple(table), rack, True, PRESETS["modern"])  # noqa: FBT003 - it has begun


def _find(tiles: Sequence[Card], face: int) -> Card | None:
    return next((card for card in tiles if card.face == face), None)


def _choose_faces(rng: random.Random) -> list[int]:
    """Return the faces of a random run or group."""
    if rng.choice((True, False)):
        value = rng.choice(VALUES)
        return [face_of(value, colour) for colour in rng.sample(COLOURS, rng.choice((3, 4)))]
    size = rng.randint(3, _LONGEST_RUN)
    low, colour = rng.randint(1, VALUES[-1] + 1 - size), rng.choice(COLOURS)
    return [face_of(low + step, colour) for step in range(size)]
