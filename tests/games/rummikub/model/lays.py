"""Judges lays by K4 to K11, by trying every reading of the table; slow and simple.

Tiles and melds are as on the wire; a meld is `{"cards": […], "as": […]}`. Packs matter only for whether a tile
is there at all: of two equal tiles, either may have been moved (K6).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from games.rummikub.rules.ruleset import RummikubRules

NUMBERS = "A23456789TJQK"
COLOURS = "SHDC"
JOKER = "PJ"
# Two codes refuse the use of a joker. The rules leave open which one is named, so both are read as this one.
JOKERS = "joker"
Wire = Sequence[dict[str, Any]]


def face(card: str) -> str:
    return card.partition(".")[0]


def number(tile: str) -> int:
    return NUMBERS.index(tile[0]) + 1


@dataclass(frozen=True)
class Meld:
    """Tiles with the faces they stand for, in any order."""

    tiles: tuple[tuple[str, str], ...]

    @staticmethod
    def of(wire: dict[str, Any]) -> "Meld":
        """Read a meld from the wire. The tiles of a draft that is not a meld yet stand for nothing."""
        said = wire["as"] or ["" for _ in wire["cards"]]
        pairs = zip(map(face, wire["cards"]), said, strict=True)
        return Meld(tuple(sorted(pairs)))

    @property
    def kind(self) -> str | None:
        """K4: "run", "group", or None for tiles that are not a meld."""
        stands = [said for _, said in self.tiles]
        if "" in stands or any(tile not in (JOKER, said) for tile, said in self.tiles):
            return None
        numbers = sorted(number(said) for said in stands)
        colours = [said[1] for said in stands]
        if len(set(numbers)) == 1 and len(set(colours)) == len(stands) in (3, 4):
            return "group"
        in_order = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        return "run" if len(stands) > 2 and in_order and len(set(colours)) == 1 else None

    @property
    def points(self) -> int:
        """K7: the sum of the numbers, where a joker counts as the tile that it stands for."""
        return sum(number(said) for _, said in self.tiles)

    @property
    def jokers(self) -> list[str]:
        return [said for tile, said in self.tiles if tile == JOKER]

    @property
    def used(self) -> Counter[str]:
        return Counter(tile for tile, _ in self.tiles)

    def holds(self, tiles: Counter[tuple[str, str]]) -> bool:
        return tiles <= Counter(self.tiles)


@dataclass(frozen=True)
class Treated:
    """One reading of a frozen meld: the tiles that replace its jokers, the number of jokers freed, and the tiles
    that must still lie together. None for the latter means that the meld is no longer frozen.
    """

    freeing: tuple[str, ...] = ()
    freed: int = 0
    stays: Counter[tuple[str, str]] | None = None


class Judge:
    """A lay judged against the table before it. `broken` are the codes of rules that it certainly breaks;
    `possible` are all codes that a refusal may name.
    """

    def __init__(
        self, before: Wire, after: Wire, rack: Sequence[str], *, opened: bool, rules: RummikubRules
    ) -> None:
        self.rules, self.opened = rules, opened
        self.before, self.after = list(map(Meld.of, before)), list(map(Meld.of, after))
        lying = {card for meld in before for card in meld["cards"]}
        used = {card for meld in after for card in meld["cards"]}
        self.from_rack = Counter(map(face, used)) - Counter(map(face, lying))
        self.broken: set[str] = set()
        self.possible: set[str] = set()
        self.opening = 0
        # The possible points of the tiles from the rack: it may be ambiguous which joker came from it.
        self.points: set[int] = set()
        self._check_tiles(lying, used, set(rack))
        # If tiles are missing or foreign, or a meld is invalid, the other rules do not apply.
        if not self.broken & {"card_not_held", "tiles_missing", "table_not_valid"}:
            self._check_melds()
        self.possible |= self.broken

    @property
    def is_valid(self) -> bool:
        return not self.broken

    def allows(self, code: str | None) -> bool:
        """Return whether the game may answer with this refusal code, or None for a valid lay."""
        if code is None:
            return self.is_valid
        return (JOKERS if code.startswith("joker_") else code) in self.possible

    def _check_tiles(self, lying: set[str], used: set[str], rack: set[str]) -> None:
        """K6: check the tiles used, the tiles left out, and that every group is a meld."""
        if used - lying - rack:
            self.broken.add("card_not_held")
        if lying - used:
            self.broken.add("tiles_missing")
        if any(meld.kind is None for meld in self.after):
            self.broken.add("table_not_valid")
        if not used & rack:
            self.broken.add("nothing_laid")

    def _check_melds(self) -> None:
        if not self.opened and not self.rules.open_then_play and not self._is_left_alone():
            self.broken.add("table_not_yours")
        is_free = self.opened and self.rules.joker_melds == "free"
        readings = [()] if is_free else list(self._list_readings())
        if not self.opened:
            openings = [self._count_opening(kept) for kept in readings]
            self.opening = max(openings, default=0)
            if not readings:
                self.possible.add("below_initial_meld")
            elif self.opening < self.rules.initial_meld:
                self.broken.add("below_initial_meld")
        if not readings:
            self.broken.add(JOKERS)
        for kept in readings:
            self.points |= self._worth(kept)

    def _worth(self, kept: tuple[int, ...]) -> set[int]:
        """Return the possible points of the tiles from the rack. Tiles added to a frozen meld are from the rack."""
        plain = sum(number(tile) * n for tile, n in self.from_rack.items() if tile != JOKER)
        lay_there = Counter(said for meld in self.before for said in meld.jokers)
        in_kept = Counter(said for place in kept for said in self.after[place].jokers)
        added = list((in_kept - lay_there).elements())
        others = [
            said
            for place, meld in enumerate(self.after)
            if place not in kept
            for said in meld.jokers
        ]
        more = combinations(others, max(0, self.from_rack[JOKER] - len(added)))
        return {plain + sum(map(number, (*added, *some))) for some in more}

    def _is_left_alone(self) -> bool:
        """K7: return whether the old melds are unchanged and the new ones come from the rack."""
        before, after = Counter(self.before), Counter(self.after)
        new = sum((meld.used for meld in (after - before).elements()), Counter[str]())
        return not before - after and new <= self.from_rack

    def _count_opening(self, kept: tuple[int, ...]) -> int:
        """K7: return the most points of melds that consist only of tiles from the rack."""
        others = [meld for place, meld in enumerate(self.after) if place not in kept]
        own = [meld for meld in others if meld.used <= self.from_rack]
        return max(
            sum(meld.points for meld in some)
            for size in range(len(own) + 1)
            for some in combinations(own, size)
            if sum((meld.used for meld in some), Counter[str]()) <= self.from_rack
        )

    def _list_readings(self) -> Iterator[tuple[int, ...]]:
        """Yield, for every allowed reading, the places of the frozen melds on the new table."""
        frozen = [meld for meld in self.before if meld.jokers]
        for ways in product(*map(self._list_ways, frozen)):
            staying = [way.stays for way in ways if way.stays is not None]
            for kept in self._list_places(staying):
                if self._is_paid(ways, kept, staying):
                    yield kept

    def _list_ways(self, meld: Meld) -> Iterator[Treated]:
        yield Treated(stays=Counter(meld.tiles))  # K9
        if not self.opened:  # K11
            return
        if meld.kind == "group" and len(meld.tiles) == 3 and len(meld.jokers) == 1:
            there = {said[1] for tile, said in meld.tiles if tile != JOKER}
            missing = [meld.jokers[0][0] + colour for colour in COLOURS if colour not in there]
            both = self.rules.group_swap == "both"
            for tiles in [tuple(missing)] if both else [(tile,) for tile in missing]:
                yield Treated(tiles, 1)
            return
        yield Treated(tuple(meld.jokers), len(meld.jokers))
        if len(meld.jokers) == 2:
            for said in meld.jokers:
                stays = Counter(meld.tiles) - Counter([(JOKER, said)]) + Counter([(said, said)])
                yield Treated((said,), 1, stays)

    def _list_places(
        self, staying: Sequence[Counter[tuple[str, str]]]
    ) -> Iterator[tuple[int, ...]]:
        """Yield places for the frozen melds, each in a separate meld, since they must not be joined (K9)."""
        fits = [[n for n, meld in enumerate(self.after) if meld.holds(one)] for one in staying]
        for kept in product(*fits):
            if len(set(kept)) == len(kept):
                yield kept

    def _is_paid(
        self,
        ways: Sequence[Treated],
        kept: tuple[int, ...],
        staying: Sequence[Counter[tuple[str, str]]],
    ) -> bool:
        """K10: return whether the replacing tiles are available, and each new meld with freed jokers has two more
        tiles from the rack.
        """
        freeing = Counter(tile for way in ways for tile in way.freeing)
        freed = sum(way.freed for way in ways)
        if not freed:
            return True
        if self.rules.swap_from == "anywhere":
            frozen = sum((Counter(tile for tile, _ in one) for one in staying), Counter[str]())
            lying = sum((meld.used for meld in self.before), Counter[str]())
            # Tiles of the table may replace jokers, except those of melds that stay frozen.
            freeing -= lying - (frozen - freeing)
        if not freeing <= self.from_rack:
            return False
        rest = self.from_rack - freeing
        news = [meld for place, meld in enumerate(self.after) if place not in kept]
        return any(given <= rest for given in _list_given(freed, news))


def _list_given(freed: int, news: Sequence[Meld]) -> Iterator[Counter[str]]:
    """K10: yield the pairs of tiles that could come from the rack, one pair for each new meld with freed jokers,
    for every way to spread the jokers.
    """
    spread = product(*[range(len(meld.jokers) + 1) for meld in news])
    for share in spread:
        if sum(share) != freed:
            continue
        pairs = [
            list(combinations((meld.used - Counter({JOKER: jokers})).elements(), 2))
            for meld, jokers in zip(news, share, strict=True)
            if jokers
        ]
        for two in product(*pairs):
            yield Counter(tile for pair in two for tile in pair)
