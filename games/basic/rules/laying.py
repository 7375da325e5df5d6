"""An exact solver for the least count of a hand: the points left after melding and laying off.

A hand is a mask with one bit for each of its cards. The search tries every lay-off on the melds of the table, each with
the best new melds from the rest. Results are cached by mask.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from games.cards import CARDS, FACE_RANK, RANKS, SUITS, Card
from games.engine.laid import HIGH_ACE, LOW_ACE, Meld, Shape, face_at
from games.engine.state import Groups

# B12: an ace counts one, face cards ten, all others their number.
POINTS: Final = tuple(min(rank, 10) for rank in FACE_RANK[:52])
LayOffs = tuple[tuple[Card, int], ...]
# From a card to the next one of its suit, and from the king to the ace.
_TO_NEXT: Final = (1, -12)


def count(cards: Iterable[Card]) -> int:
    return sum(POINTS[card] for card in cards)


class BasicLaying(NamedTuple):
    """A laying: new melds and lay-offs of a hand, and the loose cards that are left.

    `points` are those of the `loose` cards. `lay_offs` are pairs of a card and the index of a meld, in the order of
    laying.
    """

    points: int
    groups: Groups
    lay_offs: LayOffs
    loose: tuple[Card, ...]


class _Way(NamedTuple):
    """Cards that can be laid off together on one meld."""

    mask: int
    cards: tuple[Card, ...]


class Hand:
    """A hand and the melds on the table, with cached results. `all` is the mask of the whole hand."""

    def __init__(self, hand: Iterable[Card], melds: Sequence[Meld], shape: Shape) -> None:
        self.cards = tuple(sorted(hand))
        self.bit = {card: 1 << place for place, card in enumerate(self.cards)}
        self.all = (1 << len(self.cards)) - 1
        self._groups: dict[int, list[tuple[int, tuple[Card, ...]]]] = {}
        for group in list_groups(self.cards, shape):
            mask = self.mask(group)
            self._groups.setdefault(mask & -mask, []).append((mask, group))
        self._ways = [
            (number, ways)
            for number, meld in enumerate(melds)
            if (ways := list(self._list_ways_onto(meld, shape)))
        ]
        self._melded: dict[int, tuple[int, int, tuple[Card, ...]]] = {0: (0, 0, ())}
        self._laid: dict[tuple[int, int], tuple[int, _Way | None]] = {}

    def mask(self, cards: Iterable[Card]) -> int:
        return sum(self.bit[card] for card in cards)

    def cards_of(self, mask: int) -> tuple[Card, ...]:
        return tuple(card for card in self.cards if self.bit[card] & mask)

    def count_least(self, mask: int) -> int:
        """Return the least count of these cards: their points less the most that can be laid."""
        return count(self.cards_of(mask)) - self._find_most(0, mask)[0]

    def find_laying(self, mask: int) -> BasicLaying:
        """Return the laying that leaves the count that `count_least` returns."""
        lay_offs: list[tuple[Card, int]] = []
        for place, (number, _ways) in enumerate(self._ways):
            way = self._find_most(place, mask)[1]
            if way is not None:
                mask ^= way.mask
                lay_offs += [(card, number) for card in way.cards]
        groups: list[tuple[Card, ...]] = []
        loose: list[Card] = []
        while mask:
            _, taken, group = self._find_most_melded(mask)
            if group:
                groups.append(group)
            else:
                loose += self.cards_of(taken)
            mask ^= taken
        return BasicLaying(count(loose), tuple(groups), tuple(lay_offs), tuple(loose))

    def _find_most(self, place: int, mask: int) -> tuple[int, _Way | None]:
        """Return the most points that new melds, and lay-offs on the meld with index `place` or later melds, can have.

        The second value is the lay-off on the meld with index `place`, or None.
        """
        if place == len(self._ways):
            return self._find_most_melded(mask)[0], None
        known = self._laid.get((place, mask))
        if known is not None:
            return known
        best: tuple[int, _Way | None] = (self._find_most(place + 1, mask)[0], None)
        for way in self._ways[place][1]:
            if way.mask & mask == way.mask:
                points = count(way.cards) + self._find_most(place + 1, mask ^ way.mask)[0]
                if points > best[0]:
                    best = points, way
        self._laid[place, mask] = best
        return best

    def _find_most_melded(self, mask: int) -> tuple[int, int, tuple[Card, ...]]:
        """Return the most points that new melds of these cards can have, and the first step towards them.

        The step is the mask of the cards to remove, and the meld that they form. The meld is empty if the step only
        leaves a card loose.
        """
        known = self._melded.get(mask)
        if known is not None:
            return known
        lowest = mask & -mask
        best: tuple[int, int, tuple[Card, ...]] = (
            self._find_most_melded(mask ^ lowest)[0],
            lowest,
            (),
        )
        for taken, group in self._groups.get(lowest, ()):
            if taken & mask == taken:
                points = count(group) + self._find_most_melded(mask ^ taken)[0]
                if points > best[0]:
                    best = points, taken, group
        self._melded[mask] = best
        return best

    def _list_ways_onto(self, meld: Meld, shape: Shape) -> Iterator[_Way]:
        if meld.is_set:
            rank = FACE_RANK[meld.faces[0]]
            for card in self.cards:
                if card.rank == rank:
                    yield _Way(self.bit[card], (card,))
            return
        suit, highest = meld.faces[0] // 13, HIGH_ACE if shape.ace_high else HIGH_ACE - 1
        below = self._list_held_on(suit, range(meld.start - 1, LOW_ACE - 1, -1))
        above = self._list_held_on(suit, range(meld.end + 1, highest + 1))
        for low in range(len(below) + 1):
            for high in range(len(above) + 1):
                cards = (*below[:low], *above[:high])
                # The only ace of a suit cannot lie at both ends.
                if cards and len(set(cards)) == len(cards):
                    yield _Way(self.mask(cards), cards)

    def _list_held_on(self, suit: int, steps: Iterable[int]) -> tuple[Card, ...]:
        """Return the cards of a suit that have the ranks `steps`, up to the first that is not in the hand.

        The rank of an ace above the king is 14.
        """
        held = []
        for step in steps:
            card = CARDS[face_at(suit, step)]
            if card not in self.bit:
                break
            held.append(card)
        return tuple(held)


def list_groups(hand: Iterable[Card], shape: Shape) -> Iterator[tuple[Card, ...]]:
    """Yield every meld that these cards can form. The cards of a sequence are in order (B4)."""
    by_rank: list[list[Card]] = [[] for _ in RANKS]
    by_suit: list[list[Card]] = [[] for _ in SUITS]
    for card in sorted(hand):
        by_rank[card % 13].append(card)
        by_suit[card // 13].append(card)
    for same in by_rank:
        for size in range(shape.min_set, len(same) + 1):
            yield from combinations(same, size)
    for cards in by_suit:
        if len(cards) >= shape.min_run:
            yield from _find_runs(cards, shape)


def _find_runs(cards: Sequence[Card], shape: Shape) -> Iterator[tuple[Card, ...]]:
    """Yield the sequences among these cards, which are sorted and of one suit."""
    ace_high = [cards[0]] if shape.ace_high and cards[0].rank == LOW_ACE else []
    for place, first in enumerate(cards, 1):
        run = [first]
        for card in (*cards[place:], *ace_high):
            if card - run[-1] not in _TO_NEXT or card in run:
                break
            run.append(card)
            if len(run) >= shape.min_run:
                yield tuple(run)


def find_best_laying(hand: Iterable[Card], melds: Sequence[Meld], shape: Shape) -> BasicLaying:
    """Return the laying that leaves the least count, without a discard."""
    asked = Hand(hand, melds, shape)
    return asked.find_laying(asked.all)


def find_best_turn(
    hand: Iterable[Card], melds: Sequence[Meld], shape: Shape, *, kept: Card | None = None
) -> tuple[BasicLaying, Card | None]:
    """Return the laying and the discard, other than `kept`, that leave the least count.

    The discard is None if all cards are laid, which ends the deal, or if `kept` is the only card of the hand. Among
    equally good discards, the card with the most points is chosen.
    """
    asked = Hand(hand, melds, shape)
    if not asked.count_least(asked.all):
        return asked.find_laying(asked.all), None
    others = [card for card in asked.cards if card != kept]
    if not others:
        return asked.find_laying(asked.all), None
    discard = min(
        others, key=lambda c: (asked.count_least(asked.all ^ asked.bit[c]), -POINTS[c], c)
    )
    return asked.find_laying(asked.all ^ asked.bit[discard]), discard
