"""The points that the cards of one suit free in sequences, computed once for each combination."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate
from operator import sub
from typing import Final, NamedTuple

from games.cards import ACE
from games.indian.rules.solver.suitruns import (
    DIGIT,
    DIGIT_MASK,
    ONES,
    RANK_POINTS,
    RUNS,
    RUNS_FROM,
    SUIT_BITS,
    SuitRun,
    find_present,
    list_pure_runs,
)

# Plans are encoded as numbers, so that those of four suits are joined by addition. From the lowest bit on:
# points of the most expensive loose card, jokers, sequences, pure sequences, and points freed. The cards of
# a hand overflow none of these fields.
_JOKERS_AT: Final = 6
_SEQUENCES_AT: Final = _JOKERS_AT + 7
_PURE_AT: Final = _SEQUENCES_AT + 4
FREED_AT: Final = _PURE_AT + 4
DEAREST_MASK: Final = 15
TOO_MANY_JOKERS: Final = 1 << _SEQUENCES_AT - 1
_JOKERS_MASK: Final = TOO_MANY_JOKERS - (1 << _JOKERS_AT)
_IMPURE: Final = 1 << _SEQUENCES_AT
PURE: Final = _IMPURE + (1 << _PURE_AT)
_ANY_PURE: Final = 15 << _PURE_AT
_ENOUGH: Final = (8 << _SEQUENCES_AT) + (8 << _PURE_AT)
# For a sum that includes a first code, `code & CHECKED == VALID` means two sequences, one of them pure, and
# no more jokers than allowed.
CHECKED: Final = _ENOUGH + TOO_MANY_JOKERS
VALID: Final = _ENOUGH
_MOST_JOKERS: Final = 14
# So few jokers make a run of one card without neighbours at most.
_FEW_JOKERS: Final = 3
# By the number of jokers: how far apart two cards of a run may be, in bits.
_APART: Final = tuple(
    [tuple([DIGIT * ranks for ranks in range(1, jokers + 2)]) for jokers in range(_FEW_JOKERS + 1)]
)
_ACE_HIGH_AT: Final = SUIT_BITS


def _build_first_code(jokers: int) -> int:
    """Fill each count up so that its highest bit tells whether it reaches the count asked for."""
    unused = (TOO_MANY_JOKERS >> _JOKERS_AT) - 1 - jokers
    return _ENOUGH - PURE - _IMPURE + (unused << _JOKERS_AT)


# Added to the codes, by the number of jokers.
FIRST_CODES: Final = tuple(map(_build_first_code, range(_MOST_JOKERS + 1)))

# Codes, and for each of them the indices of its runs in RUNS.
_Ways = tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]
_NO_CARDS: Final[_Ways] = ((0,), ((),))


class SuitPlans(NamedTuple):
    """The plans of a suit that no other plan dominates. Their codes begin with the points freed.

    `top` is the most freed without jokers, and each joker adds at most `by_joker`. A pure sequence
    lowers it by at least `gap`. `lone` is the most that a pure sequence by itself frees. A discard
    adds at most `gain` to `top` and what the jokers add, and in any plan at most `dearest`.
    """

    codes: tuple[int, ...]
    top: int
    by_joker: int
    gap: int
    lone: int
    gain: int
    dearest: int


# More than all cards count: there is no plan with a pure sequence.
_NEVER: Final = 1000

# Suits that a generation keeps. A table has two: when the younger is full, it takes the place of the older, so
# what is asked for stays and what is not is forgotten.
_MOST_SUITS: Final = 1 << 12
# Plans for this many jokers serve every smaller number of their class. Few hands have more than three.
_JOKERS_OF_CLASSES: Final = (0, 1, 2, 3, 5, _MOST_JOKERS)


class SuitWays:
    """The ways to lay each suit in sequences with up to `jokers` jokers, computed when first asked for.

    With `discards`, one loose card of the hand will be given away. A plan that frees less may then
    be better, because it leaves the most expensive card loose.
    """

    def __init__(self, jokers: int, *, discards: bool) -> None:
        self.jokers = jokers
        self.discards = discards
        self._known: dict[int, _Ways] = {0: _NO_CARDS}
        self._older: dict[int, _Ways] = {}
        # By the cards around the lowest one: index in RUNS, cards and code.
        self._runs: dict[int, list[tuple[int, int, int]]] = {}

    def list_ways(self, suit: int) -> _Ways:
        """Return the codes of a suit's plans, those that free most first, and the runs of each."""
        ways = self._known.get(suit)
        if ways is not None:
            return ways
        ways = self._older.get(suit) or self._compute(suit)
        if len(self._known) >= _MOST_SUITS:
            self._older, self._known = self._known, {0: _NO_CARDS}
        self._known[suit] = ways
        return ways

    def _compute(self, suit: int) -> _Ways:
        """Lay the lowest card in every run that it begins, or leave it loose. The ace comes last.

        Aces fit both ends. With them first there would be more remainders to compute.
        """
        kept = self._find_useful(suit)
        if kept != suit:
            return self._leave_loose(kept, suit - kept)
        above_ace = suit >> DIGIT << DIGIT or suit
        place = (above_ace & -above_ace).bit_length() - 1 >> 2
        codes, runs_of_codes = self.list_ways(suit - (1 << DIGIT * place))
        if self.discards:
            points = RANK_POINTS[place + 1]
            codes = tuple([code + max(0, points - (code & DEAREST_MASK)) for code in codes])
        runs_by_code = dict(zip(codes, runs_of_codes, strict=True))
        most_jokers = self.jokers << _JOKERS_AT
        for run, cards, run_code in self._list_runs_from(place, suit):
            codes, runs_of_codes = self.list_ways(suit - cards)
            for others, runs in zip(codes, runs_of_codes, strict=True):
                code = others + run_code
                if code not in runs_by_code and code & _JOKERS_MASK <= most_jokers:
                    runs_by_code[code] = (run, *runs)
        codes = _drop_dominated(runs_by_code, discards=self.discards)
        return codes, tuple([runs_by_code[code] for code in codes])

    def _find_useful(self, suit: int) -> int:
        """Return the cards without those that no better plan lays in a run."""
        if self.jokers > _FEW_JOKERS:
            return suit
        there = find_present(suit)
        there |= (there & ACE) << _ACE_HIGH_AT
        if self.jokers == 0:
            runs = there & there >> DIGIT & there >> 2 * DIGIT
            useful = runs | runs << DIGIT | runs << 2 * DIGIT
        else:
            useful = 0
            for apart in _APART[self.jokers]:
                pairs = there & there >> apart
                useful |= pairs | pairs << apart
            if self.jokers > 1:
                # Two jokers make a run of a card without neighbours. Only one such run is possible, best of the
                # most expensive card.
                alone = there & ~useful & ~(useful >> _ACE_HIGH_AT) & ONES
                useful |= alone & ACE or 1 << alone.bit_length() >> 1
        return suit & (useful | useful >> _ACE_HIGH_AT) * DIGIT_MASK

    def _leave_loose(self, kept: int, loose: int) -> _Ways:
        """Return the ways to lay some cards beside others that are in no run."""
        ways = self.list_ways(kept)
        if not self.discards:
            return ways
        place = 0 if loose & DIGIT_MASK else (loose.bit_length() - 1) // DIGIT
        points = RANK_POINTS[place + 1]  # no card counts more than an ace
        runs_by_code: dict[int, tuple[int, ...]] = {}
        for code, runs in zip(*ways, strict=True):
            runs_by_code.setdefault(code + max(0, points - (code & DEAREST_MASK)), runs)
        codes = _drop_dominated(runs_by_code, discards=True)
        return codes, tuple([runs_by_code[code] for code in codes])

    def _list_runs_from(self, place: int, suit: int) -> list[tuple[int, int, int]]:
        """Return the runs that begin with this card."""
        there = find_present(suit) & _WINDOWS[place]
        plans = self._runs.get(there)
        if plans is None:
            plans = self._runs[there] = [
                (number, RUNS[number].cards, _code(RUNS[number]))
                for number in RUNS_FROM[place]
                if RUNS[number].cards & there == RUNS[number].cards
                and RUNS[number].jokers <= self.jokers
            ]
        return plans


class SuitTable(dict[int, SuitPlans]):
    """The plans of each suit for one number of jokers."""

    def __init__(self, jokers: int, ways: SuitWays) -> None:
        self._jokers = jokers
        self.ways = ways
        self._older: dict[int, SuitPlans] = {}
        # Many suits have equal plans; sharing them is easier on the processor's caches.
        self._shared: dict[tuple[tuple[int, ...], int], SuitPlans] = {}

    def __missing__(self, suit: int) -> SuitPlans:
        plans = self._older.get(suit) or self._compute(suit)
        if len(self) >= _MOST_SUITS:
            self._older = dict(self)
            self.clear()
            self._shared.clear()
        self[suit] = plans
        return plans

    def _compute(self, suit: int) -> SuitPlans:
        codes, _ = self.ways.list_ways(suit)
        if self._jokers < self.ways.jokers:
            most = self._jokers << _JOKERS_AT
            codes = tuple([code for code in codes if code & _JOKERS_MASK <= most])
        lone = max([run.points for run in list_pure_runs(suit)], default=0)
        plans = self._shared.get((codes, lone))
        if plans is None:
            plans = self._shared[codes, lone] = self._describe(codes, lone)
        return plans

    def _describe(self, codes: tuple[int, ...], lone: int) -> SuitPlans:
        # The most freed by the number of jokers: by any plan, by one with a pure sequence, by both with a discard.
        most = [-_NEVER] * (self._jokers + 1)
        pure, thrown, pure_thrown = most.copy(), most.copy(), most.copy()
        for code in codes:
            jokers = (code & _JOKERS_MASK) >> _JOKERS_AT
            freed = code >> FREED_AT
            with_discard = freed + (code & DEAREST_MASK)
            most[jokers] = max(most[jokers], freed)
            thrown[jokers] = max(thrown[jokers], with_discard)
            if code & _ANY_PURE:
                pure[jokers] = max(pure[jokers], freed)
                pure_thrown[jokers] = max(pure_thrown[jokers], with_discard)
        tops, pure_tops = list(accumulate(most, max)), accumulate(pure, max)
        thrown, lost = list(accumulate(thrown, max)), accumulate(pure_thrown, max)
        more = [-((tops[0] - top) // jokers) for jokers, top in enumerate(tops) if jokers]
        by_joker = max(more, default=0)
        gap = min(*map(sub, tops, pure_tops), *map(sub, thrown, lost))
        gain = max([top - tops[0] - jokers * by_joker for jokers, top in enumerate(thrown)])
        dearest = max([code & DEAREST_MASK for code in codes])
        return SuitPlans(codes, tops[0], by_joker, gap, lone, max(0, gain), dearest)

    def list_runs(self, suit: int, code: int) -> tuple[int, ...]:
        """Return the runs of a plan, as places in RUNS."""
        codes, runs_of_codes = self.ways.list_ways(suit)
        return runs_of_codes[codes.index(code)]


@lru_cache(maxsize=12)  # at most 24 MB; hands with more than five jokers are rare
def get_suit_table(jokers: int, discards: bool) -> SuitTable:  # noqa: FBT001 - cache key
    most = min(most for most in _JOKERS_OF_CLASSES if jokers <= most)
    if jokers < most:
        return SuitTable(jokers, get_suit_table(most, discards).ways)
    return SuitTable(jokers, SuitWays(jokers, discards=discards))


# A merit has a field for each advantage of a plan: points freed with a discard of its own, jokers left, and
# pure sequences and sequences as far as required. Above each field is a bit that stays set in a better plan
# when the other's merit is subtracted.
_SAVED: Final = tuple((_MOST_JOKERS - jokers << 6) for jokers in range(_MOST_JOKERS + 1))
_SEQUENCES_MERIT: Final = tuple(
    (min(1, count >> 4) << 3) + min(2, count & 15) for count in range(256)
)
_KEPT: Final = (1 << 23) + (1 << 11) + (1 << 5) + (1 << 2)


def _drop_dominated(codes: Iterable[int], *, discards: bool) -> tuple[int, ...]:
    """Return the plans that no other dominates, those that free most first."""
    kept: list[int] = []
    merits: list[int] = []
    for code in sorted(codes, reverse=True):
        merit = (
            _SAVED[(code & _JOKERS_MASK) >> _JOKERS_AT]
            + _SEQUENCES_MERIT[code >> _SEQUENCES_AT & 255]
        )
        if discards:
            merit += (code >> FREED_AT) + (code & DEAREST_MASK) << 12
        for better in merits:
            if better - merit & _KEPT == _KEPT:
                break
        else:
            kept.append(code)
            merits.append(merit + _KEPT)
    return tuple(kept)


def _code(run: SuitRun) -> int:
    state = _IMPURE if run.jokers else PURE
    return (run.points << FREED_AT) + state + (run.jokers << _JOKERS_AT)


def _window(place: int) -> int:
    """Return all cards of any run from this card on."""
    window = 0
    for number in RUNS_FROM[place]:
        window |= RUNS[number].cards
    return window


_WINDOWS: Final = tuple(map(_window, range(len(RUNS_FROM))))
