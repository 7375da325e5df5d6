"""The plans of a suit: the ways to lay its cards in sequences, computed once for each combination of cards.

A plan lays some cards of the suit in runs, with jokers of the hand where needed, and leaves the others loose. It frees
the points of the cards that it lays: they are not counted (R6.3). One number, the plan's code, holds the points freed,
the jokers taken, the sequences, and the pure sequences. The most expensive card is the one with the most points.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from games.cards import ACE
from games.indian.rules.solver.suitruns import (
    DIGIT,
    DIGIT_MASK,
    ONES,
    RANK_POINTS,
    RUNS,
    RUNS_FROM,
    SUIT_BITS,
    find_present,
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
_ENOUGH: Final = (8 << _SEQUENCES_AT) + (8 << _PURE_AT)
# For a sum that includes a first code, `code & CHECKED == VALID` means two sequences, one of them pure, and
# no more jokers than allowed.
CHECKED: Final = _ENOUGH + TOO_MANY_JOKERS
VALID: Final = _ENOUGH
_MOST_JOKERS: Final = 14
# A plan's merit is its code with the jokers left instead of those taken, and with a discard of its own. Above
# each field is a bit that stays set in a better plan when the other's merit is subtracted.
_KEPT: Final = _ENOUGH + TOO_MANY_JOKERS + (1 << FREED_AT + 9)
# With so few jokers, at most one card without neighbours is in a run.
_FEW_JOKERS: Final = 3
# By the number of jokers: how far apart two cards of a run may be beyond one joker, in bits.
_APART: Final = ((), (), (3 * DIGIT,), (3 * DIGIT, 4 * DIGIT))
_ACE_HIGH_AT: Final = SUIT_BITS


def _build_first_code(jokers: int) -> int:
    """Return the number that is added to the codes of four suits' plans to check them together.

    `jokers` is the number of jokers in the hand. In the sum, the highest bit of the field for sequences is set if there
    are at least two, that of the field for pure sequences if there is at least one, and that of the field for jokers if
    the plans take more than the hand has.
    """
    unused = (TOO_MANY_JOKERS >> _JOKERS_AT) - 1 - jokers
    return _ENOUGH - PURE - _IMPURE + (unused << _JOKERS_AT)


# Added to the codes, by the number of jokers.
FIRST_CODES: Final = tuple(map(_build_first_code, range(_MOST_JOKERS + 1)))

# The runs of a plan, as places in RUNS.
_Runs = tuple[int, ...]
# Plans by their codes.
_RunsByCode = dict[int, _Runs]


# The plans of a suit that no other plan dominates, a plain tuple because every new suit makes one:
# - the codes, those that free most first;
# - the most freed without jokers: a suit has a pure sequence exactly if this is not zero;
# - the most that each joker adds to it;
# - the most that a discard adds to both;
# - with discards, the count of the most expensive card that no plan lays;
# - the runs of each code.
SuitPlans = tuple[tuple[int, ...], int, int, int, int, _RunsByCode]
_NO_CARDS: Final[SuitPlans] = ((0,), 0, 0, 0, 0, {0: ()})

# The suits that one generation of a table's cache holds. When the younger of the two generations is full, it
# replaces the older one, so that suits in use stay cached.
_MOST_SUITS: Final = 1 << 12


class SuitTable(dict[int, SuitPlans]):
    """A mapping from the cards of a suit to its plans with up to `jokers` jokers, computed on first use.

    It leaves out a plan if another one is at least as good in every field of the code: the points freed, the jokers
    taken, the sequences and the pure sequences. With `discards`, one loose card of the hand will be discarded. A plan
    that frees fewer points may then be better, because it leaves the most expensive card to be discarded.
    """

    def __init__(self, jokers: int, *, discards: bool) -> None:
        self[0] = _NO_CARDS
        self._jokers = jokers
        self._discards = discards
        self._most_jokers = jokers << _JOKERS_AT
        # The most ranks that may be missing between two neighbours in a run.
        self._apart = min(jokers, _FEW_JOKERS)
        self._older: dict[int, SuitPlans] = {}
        # By the place of the lowest card.
        self._choices = [_list_choices(numbers, jokers) for numbers in RUNS_FROM]
        # By the cards around the lowest one: index in RUNS, cards and code.
        self._runs: dict[int, list[tuple[int, int, int]]] = {}

    def __missing__(self, suit: int) -> SuitPlans:
        plans = self._older.get(suit) or self._compute(suit)
        if len(self) >= _MOST_SUITS:
            self._older = dict(self)
            self.clear()
            self[0] = _NO_CARDS
        self[suit] = plans
        return plans

    def _compute(self, suit: int) -> SuitPlans:
        there = find_present(suit)
        kept = self._find_useful(suit, there)
        if kept != suit:
            plans = self[kept]
            return _leave_loose(plans, suit - kept) if self._discards else plans
        part = self._find_part(suit, there)
        if part == suit:
            return self._make_plans(self._lay_lowest(suit, there))
        return self._make_plans(self._join(self[part][5], self[suit - part][5]))

    def _lay_lowest(self, suit: int, there: int) -> _RunsByCode:
        """Return all plans in which the lowest card is loose or begins a run, with the runs of each plan by its code.

        An ace counts as the highest card here, because aces fit at both ends: if they came first, there would be more
        different remainders to compute. `there` is `find_present(suit)`.
        """
        most_jokers = self._most_jokers
        above_ace = suit >> DIGIT << DIGIT or suit
        place = (above_ace & -above_ace).bit_length() - 1 >> 2
        _, _, _, _, floor, rest = self[suit - (1 << DIGIT * place)]
        loose = max(floor, RANK_POINTS[place + 1])
        runs_by_code = _raise_dearest(rest, loose) if self._discards else rest.copy()
        for run, cards, run_code in self._list_runs_from(place, there):
            _, _, _, _, floor, rest = self[suit - cards]
            if floor:
                rest = _raise_dearest(rest, floor)
            for others, runs in rest.items():
                code = others + run_code
                if code not in runs_by_code and code & _JOKERS_MASK <= most_jokers:
                    runs_by_code[code] = (run, *runs)
        return runs_by_code

    def _find_useful(self, suit: int, there: int) -> int:
        """Return the cards of the suit that a plan may lay in a run. All other cards are loose in every plan.

        Cards without close enough neighbours are dropped, except the most expensive one if two jokers can make a run of
        it. With many jokers, all cards are returned. `there` is `find_present(suit)`.
        """
        if self._jokers > _FEW_JOKERS:
            return suit
        there |= (there & ACE) << _ACE_HIGH_AT
        if self._jokers == 0:
            runs = there & there >> DIGIT & there >> 2 * DIGIT
            useful = runs | runs << DIGIT | runs << 2 * DIGIT
        else:
            pairs, apart = there & there >> DIGIT, there & there >> 2 * DIGIT
            useful = pairs | pairs << DIGIT | apart | apart << 2 * DIGIT
            if self._jokers > 1:
                for shift in _APART[self._jokers]:
                    pairs = there & there >> shift
                    useful |= pairs | pairs << shift
                # Two jokers make a run of a card without neighbours. Only one such run is possible, best of the
                # most expensive card.
                alone = there & ~useful & ~(useful >> _ACE_HIGH_AT) & ONES
                useful |= alone & ACE or 1 << alone.bit_length() >> 1
        return suit & (useful | useful >> _ACE_HIGH_AT) * DIGIT_MASK

    def _find_part(self, suit: int, there: int) -> int:
        """Return some cards of the suit that can share no run with its other cards. Both parts can be planned apart.

        If the suit has no such parts, all its cards are returned. `there` is `find_present(suit)`.
        """
        with_ace = there & ACE
        filled = reach = there | with_ace << _ACE_HIGH_AT
        for _ in range(self._apart):
            reach <<= DIGIT
            filled |= reach
        filled *= DIGIT_MASK
        others = filled & filled + (filled & -filled)
        if with_ace:
            # The cards next to the ace lie at both ends. What lies between them is apart.
            beyond = others & others + (others & -others)
            return suit & (others ^ beyond) if beyond else suit
        return suit & ~others

    def _join(self, part: _RunsByCode, rest: _RunsByCode) -> _RunsByCode:
        """Return, by code, each combination of a plan for one part of the suit's cards and a plan for the rest.

        No run uses cards of both parts. Combinations that take too many jokers are left out.
        """
        most_jokers = self._most_jokers
        runs_by_code: _RunsByCode = {}
        for code, runs in part.items():
            dearest = code & DEAREST_MASK
            for other, other_runs in rest.items():
                both = code + other - min(dearest, other & DEAREST_MASK)
                if both not in runs_by_code and both & _JOKERS_MASK <= most_jokers:
                    runs_by_code[both] = runs + other_runs
        return runs_by_code

    def _make_plans(self, runs_by_code: _RunsByCode) -> SuitPlans:
        """Return the table's entry for a suit: the plans worth keeping, those that free the most points first.

        A plan is left out if another one is at least as good in every field of its code (see the class).
        """
        discards = self._discards
        kept: list[int] = []
        merits: list[int] = []
        for code in sorted(runs_by_code, reverse=True):
            merit = code ^ _JOKERS_MASK
            if discards:
                dearest = code & DEAREST_MASK
                merit += (dearest << FREED_AT) - dearest
            for better in merits:
                if better - merit & _KEPT == _KEPT:
                    break
            else:
                kept.append(code)
                merits.append(merit + _KEPT)
        codes = tuple(kept)
        top, by_joker, gain = _find_bounds(codes)
        runs = {code: runs_by_code[code] for code in codes}
        return codes, top, by_joker, gain, 0, runs

    def _list_runs_from(self, place: int, there: int) -> list[tuple[int, int, int]]:
        """Return the runs that begin with one rank and that the cards `there` can form.

        `place` is the index of the rank, 0 for the ace. Each run is its index in `RUNS`, its cards, and its part of a
        code.
        """
        there &= _WINDOWS[place]
        runs = self._runs.get(there)
        if runs is None:
            runs = self._runs[there] = [
                (run, cards, code)
                for run, cards, code, seen in self._choices[place]
                if there & seen == cards
            ]
        return runs


def _find_bounds(codes: Sequence[int]) -> tuple[int, int, int]:
    """Return upper bounds, in points, of what plans with these codes free.

    The first is the most that any plan frees without jokers. The second is the most that each joker adds to the first.
    The third is the most that the discard of a loose card adds to the sum of these two.
    """
    top = by_joker = gain = 0
    for code in codes:
        if not code & _JOKERS_MASK:
            top = code >> FREED_AT
            break
    for code in codes:
        jokers = (code & _JOKERS_MASK) >> _JOKERS_AT
        more = (code >> FREED_AT) - top
        if more > jokers * by_joker:
            by_joker = -(-more // jokers)
    for code in codes:
        jokers = (code & _JOKERS_MASK) >> _JOKERS_AT
        more = (code >> FREED_AT) - top - jokers * by_joker + (code & DEAREST_MASK)
        if more > gain:  # noqa: PLR1730 - faster
            gain = more
    return top, by_joker, gain


def _raise_dearest(runs_by_code: _RunsByCode, points: int) -> _RunsByCode:
    """Return these plans with one more loose card, which has this many points.

    A code names the points of the most expensive loose card, so it changes if the new card has more.
    """
    return {
        code if code & DEAREST_MASK >= points else code - (code & DEAREST_MASK) + points: runs
        for code, runs in runs_by_code.items()
    }


def _leave_loose(plans: SuitPlans, loose: int) -> SuitPlans:
    """Return a suit's plans with the cards `loose` added, which every plan leaves loose."""
    points = find_dearest_in_suit(loose)
    codes, top, by_joker, gain, _, runs = plans
    return codes, top, by_joker, max(gain, points), points, runs


def find_dearest_in_suit(suit: int) -> int:
    """Return the most points that any one of the cards in `suit` has, or 0 without cards.

    The ace is tried first: it is in the lowest digit, but no card has more points.
    """
    return RANK_POINTS[1 if suit & DIGIT_MASK else (suit.bit_length() - 1) // DIGIT + 1]


@lru_cache(maxsize=12)  # at most 24 MB; hands with more than five jokers are rare
def get_suit_table(jokers: int, discards: bool) -> SuitTable:  # noqa: FBT001 - cache key
    return SuitTable(jokers, discards=discards)


def _list_choices(numbers: Sequence[int], jokers: int) -> list[tuple[int, int, int, int]]:
    """Return the runs with these numbers (indices in `RUNS`) that need at most `jokers` jokers.

    Each is a tuple of the run's number, its cards, its part of a code, and a mask. A run is used only if the ranks of
    the suit that lie under the mask are exactly the ranks of the run.
    """
    choices = []
    for number in numbers:
        run = RUNS[number]
        if run.jokers <= jokers:
            state = _IMPURE if run.jokers else PURE
            code = (run.points << FREED_AT) + state + (run.jokers << _JOKERS_AT)
            # A single joker takes no place of a card that is there: with the card, this sequence is pure, and a
            # sequence that lacks the card is impure instead.
            choices.append((number, run.cards, code, run.span if run.jokers == 1 else run.cards))
    return choices


def _window(place: int) -> int:
    """Return a number with a one in the digit of each rank that a run beginning with one rank may contain.

    `place` is the index of the first rank, 0 for the ace.
    """
    window = 0
    for number in RUNS_FROM[place]:
        window |= RUNS[number].cards
    return window


_WINDOWS: Final = tuple(map(_window, range(len(RUNS_FROM))))
