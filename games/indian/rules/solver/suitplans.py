"""The points that the cards of one suit free in sequences, computed once for each combination."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from games.indian.rules.solver.suitruns import (
    DIGIT,
    RANK_POINTS,
    RUNS,
    RUNS_FROM,
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
    lowers it by at least `gap`. `lone` is the most that a pure sequence by itself frees.
    """

    codes: tuple[int, ...]
    top: int
    by_joker: int
    gap: int
    lone: int


# More than all cards count: there is no plan with a pure sequence.
_NEVER: Final = 1000

# Suits that a table keeps before it is emptied. There are two tables for each number of jokers, and few
# hands have more than four jokers.
_MOST_SUITS: Final = 1 << 12


class SuitTable(dict[int, SuitPlans]):
    """The plans of each suit by its jokers, computed when first asked for.

    With `discards`, one loose card of the hand will be given away. A plan that frees less may then
    be better, because it leaves the most expensive card loose.
    """

    def __init__(self, jokers: int, *, discards: bool) -> None:
        self._jokers = jokers
        self._discards = discards
        # Many suits have equal plans; sharing them is easier on the processor's caches.
        self._shared: dict[tuple[tuple[int, ...], int], SuitPlans] = {}
        self._known: dict[int, _Ways] = {0: _NO_CARDS}
        # By the cards around the lowest one: index in RUNS, cards and code.
        self._runs: dict[int, list[tuple[int, int, int]]] = {}

    def __missing__(self, suit: int) -> SuitPlans:
        if len(self) >= _MOST_SUITS:
            self.clear()
            self._shared.clear()
        codes, _ = self._list_ways(suit)
        lone = max([run.points for run in list_pure_runs(suit)], default=0)
        plans = self._shared.get((codes, lone))
        if plans is None:
            tops = [self._find_top(codes, jokers) for jokers in range(self._jokers + 1)]
            pure = [code for code in codes if code & _ANY_PURE]
            gaps = [top - self._find_top(pure, jokers) for jokers, top in enumerate(tops)]
            more = [-((tops[0] - top) // jokers) for jokers, top in enumerate(tops) if jokers]
            plans = SuitPlans(codes, tops[0], max(more, default=0), min(gaps), lone)
            self._shared[codes, lone] = plans
        self[suit] = plans
        return plans

    def runs(self, suit: int, code: int) -> tuple[int, ...]:
        """Return the runs of a plan, as places in RUNS."""
        codes, runs_of_codes = self._list_ways(suit)
        return runs_of_codes[codes.index(code)]

    @staticmethod
    def _find_top(codes: Iterable[int], jokers: int) -> int:
        """Return the most that one of these plans frees with up to this many jokers."""
        most = jokers << _JOKERS_AT
        return next((code >> FREED_AT for code in codes if code & _JOKERS_MASK <= most), -_NEVER)

    def _list_ways(self, suit: int) -> _Ways:
        """Yield the ways: the lowest card stays loose or begins a run. The ace comes last.

        Aces fit both ends. With them first there would be more remainders to compute.
        """
        ways = self._known.get(suit)
        if ways is not None:
            return ways
        above_ace = suit >> DIGIT << DIGIT or suit
        place = (above_ace & -above_ace).bit_length() - 1 >> 2
        codes, runs_of_codes = self._list_ways(suit - (1 << DIGIT * place))
        if self._discards:
            points = RANK_POINTS[place + 1]
            codes = tuple([code + max(0, points - (code & DEAREST_MASK)) for code in codes])
        runs_by_code = dict(zip(codes, runs_of_codes, strict=True))
        most_jokers = self._jokers << _JOKERS_AT
        for run, cards, run_code in self._list_runs_from(place, suit):
            codes, runs_of_codes = self._list_ways(suit - cards)
            for others, runs in zip(codes, runs_of_codes, strict=True):
                code = others + run_code
                if code not in runs_by_code and code & _JOKERS_MASK <= most_jokers:
                    runs_by_code[code] = (run, *runs)
        codes = _drop_dominated(runs_by_code, discards=self._discards)
        if len(self._known) >= _MOST_SUITS:
            self._known = {0: _NO_CARDS}
        self._known[suit] = ways = codes, tuple([runs_by_code[code] for code in codes])
        return ways

    def _list_runs_from(self, place: int, suit: int) -> list[tuple[int, int, int]]:
        """Return the runs that begin with this card."""
        there = find_present(suit) & _WINDOWS[place]
        plans = self._runs.get(there)
        if plans is None:
            plans = self._runs[there] = [
                (number, RUNS[number].cards, _code(RUNS[number]))
                for number in RUNS_FROM[place]
                if RUNS[number].cards & there == RUNS[number].cards
                and RUNS[number].jokers <= self._jokers
            ]
        return plans


@lru_cache(maxsize=12)  # at most 24 MB
def get_suit_table(jokers: int, discards: bool) -> SuitTable:  # noqa: FBT001 - cache key
    return SuitTable(jokers, discards=discards)


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
