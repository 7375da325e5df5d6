"""Random plausible lays: the current table after a few changes."""

import random
from collections.abc import Iterator
from typing import Any

from games.cards import CARD_TEXT, FACE_TEXT, Card
from games.rummikub.rules.melds import DECK, JOKER, Meld
from tests.games.rummikub.exhaustive import list_shapes
from tests.games.rummikub.model.lays import Meld as Read

# Each tile with the face that it stands for.
Tiles = list[tuple[Card, int]]
_TRIES = 40


class Building:
    """A table being changed. Tiles that are taken away stay in melds or on the rack."""

    def __init__(self, table: tuple[Meld, ...], rack: tuple[Card, ...], rng: random.Random) -> None:
        self.melds: list[Tiles] = [list(zip(m.cards, m.faces, strict=True)) for m in table]
        self.lying = {card for meld in table for card in meld.cards}
        self.held = list(rack)
        self.rng = rng

    def change(self) -> None:
        self.rng.choice([self.lay_new, self.lay_new, self.add, self.add, self.swap, self.swap])()

    def lay_new(self) -> None:
        """Lay a meld of tiles from the rack, and perhaps the table, with or without jokers."""
        for _ in range(_TRIES):
            tiles = self._find(self.rng.choice(list_shapes()))
            if tiles is not None:
                self._take(tiles)
                self.melds.append(tiles)
                return

    def _find(self, shape: tuple[int, ...]) -> Tiles | None:
        there = [*self.held, *(card for meld in self.melds for card, _ in meld)]
        if self.rng.random() < 0.5:
            there = self.held.copy()
        found: Tiles = []
        for face in shape:
            card = next((card for card in there if card.face == face), None)
            if card is None or self.rng.random() < 0.1:
                card = next((card for card in there if card.face == JOKER), None)
            if card is None:
                return None
            there.remove(card)
            found.append((card, face))
        return found

    def _take(self, tiles: Tiles) -> None:
        taken = {card for card, _ in tiles}
        self.held = [card for card in self.held if card not in taken]
        left = [[one for one in meld if one[0] not in taken] for meld in self.melds]
        self.melds = [meld for meld in left if meld]

    def add(self) -> None:
        """Add a tile to a meld that it fits."""
        loose = [*self.held, *(card for meld in self.melds for card, _ in meld if len(meld) > 3)]
        self.rng.shuffle(loose)
        for card in loose:
            for meld in self.rng.sample(self.melds, len(self.melds)):
                faces = [card.face] if card.face != JOKER else range(JOKER)
                for face in faces:
                    if (card, face) not in meld and is_meld([*meld, (card, face)]):
                        meld.append((card, face))
                        tile = meld.pop()
                        self._take([tile])
                        if meld in self.melds:
                            meld.append(tile)
                        return

    def swap(self) -> None:
        """Replace a joker by a tile, and lay the joker in a meld with two more tiles."""
        jokers = [
            (meld, place)
            for meld in self.melds
            for place, (card, _) in enumerate(meld)
            if card.face == JOKER
        ]
        if not jokers:
            return
        meld, place = self.rng.choice(jokers)
        joker = meld[place][0]
        for card in self.rng.sample(self.held, len(self.held)):
            changed = [*meld[:place], (card, card.face), *meld[place + 1 :]]
            if card.face != JOKER and is_meld(changed):
                self.held.remove(card)
                meld[:] = changed
                self.held.append(joker)
                self._lay_with(joker)
                return

    def _lay_with(self, joker: Card) -> None:
        """Lay a meld of the joker and tiles of the rack, sometimes also of the table."""
        there = self.held.copy()
        if self.rng.random() < 0.3:
            there += [card for meld in self.melds for card, _ in meld]
        faces = {card.face: card for card in there if card is not joker}
        fitting = [
            s for s in list_shapes() if len(s) < 5 and sum(f in faces for f in s) == len(s) - 1
        ]
        if not fitting:
            return
        shape = self.rng.choice(fitting)
        tiles = [(faces.get(face, joker), face) for face in shape]
        self._take(tiles)
        self.melds.append(tiles)

    @property
    def is_idle(self) -> bool:
        """Whether no tile of the rack is laid. One in a hundred such tables is still used."""
        used = {card for meld in self.melds for card, _ in meld}
        return used <= self.lying and self.rng.random() < 0.99

    @property
    def is_whole(self) -> bool:
        """Whether every group is a meld and no tile of the old table is missing."""
        used = {card for meld in self.melds for card, _ in meld}
        return self.lying <= used and all(map(is_meld, self.melds))

    def wire(self) -> list[dict[str, Any]]:
        return [wire_of(meld) for meld in self.melds if meld]


def wire_of(meld: Tiles) -> dict[str, Any]:
    return {
        "cards": [CARD_TEXT[card] for card, _ in meld],
        "as": [FACE_TEXT[said] for _, said in meld],
    }


def is_meld(meld: Tiles) -> bool:
    return len(meld) > 2 and Read.of(wire_of(meld)).kind is not None


def build(
    table: tuple[Meld, ...], rack: tuple[Card, ...], rng: random.Random, tries: int
) -> Iterator[list[dict[str, Any]]]:
    """Yield tables after one to four changes. Only a few of them are invalid."""
    for _ in range(tries):
        building = Building(table, rack, rng)
        for _ in range(rng.randrange(1, 5)):
            building.change()
        if building.is_idle:
            continue
        if building.is_whole or rng.random() < 0.1:
            yield building.wire()
            if rng.random() < 0.2:
                yield spoil(building.wire(), rng)


def spoil(table: list[dict[str, Any]], rng: random.Random) -> list[dict[str, Any]]:
    """Return the table with one tile moved, missing, foreign, or standing for another face."""
    if not table:
        return table
    meld = rng.choice(table)
    place = rng.randrange(len(meld["cards"]))
    how = rng.choice(["moved", "gone", "foreign", "stands", "alone"])
    if how == "stands":
        meld["as"][place] = FACE_TEXT[rng.randrange(JOKER)]
        return table
    card, said = meld["cards"].pop(place), meld["as"].pop(place)
    if how == "moved":
        other = rng.choice(table)
        other["cards"].append(card)
        other["as"].append(said)
    elif how == "alone":
        table.append({"cards": [card], "as": [said]})
    elif how == "foreign":
        used = {one for each in table for one in each["cards"]} | {card}
        foreign = [tile for tile in DECK if CARD_TEXT[tile] not in used]
        meld["cards"].append(CARD_TEXT[rng.choice(foreign)])
        meld["as"].append(said)
    return [one for one in table if one["cards"]]
