"""The ways to lay the cards of one suit in sequences, worked out once for each combination.

A suit is a number with one hexadecimal digit for each rank: how many cards of it there are, the
aces in the lowest digit. Wild cards are not among them; they are counted as jokers.

No sequence is longer than five here: a longer one splits into sequences of three to five cards
that free the same cards with the same jokers.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from tables.games.cards import ACE, FACE_POINTS

DIGIT: Final = 4
KING: Final = 13
SUIT_BITS: Final = DIGIT * KING
ONES: Final = int("1" * KING, 16)
RANK_POINTS: Final = (0, *FACE_POINTS[:KING])
_ACE_HIGH: Final = 14
_LONGEST: Final = 5

# How many sequences a plan has, as far as a declaration asks (R3.1).
NO_SEQUENCE: Final = 0
IMPURE: Final = 1
PURE: Final = 2
TWO_IMPURE: Final = 3
TWO_WITH_PURE: Final = 4
# JOINED[a][b]: what two plans have together.
JOINED: Final = (
    (NO_SEQUENCE, IMPURE, PURE, TWO_IMPURE, TWO_WITH_PURE),
    (IMPURE, TWO_IMPURE, TWO_WITH_PURE, TWO_IMPURE, TWO_WITH_PURE),
    (PURE, TWO_WITH_PURE, TWO_WITH_PURE, TWO_WITH_PURE, TWO_WITH_PURE),
    (TWO_IMPURE, TWO_IMPURE, TWO_WITH_PURE, TWO_IMPURE, TWO_WITH_PURE),
    (TWO_WITH_PURE,) * 5,
)
_WITH_PURE: Final = (PURE, TWO_WITH_PURE)
# REACHES[a]: the states that are at most as good as a, whatever they are joined with.
_REACHES: Final = ({0}, {0, 1}, {0, 1, 2}, {0, 1, 3}, {0, 1, 2, 3, 4})


class Run(NamedTuple):
    """A sequence of these ranks; so many jokers fill and lengthen it."""

    ranks: tuple[int, ...]
    jokers: int
    cards: int  # as digits of the suit
    points: int
    state: int


class SuitPlan(NamedTuple):
    """`dearest` is the highest count of a card that stays loose."""

    freed: int
    jokers: int
    state: int
    dearest: int
    runs: tuple[Run, ...]


class SuitPlans(NamedTuple):
    """`plans` begin with what frees most. The others go by the number of jokers.

    `tops` is the most that a plan frees, `gaps` how much less it is with a pure sequence in it.
    """

    plans: tuple[SuitPlan, ...]
    tops: tuple[int, ...]
    gaps: tuple[int, ...]


# More than all cards count: there is no plan with a pure sequence.
NEVER: Final = 1000
NOTHING: Final = SuitPlan(0, 0, NO_SEQUENCE, 0, ())


def present(suit: int) -> int:
    """A one in the digit of every rank that is there."""
    folded = suit | suit >> 1
    return (folded | folded >> 2) & ONES


@lru_cache(maxsize=1 << 14)
def pure_runs(cards: int) -> tuple[Run, ...]:
    """Every pure sequence of three to five cards."""
    there = present(cards)
    return tuple(run for run in _PURE_RUNS if there & run.cards == run.cards)


# Thousands of suits come up again and again; those of long play fit as well.
@lru_cache(maxsize=1 << 17)
def suit_plans(suit: int, jokers: int, discards: bool) -> SuitPlans:  # noqa: FBT001 - cache key
    """All plans that none is better than, those that free most first.

    With `discards`, one loose card of the hand will be given away: a plan that frees less may
    then be better, because it leaves the dearest card loose.
    """
    if not suit:
        return SuitPlans((NOTHING,), (0,) * (jokers + 1), (NEVER,) * (jokers + 1))
    # What frees most, by what else it does.
    best: dict[_Rest, _Way] = {}
    for rest, way in _ways(suit, jokers, discards=discards):
        if rest not in best or best[rest][0] < way[0]:
            best[rest] = way
    return _undominated(best, jokers, discards=discards)


# Jokers, state and dearest loose card of a plan.
_Rest = tuple[int, int, int]
# What a plan frees, and what it is made of: another plan and perhaps a run before it.
_Way = tuple[int, Run | None, SuitPlan]


def _ways(suit: int, jokers: int, *, discards: bool) -> Iterator[tuple[_Rest, _Way]]:
    """The lowest card stays loose or begins a run; the ace comes last.

    Aces go with both ends: with them first there would be more ends to work out.
    """
    above_ace = suit >> DIGIT << DIGIT or suit
    place = (above_ace & -above_ace).bit_length() - 1 >> 2
    points = RANK_POINTS[place + 1]
    for plan in suit_plans(suit - (1 << DIGIT * place), jokers, discards).plans:
        freed, needed, state, dearest, _ = plan
        yield (needed, state, max(dearest, points) if discards else 0), (freed, None, plan)
    there = present(suit)
    for run in _RUNS_FROM[place + 1]:
        if run.jokers <= jokers and there & run.cards == run.cards:
            for plan in suit_plans(suit - run.cards, jokers, discards).plans:
                freed, needed, state, dearest, _ = plan
                if needed + run.jokers <= jokers:
                    rest = needed + run.jokers, JOINED[state][run.state], dearest
                    yield rest, (freed + run.points, run, plan)


def _undominated(best: dict[_Rest, _Way], jokers: int, *, discards: bool) -> SuitPlans:
    ranked = sorted(
        (-freed, needed, -state, -dearest)
        for (needed, state, dearest), (freed, _, _) in best.items()
    )
    kept: list[SuitPlan] = []
    for less_freed, needed, minus_state, minus_dearest in ranked:
        state, dearest = -minus_state, -minus_dearest
        # What a discard of its own makes of a plan; those kept free at least as much without.
        ends_with = dearest - less_freed if discards else 0
        for better in kept:
            if (
                better[1] <= needed
                and state in _REACHES[better[2]]
                and (not discards or better[0] + better[3] >= ends_with)
            ):
                break
        else:
            freed, run, plan = best[needed, state, dearest]
            runs = plan.runs if run is None else (run, *plan.runs)
            kept.append(SuitPlan(freed, needed, state, dearest, runs))
    tops, gaps = [], []
    for limit in range(jokers + 1):
        within = [plan for plan in kept if plan.jokers <= limit]
        tops.append(within[0].freed)
        gaps.append(tops[-1] - next((p.freed for p in within if p.state in _WITH_PURE), -NEVER))
    return SuitPlans(tuple(kept), tuple(tops), tuple(gaps))


def _run(places: tuple[int, ...]) -> Run:
    """A run by places, where 14 is the ace above the king."""
    ranks = tuple(ACE if place == _ACE_HIGH else place for place in places)
    jokers = max(3, places[-1] - places[0] + 1) - len(places)
    return Run(
        ranks=ranks,
        jokers=jokers,
        cards=sum(1 << DIGIT * (rank - 1) for rank in ranks),
        points=sum(RANK_POINTS[rank] for rank in ranks),
        state=IMPURE if jokers else PURE,
    )


def _runs_from(place: int) -> tuple[Run, ...]:
    """Runs whose lowest card is this one, or the next above an ace."""
    upper = range(place + 1, min(place + _LONGEST, _ACE_HIGH + 1))
    above = [(place, *others) for count in range(_LONGEST) for others in combinations(upper, count)]
    if place == ACE:
        return (_run((ACE,)),)
    with_ace = [(ACE, *places) for places in above if places[-1] <= _LONGEST]
    return tuple(map(_run, (*above, *with_ace)))


_RUNS_FROM: Final = ((), *map(_runs_from, range(ACE, KING + 1)))
_PURE_RUNS: Final = tuple(run for runs in _RUNS_FROM for run in runs if not run.jokers)
