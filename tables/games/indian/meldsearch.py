"""The search behind `arrangement`: which melds free the most points of a hand.

A hand is four suits (see `suitplans`) and a number of jokers. The search lays sets, rank by rank,
and looks up what the four suits can do with the cards that are left, under an upper bound.
"""

from collections.abc import Iterator, Sequence
from operator import add, sub
from typing import Final, NamedTuple

from tables.games.indian.setplans import SUIT_INDICES, SetPlan, set_plans
from tables.games.indian.suitplans import (
    DIGIT,
    JOINED,
    NO_SEQUENCE,
    PURE,
    RANK_POINTS,
    TWO_WITH_PURE,
    Run,
    SuitPlan,
    SuitPlans,
    present,
    pure_runs,
    suit_plans,
)

# What the dearest card counts: a discard saves that much at the very best.
_DEAREST: Final = 10

# The ranks whose cards count that: the ace, ten and pictures.
_TENS: Final = sum(
    1 << DIGIT * (rank - 1) for rank, points in enumerate(RANK_POINTS) if points == _DEAREST
)

Suits = tuple[int, ...]
SuitRun = tuple[int, Run]


class Start(NamedTuple):
    """Where a search begins: perhaps with a pure sequence that has a wild card in its place.

    Everywhere else a wild card does as itself no more than it does as a joker.
    """

    suits: Suits
    jokers: int
    state: int = NO_SEQUENCE
    freed: int = 0
    pure: SuitRun | None = None


class Found(NamedTuple):
    start: Start
    sets: tuple[tuple[int, SetPlan], ...]
    runs: tuple[SuitPlan, ...]


class _RankSets(NamedTuple):
    rank: int
    plans: tuple[SetPlan, ...]
    # By the number of jokers: the most that sets of this rank and the ranks after it free,
    # and without this rank.
    potential: Sequence[int]
    later: Sequence[int]


class _Laid(NamedTuple):
    """A node of the search: the sets laid so far and what they leave."""

    suits: Sequence[int]
    jokers: int
    freed: int
    sets: tuple[tuple[int, SetPlan], ...]
    # Of the suits; with all jokers of the start, so that most are known from the node before.
    tables: Sequence[SuitPlans]
    bounds: Sequence[int]


def starts(suits: Suits, jokers: int, wilds: Sequence[int], wild: int | None) -> Iterator[Start]:
    """`wilds` is the number of wild cards in each suit; they are among the jokers, too."""
    if any(map(pure_runs, suits)):
        yield Start(suits, jokers)
    if wild is None:
        return
    digit = 1 << DIGIT * (wild - 1)
    for suit in SUIT_INDICES:
        if wilds[suit]:
            for run in pure_runs(suits[suit] | digit):
                if run.cards & digit:
                    rest = _taken_from(suits, suit, run.cards ^ digit)
                    freed = run.points - RANK_POINTS[wild]
                    yield Start(rest, jokers - 1, PURE, freed, (suit, run))


def lone_pure(openings: Sequence[Start], *, discards: bool) -> tuple[int, SuitRun]:
    """The pure sequence that frees most by itself, and how much that is."""
    choices = [
        (freed + (dearest(rest) if discards else 0), pure)
        for start in openings
        for freed, rest, pure in _lone_runs(start)
    ]
    return max(choices, key=lambda choice: choice[0])


def _lone_runs(start: Start) -> Iterator[tuple[int, Suits, SuitRun]]:
    if start.pure is not None:
        yield start.freed, start.suits, start.pure
        return
    for suit in SUIT_INDICES:
        for run in pure_runs(start.suits[suit]):
            yield run.points, _taken_from(start.suits, suit, run.cards), (suit, run)


def dearest(suits: Suits) -> int:
    """The most that one of these cards counts."""
    there = present(suits[0] | suits[1] | suits[2] | suits[3])
    if there & _TENS:
        return _DEAREST
    return (there.bit_length() + DIGIT - 1) // DIGIT


class MeldSearch:
    """Depth first for two sequences, one of them pure, that free more than `best`.

    With `discards`, the dearest card that stays loose is given away and counts as freed.
    """

    def __init__(self, *, best: int, goal: int, discards: bool, max_set_size: int | None) -> None:
        self.best = best
        # When everything is freed there is nothing better to look for.
        self.goal = goal
        self.found: Found | None = None
        self._discards = discards
        self._bonus = _DEAREST if discards else 0
        self._max_set_size = max_set_size

    def run(self, start: Start) -> None:
        tables = [suit_plans(suit, start.jokers, self._discards) for suit in start.suits]
        laid = _Laid(start.suits, start.jokers, start.freed, (), tables, _bounds(start, tables))
        self._lay_runs(start, laid)
        if self.best < self.goal:
            ranks = _set_ranks(start.suits, start.jokers, self._max_set_size)
            self._lay_sets(start, laid, ranks)

    def _lay_sets(self, start: Start, laid: _Laid, ranks: Sequence[_RankSets]) -> None:
        freed = laid.freed + self._bonus
        bounds, most_jokers = laid.bounds, laid.jokers
        for index, (rank, plans, potential, later) in enumerate(ranks, start=1):
            if freed + bounds[most_jokers] + potential[most_jokers] <= self.best:
                return
            points = RANK_POINTS[rank]
            for plan in plans:
                jokers = most_jokers - plan.jokers
                if jokers < 0:
                    continue
                bound = freed + plan.cards * points + bounds[jokers] + later[jokers]
                if bound > self.best:
                    child = self._with_sets(start, laid, rank, plan)
                    self._lay_runs(start, child)
                    if index < len(ranks):
                        self._lay_sets(start, child, ranks[index:])

    def _with_sets(self, start: Start, laid: _Laid, rank: int, plan: SetPlan) -> _Laid:
        suits, tables = list(laid.suits), list(laid.tables)
        shift = DIGIT * (rank - 1)
        for suit, count in plan.taken_from:
            suits[suit] = left = suits[suit] - (count << shift)
            tables[suit] = suit_plans(left, start.jokers, self._discards)
        return _Laid(
            suits,
            laid.jokers - plan.jokers,
            laid.freed + plan.cards * RANK_POINTS[rank],
            (*laid.sets, (rank, plan)),
            tables,
            _bounds(start, tables),
        )

    def _lay_runs(  # noqa: C901, PLR0912, PLR0915 - four loops, unrolled for speed
        self, start: Start, laid: _Laid
    ) -> None:
        jokers = laid.jokers
        best = self.best - self._bonus
        if laid.freed + laid.bounds[jokers] <= best:
            return
        (first, _, _), (second, tops_b, _), (third, tops_c, _), (fourth, tops_d, _) = laid.tables
        above_c = tops_d[jokers]
        above_b = above_c + tops_c[jokers]
        above_a = above_b + tops_b[jokers]
        for a in first:
            freed_a = laid.freed + a[0]
            if freed_a + above_a <= best:
                break
            jokers_a = jokers - a[1]
            if jokers_a < 0:
                continue
            joined_a = JOINED[JOINED[start.state][a[2]]]
            for b in second:
                freed_b = freed_a + b[0]
                if freed_b + above_b <= best:
                    break
                jokers_b = jokers_a - b[1]
                if jokers_b < 0:
                    continue
                joined_b = JOINED[joined_a[b[2]]]
                for c in third:
                    freed_c = freed_b + c[0]
                    if freed_c + above_c <= best:
                        break
                    jokers_c = jokers_b - c[1]
                    if jokers_c < 0:
                        continue
                    joined_c = JOINED[joined_b[c[2]]]
                    for d in fourth:
                        if freed_c + d[0] <= best:
                            break
                        if d[1] <= jokers_c and joined_c[d[2]] == TWO_WITH_PURE:
                            self._take(start, laid, (a, b, c, d))
                            best = self.best - self._bonus

    def _take(self, start: Start, laid: _Laid, runs: tuple[SuitPlan, ...]) -> None:
        a, b, c, d = runs
        freed = laid.freed + a[0] + b[0] + c[0] + d[0]
        if self._discards:
            freed += max(a[3], b[3], c[3], d[3])
        if freed > self.best:
            self.best = freed
            self.found = Found(start, laid.sets, runs)


def _bounds(start: Start, tables: Sequence[SuitPlans]) -> list[int]:
    """By the number of jokers: the most that sequences free, one of them pure."""
    first, second, third, fourth = tables
    tops = map(add, map(add, first.tops, second.tops), map(add, third.tops, fourth.tops))
    if start.state == PURE:
        return list(tops)
    return list(map(sub, tops, map(min, first.gaps, second.gaps, third.gaps, fourth.gaps)))


def _taken_from(suits: Suits, suit: int, cards: int) -> Suits:
    return (*suits[:suit], suits[suit] - cards, *suits[suit + 1 :])


def _set_ranks(suits: Suits, jokers: int, max_set_size: int | None) -> list[_RankSets]:
    """The ranks that can lie in sets."""
    ranks: list[_RankSets] = []
    later: Sequence[int] = (0,) * (jokers + 1)
    for shift in _shared_ranks(suits, jokers):
        plans, most = set_plans(tuple([suit >> shift & 15 for suit in suits]), jokers, max_set_size)
        rank = shift // DIGIT + 1
        points = RANK_POINTS[rank]
        potential = [freed + cards * points for freed, cards in zip(later, most, strict=True)]
        ranks.append(_RankSets(rank, plans, potential, later))
        later = potential
    ranks.reverse()
    return ranks


def _shared_ranks(suits: Suits, jokers: int) -> Iterator[int]:
    """Where the ranks stand that two suits have; three, if there is no joker."""
    a, b, c, d = map(present, suits)
    shared = (a | b) & (c | d) | a & b | c & d
    if not jokers:
        shared = a & b & (c | d) | c & d & (a | b)
    while shared:
        lowest = shared & -shared
        yield lowest.bit_length() - 1
        shared ^= lowest
