"""The distance of a hand: how many cards it lacks for a valid declaration, by exact search.

A plan is a list of melds that a hand could be turned into: a pure sequence, another sequence, and any further melds, at
most thirteen cards in all. A plan has a place for each card of its melds. A place for which the hand has no card of its
own is a gap. Let J be the number of jokers in the hand, k the number of its natural cards that the plan uses, and g the
number of gaps in the plan's pure sequence. Then max(13 - J - k, g) cards have to be exchanged, because jokers fill the
other gaps and spare jokers extend a sequence. The distance is the least such number over all plans.

How many cards of a suit, or of two suits together, fit into a number of places is computed once for each combination of
cards (`keeping`). A suit is a number with two bits for each rank, the ace in the lowest; more than three equal cards
count as three. Wild cards belong to their suit only in a pure sequence, and count as jokers otherwise. Equal jokers are
interchangeable (R2.5).
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from games.cards import FACE_RANK, FACE_SUIT, PRINTED_JOKER
from games.indian.bots.keeping import ALL_GAPS, KING, LONGEST, LOWS, MOST_KEPT, Keeps, Suits
from games.indian.rules.ruleset import HAND_SIZE


class HandShape(NamedTuple):
    """All of a hand that its distance depends on: its cards in each suit, as a number, and its number of jokers."""

    spades: int
    hearts: int
    diamonds: int
    clubs: int
    jokers: int


def shape_of(hand: Iterable[int], wild: int | None) -> HandShape:
    suits = [0, 0, 0, 0]
    jokers = 0
    for card in hand:
        face = card % 53
        if face == PRINTED_JOKER:
            jokers += 1
            continue
        rank, suit = FACE_RANK[face], FACE_SUIT[face]
        jokers += rank == wild
        place = 2 * (rank - 1)
        if suits[suit] >> place & 3 < 3:
            suits[suit] += 1 << place
    return HandShape(suits[0], suits[1], suits[2], suits[3], jokers)


def with_face(shape: HandShape, face: int, wild: int | None) -> HandShape:
    """Return the shape of the hand with one more card, which has this face. The printed joker stands for any joker."""
    if face == PRINTED_JOKER:
        return shape._replace(jokers=shape.jokers + 1)
    suits = list(shape)
    rank, suit = FACE_RANK[face], FACE_SUIT[face]
    place = 2 * (rank - 1)
    if suits[suit] >> place & 3 < 3:
        suits[suit] += 1 << place
    suits[4] += rank == wild
    return HandShape(*suits)


class Distances:
    """Computes the distances of hands in deals with one wild rank, and caches the results."""

    def __init__(self, wild: int | None) -> None:
        self._wild = wild
        wild_place = 0 if wild is None else 3 << 2 * (wild - 1)
        self._naturals = (1 << 26) - 1 & ~wild_place
        self._known: dict[HandShape, int] = {}
        self._reached: dict[tuple[Suits, int, int], bool] = {}
        self._keeps = tuple(Keeps(self._naturals, gaps) for gaps in range(ALL_GAPS + 1))

    def count_missing(self, shape: HandShape) -> int:
        """Return the distance of a hand: how many cards it must exchange before it can be declared, 0 if none.

        With fourteen cards, the card to discard is not counted.
        """
        known = self._known.get(shape)
        if known is None:
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            known = self._known[shape] = self._count_missing(shape)
        return known

    def reaches(self, shape: HandShape, missing: int) -> bool:
        """Return whether a hand of this shape has a distance of at most `missing`."""
        gaps = min(missing, ALL_GAPS)
        goal = HAND_SIZE - shape.jokers - missing
        key = shape[:4], goal, gaps
        known = self._reached.get(key)
        if known is None:
            if len(self._reached) >= MOST_KEPT:
                self._reached.clear()
            kept = self._count_most_kept(shape[:4], gaps, floor=goal - 1, goal=goal)
            known = self._reached[key] = kept >= goal
        return known

    def find_helpful(self, shape: HandShape, unseen: Mapping[int, float]) -> dict[int, float]:
        """Return the faces of `unseen` that reduce the hand's distance, each with its number or weight in `unseen`.

        All jokers together are returned as the printed joker. The mapping is empty if no cards are missing.
        """
        wanted = self.count_missing(shape) - 1
        if wanted < 0:
            return {}
        wild = self._wild
        helpful: dict[int, float] = {}
        jokers = 0.0
        lonely: bool | None = None
        linked = _find_linked(shape)
        for face, copies in unseen.items():
            if face == PRINTED_JOKER or FACE_RANK[face] == wild:
                jokers += copies
                continue
            if linked >> face & 1:
                helps = self.reaches(with_face(shape, face, wild), wanted)
            else:
                # Cards that fit no other card of the hand all have the same effect.
                if lonely is None:
                    lonely = self.reaches(with_face(shape, face, wild), wanted)
                helps = lonely
            if helps:
                helpful[face] = copies
        if jokers and self.reaches(with_face(shape, PRINTED_JOKER, wild), wanted):
            helpful[PRINTED_JOKER] = jokers
        return helpful

    def _count_missing(self, shape: HandShape) -> int:
        suits, jokers = shape[:4], shape.jokers
        least = max(0, HAND_SIZE - jokers - self._count_most_kept(suits, ALL_GAPS))
        while least < ALL_GAPS and not self.reaches(shape, least):
            least += 1
        return least

    def _count_most_kept(  # noqa: C901 - one loop, for speed
        self, suits: Suits, gaps: int, *, floor: int = 0, goal: int = HAND_SIZE
    ) -> int:
        """Return the most natural cards that any plan uses if its pure sequence has at most `gaps` gaps.

        If no plan uses more than `floor`, `floor` is returned. The search ends early when a plan uses `goal` cards, so
        that a result of `goal` or more may be too low.
        """
        in_runs = self._keeps[gaps].count_in_runs
        best = max(floor, in_runs(suits, 13))
        if best >= goal:
            return best
        # At most two sets fit beside two sequences.
        with_one, with_two = in_runs(suits, 10), in_runs(suits, 7)
        if max(with_one + 3, in_runs(suits, 9) + 4, with_two + 7) <= best:
            return best
        sets = self._list_sets(suits)
        most = max([count for _, count, _ in sets], default=0)
        for index, (taken, count, size) in enumerate(sets):
            alone = with_one + count > best
            if not alone and with_two + count + most <= best:
                continue
            left = _remove_set(suits, taken)
            if alone:
                best = max(best, count + in_runs(left, 13 - size))
            if with_two + count + most > best:
                both_left = in_runs(left, 10 - size) + count
                if both_left + most > best:
                    for others, more, other_size in sets[index:]:
                        if both_left + more > best and size + other_size <= 7:
                            rest = _remove_set(left, others)
                            if min(rest) >= 0 and not _lacks(left, others):
                                kept = in_runs(rest, 13 - size - other_size)
                                best = max(best, count + more + kept)
            if best >= goal:
                break
        return best

    def _list_sets(self, suits: Suits) -> list[tuple[Suits, int, int]]:
        """Return the sets of two to four natural cards that the hand can form.

        Each is a tuple: the set's cards in each suit, their number, and the number of places in the set. A set of two
        natural cards has a third place, for a joker.
        """
        naturals = self._naturals & LOWS
        a, b, c, d = suits
        a = (a | a >> 1) & naturals
        b = (b | b >> 1) & naturals
        c = (c | c >> 1) & naturals
        d = (d | d >> 1) & naturals
        shared = (a & (b | c | d)) | (b & (c | d)) | (c & d)
        sets = []
        while shared:
            bit = shared & -shared
            shared ^= bit
            has = (a & bit > 0) + 2 * (b & bit > 0) + 4 * (c & bit > 0) + 8 * (d & bit > 0)
            for (e, f, g, h), count in _SETS[has]:
                sets.append(((e * bit, f * bit, g * bit, h * bit), count, max(3, count)))
        return sets


@lru_cache(maxsize=14)  # at most 32 MB
def get_distances(wild: int | None) -> Distances:
    return Distances(wild)


def _remove_set(suits: Suits, taken: Suits) -> Suits:
    a, b, c, d = suits
    e, f, g, h = taken
    return a - e, b - f, c - g, d - h


def _lacks(suits: Suits, taken: Suits) -> bool:
    """Return whether some face in `taken` has no card in `suits`."""
    return any(bit and not suit & 3 * bit for suit, bit in zip(suits, taken, strict=True))


def _find_linked(shape: HandShape) -> int:
    """Return the faces that may form a meld with a card of the hand, as a number with a bit for each face."""
    ranks = 0
    runs = []
    for suit in shape[:4]:
        there = (suit | suit >> 1) & LOWS
        ranks |= there
        near = 0
        while there:
            bit = there & -there
            there ^= bit
            near |= _NEAR[(bit.bit_length() + 1) >> 1]
        runs.append(near)
    spread = 0
    for rank in range(KING):
        spread |= (ranks >> 2 * rank & 1) << rank
    linked = 0
    for suit in range(4):
        linked |= (spread | runs[suit]) << KING * suit
    return linked


# By the suits that have a rank: the suits of every set.
_SETS: Final = tuple(
    tuple(
        ((0 in chosen, 1 in chosen, 2 in chosen, 3 in chosen), size)
        for size in (2, 3, 4)
        for chosen in combinations([suit for suit in range(4) if has >> suit & 1], size)
    )
    for has in range(16)
)

# By the rank of a card: the ranks, as bits, that may lie in a run of five with it.
_NEAR: Final = (
    0,
    *(
        sum(
            1 << other - 1
            for other in range(1, KING + 1)
            if min(
                abs(rank - other), 14 - rank if other == 1 else 14, 14 - other if rank == 1 else 14
            )
            < LONGEST
        )
        for rank in range(1, KING + 1)
    ),
)
