"""Legal lays (K4 to K11), found by trying every reading of a table; slow and simple.

A tile is a text as on the wire, a meld `{"cards": […], "as": […]}`. Packs matter only where a tile
has to be there at all: of two equal tiles it does not matter which one was moved (K6).
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
# What speaks against jokers has two codes, and which one is told is left open by the rules.
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
        """Read a meld. Tiles of a draft that is no meld yet stand for nothing."""
        said = wire["as"] or ["" for _ in wire["cards"]]
        pairs = zip(map(face, wire["cards"]), said, strict=True)
        return Meld(tuple(sorted(pairs)))

    @property
    def kind(self) -> str | None:
        """K4."""
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
        """K7: a joker counts as the tile that it stands for."""
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
    """One way to see a frozen meld: the tiles that freed jokers, how many, and what has to lie
    together still (nothing: the meld is an ordinary one then)."""

    freeing: tuple[str, ...] = ()
    freed: int = 0
    stays: Counter[tuple[str, str]] | None = None


class Judge:
    """A lay beside the table before it; `broken` are the codes of rules that it breaks for certain,
    `possible` those that a refusal may name."""

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
        # What the tiles from the rack may be said to count: which joker is whose may be open.
        self.points: set[int] = set()
        self._check_tiles(lying, used, set(rack))
        # Whatever else may be said of it, with tiles that are missing it is no lay.
        if not self.broken & {"card_not_held", "tiles_missing", "table_not_valid"}:
            self._check_melds()
        self.possible |= self.broken

    @property
    def is_valid(self) -> bool:
        return not self.broken

    def allows(self, code: str | None) -> bool:
        """Whether the game may say this of it."""
        if code is None:
            return self.is_valid
        return (JOKERS if code.startswith("joker_") else code) in self.possible

    def _check_tiles(self, lying: set[str], used: set[str], rack: set[str]) -> None:
        """K6."""
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
        """Count a joker as the tile it stands for. Tiles added to a frozen meld are from the rack."""
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
        """K7: without `open_then_play` the table stays as it is, and new melds are from the rack."""
        before, after = Counter(self.before), Counter(self.after)
        new = sum((meld.used for meld in (after - before).elements()), Counter[str]())
        return not before - after and new <= self.from_rack

    def _count_opening(self, kept: tuple[int, ...]) -> int:
        """K7: return the most points of melds from the rack only."""
        others = [meld for place, meld in enumerate(self.after) if place not in kept]
        own = [meld for meld in others if meld.used <= self.from_rack]
        return max(
            sum(meld.points for meld in some)
            for size in range(len(own) + 1)
            for some in combinations(own, size)
            if sum((meld.used for meld in some), Counter[str]()) <= self.from_rack
        )

    def _list_readings(self) -> Iterator[tuple[int, ...]]:
        """Which melds of the new table are the frozen ones, for every reading that is allowed."""
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
        """Each of them in a meld of its own: frozen melds are not joined (K9)."""
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
        """K10: the tiles that free jokers are there, and each freed joker lies in a new meld with
        two more of the rack."""
        freeing = Counter(tile for way in ways for tile in way.freeing)
        freed = sum(way.freed for way in ways)
        if not freed:
            return True
        if self.rules.swap_from == "anywhere":
            frozen = sum((Counter(tile for tile, _ in one) for one in staying), Counter[str]())
            lying = sum((meld.used for meld in self.before), Counter[str]())
            # Tiles of the table serve, but for those of melds that stay frozen.
            freeing -= lying - (frozen - freeing)
        if not freeing <= self.from_rack:
            return False
        rest = self.from_rack - freeing
        news = [meld for place, meld in enumerate(self.after) if place not in kept]
        return any(given <= rest for given in _list_given(freed, news))


def _list_given(freed: int, news: Sequence[Meld]) -> Iterator[Counter[str]]:
    """K10: which tiles of the rack would lie beside the freed jokers, for every way to spread these
    over the new melds: two for each meld that has any."""
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
