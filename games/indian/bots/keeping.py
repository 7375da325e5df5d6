"""How many natural cards of a hand fit, at most, into sequences with a given number of places in all.

A place is a position in a sequence. It is a gap if the hand has no card of its own for it. The sequences must include
the two that a declaration needs. The result for a suit, or for two suits together, is computed once for each
combination of cards, as a list of entries: for some numbers of places and kinds of sequences, the most natural cards. A
suit is a number with two bits for each rank, the ace in the lowest. The loops are written for speed.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate, combinations
from typing import Final

from games.indian.rules.ruleset import HAND_SIZE

# The gaps of a pure sequence of which the hand has no card yet.
ALL_GAPS: Final = 3
LONGEST: Final = 5
KING: Final = 13
_ACE_HIGH: Final = 14
# An entry is (code, number of natural cards). The code is four times the places that the melds fill, plus one
# with a sequence, two with a pure one, or three with two sequences of which one is pure.
_SIZE: Final = ~3
_CODES: Final = 4 * (HAND_SIZE + 1)
_JOINED: Final = tuple(
    one | other | (1 if one & other & 2 else 0) for one in range(4) for other in range(4)
)
# The places that missing sequences take, by the two bits for them in a code.
_BARE: Final = (0, 3, 3, 6)
_NEVER: Final = -99
_SUIT_MASK: Final = (1 << 26) - 1
# Entries of each kind before a table is emptied: about 2.5 MB for each of fourteen wild ranks. Twice as
# many would save 4 % of a bot's processor time.
MOST_KEPT: Final = 1 << 9

Entries = tuple[tuple[int, int], ...]
_NO_CARDS: Final[Entries] = ((0, 0),)
Suits = tuple[int, int, int, int]
_Best = tuple[tuple[int, ...], ...]


class Keeps:
    """Computes how many natural cards fit into sequences, one of which is pure and has at most `gaps` gaps."""

    def __init__(self, naturals: int, gaps: int) -> None:
        self._naturals = naturals
        self._gaps = gaps
        self._suits: dict[int, Entries] = {0: _NO_CARDS}
        self._firsts: dict[int, Entries] = {}
        self._seconds: dict[int, _Best] = {}

    def count_in_runs(self, suits: Suits, size: int) -> int:
        """Return how many natural cards fit, at most, into sequences with `size` places in all.

        The result is negative if the two sequences that a declaration needs do not fit into these places, or if the
        pure one would have too many gaps.
        """
        a, b, c, d = suits
        key = a << 26 | b
        first = self._firsts.get(key)
        if first is None:
            first = self._cache_first(key)
        key = c << 26 | d
        best = self._seconds.get(key)
        if best is None:
            best = self._cache_second(key)
        most = _NEVER
        for code, kept in first:
            left = size - (code >> 2)
            if left < 0:
                break
            now = kept + best[code & 3][left]
            if now > most:  # noqa: PLR1730 - faster
                most = now
        return most

    def _cache_first(self, key: int) -> Entries:
        if len(self._firsts) >= MOST_KEPT:
            self._firsts.clear()
        self._firsts[key] = entries = self._join_suits(key)
        return entries

    def _cache_second(self, key: int) -> _Best:
        if len(self._seconds) >= MOST_KEPT:
            self._seconds.clear()
        self._seconds[key] = best = _find_best(self._join_suits(key), self._gaps)
        return best

    def _join_suits(self, key: int) -> Entries:
        """Return the entries of two suits together. `key` holds one suit above the bits of the other."""
        one, other = self._compute_suit(key >> 26), self._compute_suit(key & _SUIT_MASK)
        if not key >> 26:
            return other
        if not key & _SUIT_MASK:
            return one
        found = [-1] * _CODES
        for code, kept in one:
            for code_more, kept_more in other:
                both = (code & _SIZE) + (code_more & _SIZE)
                if both >= _CODES:
                    break
                both += _JOINED[(code & 3) * 4 + (code_more & 3)]
                kept_both = kept + kept_more
                if found[both] < kept_both:  # noqa: PLR1730 - faster
                    found[both] = kept_both
        return _drop_dominated(found)

    def _compute_suit(self, suit: int) -> Entries:  # noqa: C901 - as above
        """Return the entries of a suit. Its lowest card stays loose or begins a run; an ace is considered last."""
        known = self._suits.get(suit)
        if known is not None:
            return known
        above_ace = suit & ~3 or suit
        place = (above_ace & -above_ace).bit_length() - 1 >> 1
        found = [-1] * _CODES
        for code, kept in self._compute_suit(suit - (1 << 2 * place)):
            found[code] = kept
        there = (suit | suit >> 1) & LOWS
        for cards, count, size in _RUNS_FROM[place + 1]:
            if cards & there == cards:
                naturals = (cards & self._naturals).bit_count()
                may_be_pure = size - count <= self._gaps
                for code, kept in self._compute_suit(suit - cards):
                    new = (code | 1) + 4 * size
                    if new >= _CODES:
                        break
                    now = kept + naturals
                    if found[new] < now:  # noqa: PLR1730 - faster
                        found[new] = now
                    if may_be_pure:
                        new = (code | 2) + 4 * size if not code & 2 else new
                        if found[new] < now:  # noqa: PLR1730 - faster
                            found[new] = now
        if len(self._suits) >= MOST_KEPT:
            self._suits = {0: _NO_CARDS}
        self._suits[suit] = entries = _drop_dominated(found)
        return entries


def _drop_dominated(found: Sequence[int]) -> Entries:
    """Return the entries worth keeping, those with the fewest places first.

    `found` has the number of natural cards by code, or -1. An entry is left out if another one has at least as many
    cards and the same kinds of sequences, or more, in no more places.
    """
    kept: list[tuple[int, int]] = []
    nothing = other = pure = both = -1
    for code in range(0, _CODES, 4):
        cards = found[code + 3]
        if cards > both:
            kept.append((code + 3, cards))
            both = cards
            nothing, other, pure = max(nothing, cards), max(other, cards), max(pure, cards)
        cards = found[code + 2]
        if cards > pure:
            kept.append((code + 2, cards))
            pure = cards
            nothing = max(nothing, cards)
        cards = found[code + 1]
        if cards > other:
            kept.append((code + 1, cards))
            other = cards
            nothing = max(nothing, cards)
        cards = found[code]
        if cards > nothing:
            kept.append((code, cards))
            nothing = cards
    return tuple(kept)


def _find_best(entries: Entries, gaps: int) -> _Best:
    """Return how many natural cards of two suits fit, at most, as four rows of numbers.

    The row is chosen by the sequences that the other two suits have, as the two lowest bits of a code, and the number
    in the row by how many places are left. The number is negative if the required sequences do not fit. A sequence that
    no suit has may take three places without any card of the hand; the pure one may do so only if three gaps are
    allowed.
    """
    tables = []
    for has in range(4):
        best = [_NEVER] * (HAND_SIZE + 1)
        for code, cards in entries:
            lacks = 3 & ~(code | has)
            if lacks & 2 and gaps < ALL_GAPS:
                continue
            size = (code >> 2) + _BARE[lacks]
            if size <= HAND_SIZE and best[size] < cards:
                best[size] = cards
        tables.append(tuple(accumulate(best, max)))
    return tuple(tables)


def _list_runs(lowest: int) -> Iterable[tuple[int, ...]]:
    """Yield the ranks of each run whose lowest card, apart from an ace below it, has this rank.

    For an ace, yield the ace by itself. A rank of 14 is the ace above the king.
    """
    if lowest == 1:
        yield (1,)
        return
    upper = range(lowest + 1, min(lowest + LONGEST, _ACE_HIGH + 1))
    for count in range(LONGEST):
        for others in combinations(upper, count):
            yield (lowest, *others)
            if (lowest, *others)[-1] <= LONGEST:
                yield (1, lowest, *others)


def _run(places: tuple[int, ...]) -> tuple[int, int, int]:
    cards = sum(1 << 2 * ((place - 1) % KING) for place in places)
    return cards, len(places), max(3, places[-1] - places[0] + 1)


LOWS: Final = ((1 << 26) - 1) // 3
_RUNS_FROM: Final = (
    (),
    *(tuple(map(_run, _list_runs(lowest))) for lowest in range(1, KING + 1)),
)
