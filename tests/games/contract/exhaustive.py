"""The fewest cards missing from a contract, by an exhaustive search that shares no code with the solver."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product

RANKS = "A23456789TJQK"
STEPS = RANKS + "A"
SUITS = "SHDC"


def list_places(kind: str) -> Iterator[tuple[str, ...]]:
    """Yield the faces of every possible meld of this kind. `*` stands for any suit in a set."""
    if kind == "set":
        yield from ((rank + "*",) * 3 for rank in RANKS)
        return
    for suit in SUITS:
        for start in range(11):
            yield tuple(STEPS[step] + suit for step in range(start, start + 4))


def is_touching(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether two runs of one suit overlap or are adjacent."""
    if "*" in one[0] or "*" in other[0] or one[0][1] != other[0][1]:
        return False
    starts = [steps_of(run)[0] for run in (one, other)]
    return abs(starts[0] - starts[1]) <= 4


def steps_of(run: tuple[str, ...]) -> list[int]:
    """Return the run's positions in its suit: 0 is a low ace, 13 a high one."""
    text = "".join(face[0] for face in run)
    start = STEPS.index(text)
    return list(range(start, start + len(text)))


def count_fewest_missing(hand: Sequence[str], contract: Sequence[str], *, deuces_wild: bool) -> int:
    best = 0
    needed = sum(3 if kind == "set" else 4 for kind in contract)
    for melds in product(*(list(list_places(kind)) for kind in contract)):
        if any(is_touching(one, other) for one, other in combinations(melds, 2)):
            continue
        if sum(_count_usable(hand, meld, deuces_wild) for meld in melds) > best:
            best = max(best, _count_most_used(tuple(hand), melds, deuces_wild))
        if best == min(needed, len(hand)):
            break
    return needed - best


def _is_wild(card: str, deuces_wild: bool) -> bool:
    return card == "PJ" or (deuces_wild and card[0] == "2")


def _stands(card: str, face: str) -> bool:
    return card == face or (face[1] == "*" and card[0] == face[0])


def _count_usable(hand: Sequence[str], meld: tuple[str, ...], deuces_wild: bool) -> int:
    return min(
        len(meld), sum(_is_wild(c, deuces_wild) or any(_stands(c, f) for f in meld) for c in hand)
    )


def _count_most_used(
    hand: tuple[str, ...], melds: Sequence[tuple[str, ...]], deuces_wild: bool
) -> int:
    """Return the most cards of the hand that these melds can use, with at most two jokers in each."""
    slots = [(number, face) for number, meld in enumerate(melds) for face in meld]
    room = tuple(2 for _ in melds)
    best = 0
    seen = set()

    def go(place: int, left: tuple[str, ...], room: tuple[int, ...], used: int) -> None:
        nonlocal best
        best = max(best, used)
        state = place, left, room, used
        if place == len(slots) or state in seen or used + len(slots) - place <= best:
            return
        seen.add(state)
        number, face = slots[place]
        for card in set(left):
            rest = list(left)
            rest.remove(card)
            if _stands(card, face):
                go(place + 1, tuple(rest), room, used + 1)
            if _is_wild(card, deuces_wild) and room[number]:
                less = (*room[:number], room[number] - 1, *room[number + 1 :])
                go(place + 1, tuple(rest), less, used + 1)
        go(place + 1, left, room, used)

    go(0, hand, room, 0)
    return best


def count_fewest_missing_of_whole(hand: Sequence[str], runs: int, size: int) -> int:
    """Return the fewest cards missing if `size` cards are laid in this number of runs of four or more."""
    best = 0
    for lengths in product(range(4, size + 1), repeat=runs):
        if sum(lengths) != size:
            continue
        options = [
            [
                tuple(STEPS[step] + suit for step in range(start, start + length))
                for suit in SUITS
                for start in range(len(STEPS) - length + 1)
            ]
            for length in lengths
        ]
        for melds in product(*options):
            if _has_touching(melds):
                continue
            best = max(best, _count_used_of_whole(hand, melds))
    return size - best


def _has_touching(melds: Sequence[tuple[str, ...]]) -> bool:
    for one, other in combinations(melds, 2):
        if one[0][1] == other[0][1]:
            a, b = steps_of(one), steps_of(other)
            if a[0] <= b[-1] + 1 and b[0] <= a[-1] + 1:
                return True
    return False


def _count_used_of_whole(hand: Sequence[str], melds: Sequence[tuple[str, ...]]) -> int:
    best = 0
    for order in {tuple(melds), tuple(reversed(melds))}:
        left, used, room = list(hand), 0, 0
        for meld in order:
            own = 0
            for face in meld:
                if face in left:
                    left.remove(face)
                    own += 1
            used += own
            room += min(len(meld) - own, len(meld) - 2)
        best = max(best, used + min(room, left.count("PJ")))
    return best
