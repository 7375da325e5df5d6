"""An independent search for the least that thirteen or fourteen cards can count (R4.7).

Jokers count nothing wherever they lie. The count depends only on which other cards are melded, on the
jokers needed for that, and on whether there is a second sequence.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from games.indian.rules.ruleset import RuleSet
from tests.games.model.cards import JOKER, RANKS, SUITS, face, value
from tests.games.model.melds import LADDER

# The number of cards of each face, in the order of suits and ranks.
Stock = tuple[int, ...]
_NEVER = -(10**6)


def count_least(hand: list[str], wild: str, rules: RuleSet) -> int:
    return min(_count_least(tuple(sorted(map(face, hand))), wild, rules), rules.max_points)


@lru_cache(maxsize=1 << 14)
def _count_least(faces: tuple[str, ...], wild: str, rules: RuleSet) -> int:
    total = sum(value(one, wild) for one in faces)
    held = Counter(faces)
    free = 0
    for pure in list_pure_sequences(held):
        own = sum(value(one, wild) for one in pure)
        if rules.lone_pure_sequence == "free":
            free = max(free, own)
        free = max(free, own + _count_freed_beside(held - Counter(pure), wild))
    return total - free


def list_pure_sequences(held: Counter[str]) -> Iterator[tuple[str, ...]]:
    for suit in SUITS:
        for low in range(len(LADDER) - 2):
            run: list[str] = []
            for rank in LADDER[low : low + 13]:
                if not held[rank + suit]:
                    break
                run.append(rank + suit)
                if len(run) >= 3:
                    yield tuple(run)


def _count_freed_beside(left: Counter[str], wild: str) -> int:
    printed = left[JOKER]
    wilds = sum(number for one, number in left.items() if one[0] == wild)
    stock = tuple(0 if rank == wild else left[rank + suit] for suit in SUITS for rank in RANKS)
    return _count_freed(stock, printed, wilds, second=False)


@lru_cache(maxsize=1 << 16)
def _count_freed(stock: Stock, printed: int, wilds: int, *, second: bool) -> int:
    """Return the most points that melds can free. `second`: the second sequence is already laid."""
    jokers = printed + wilds
    place = _find_first(stock)
    if place is None:
        # R2.6: jokers alone form a sequence if one of them is a wild card.
        return 0 if second or (wilds and jokers >= 3) else _NEVER
    best = _count_freed(_subtract(stock, (place,)), printed, wilds, second=second)
    for cards, needed, is_sequence in _list_melds_with(stock, place, jokers):
        # Printed jokers are used first, since a sequence of only jokers needs a wild card.
        from_printed = min(needed, printed)
        rest = _count_freed(
            _subtract(stock, cards),
            printed - from_printed,
            wilds - needed + from_printed,
            second=second or is_sequence,
        )
        best = max(best, rest + sum(_worth(one) for one in cards))
    return best


def _find_first(stock: Stock) -> int | None:
    """Return the next card to place: aces first, as they fit both ends, then the lowest of the first suit."""
    aces = [suit * 13 for suit in range(4) if stock[suit * 13]]
    return aces[0] if aces else next((at for at, number in enumerate(stock) if number), None)


def _subtract(stock: Stock, cards: tuple[int, ...]) -> Stock:
    left = list(stock)
    for one in cards:
        left[one] -= 1
    return tuple(left)


def _worth(place: int) -> int:
    rank = place % 13 + 1
    return 10 if rank == 1 or rank >= 10 else rank


def _list_melds_with(
    stock: Stock, place: int, jokers: int
) -> Iterator[tuple[tuple[int, ...], int, bool]]:
    """Yield melds with this card: the natural cards, the number of jokers, and whether it is a sequence."""
    suit, rank = divmod(place, 13)
    others = [at * 13 + rank for at in range(4) if at != suit and stock[at * 13 + rank]]
    for number in range(len(others) + 1):
        if 3 - 1 - number <= jokers:
            for chosen in combinations(others, number):
                yield (place, *chosen), max(0, 2 - number), False
    for ranks, needed in _list_runs(stock, suit, rank, jokers):
        yield tuple(suit * 13 + one for one in ranks), needed, True


def _list_runs(
    stock: Stock, suit: int, rank: int, jokers: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield runs whose lowest card has this rank, and for an ace also runs in which it is high."""

    def grow(
        ranks: tuple[int, ...], at: int, gaps: int, step: int
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        needed = max(gaps, 3 - len(ranks))
        if needed <= jokers:
            yield ranks, needed
        gap = 0
        while 1 <= at + step * (gap + 1) <= 12 and gaps + gap <= jokers:
            beyond = at + step * (gap + 1)
            if stock[suit * 13 + beyond]:
                yield from grow((*ranks, beyond), beyond, gaps + gap, step)
            gap += 1

    yield from grow((rank,), rank, 0, 1)
    if rank == 0:
        yield from ((ranks, needed) for ranks, needed in grow((0,), 13, 0, -1) if len(ranks) > 1)
