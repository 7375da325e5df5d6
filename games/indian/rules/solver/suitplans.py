"""The points that the cards of one suit free in sequences, computed once for each combination."""

from functools import lru_cache
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
_ENOUGH: Final = (8 << _SEQUENCES_AT) + (8 << _PURE_AT)
# For a sum that includes a first code, `code & CHECKED == VALID` means two sequences, one of them pure, and
# no more jokers than allowed.
CHECKED: Final = _ENOUGH + TOO_MANY_JOKERS
VALID: Final = _ENOUGH
_MOST_JOKERS: Final = 14
# So few jokers make a run of one card without neighbours at most.
_FEW_JOKERS: Final = 3
# By the number of jokers: how far apart two cards of a run may be beyond one joker, in bits.
_APART: Final = ((), (), (3 * DIGIT,), (3 * DIGIT, 4 * DIGIT))
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

    `top` is the most freed without jokers, and each joker adds at most `by_joker`. `lone` is the most
    that a pure sequence by itself frees, nothing if there is none. A discard adds at most `gain` to
    `top` and what the jokers add, and in any plan at most `dearest`. `floor` is the count of the most
    expensive card that no plan lays. `runs` are those of each code, as places in RUNS.
    """

    codes: tuple[int, ...]
    top: int
    by_joker: int
    lone: int
    gain: int
    dearest: int
    floor: int
    runs: tuple[tuple[int, ...], ...]


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
        self._most_jokers = jokers << _JOKERS_AT
        # So many ranks at most are missing between two neighbours in a run.
        self._apart = min(jokers, _FEW_JOKERS)
        self._known: dict[int, _Ways] = {0: _NO_CARDS}
        self._older: dict[int, _Ways] = {}
        # By the cards around the lowest one: index in RUNS, cards and code.
        self._runs: dict[int, list[tuple[int, int, int]]] = {}

    def list_ways(self, suit: int) -> _Ways:
        """Return the codes of a suit's plans, those that free most first, and the runs of each."""
        ways = self._known.get(suit)
        if ways is not None:
            return ways
        ways = self._older.get(suit)
        if ways is None:
            kept = self.find_useful(suit)
            ways = self._compute(suit) if kept == suit else self._leave_loose(kept, suit - kept)
        return self._keep(suit, ways)

    def list_useful_ways(self, kept: int) -> _Ways:
        """Return what `list_ways` does for a suit of useful cards only."""
        ways = self._known.get(kept)
        if ways is not None:
            return ways
        return self._keep(kept, self._older.get(kept) or self._compute(kept))

    def _keep(self, suit: int, ways: _Ways) -> _Ways:
        if len(self._known) >= _MOST_SUITS:
            self._older, self._known = self._known, {0: _NO_CARDS}
        self._known[suit] = ways
        return ways

    def _compute(self, suit: int) -> _Ways:
        """Lay the lowest card in every run that it begins, or leave it loose. The ace comes last.

        Aces fit both ends. With them first there would be more remainders to compute.
        """
        there = find_present(suit)
        part = self._find_part(suit, there)
        if part != suit:
            return self._join(part, suit - part)
        above_ace = suit >> DIGIT << DIGIT or suit
        place = (above_ace & -above_ace).bit_length() - 1 >> 2
        known = self._known.get
        rest = suit - (1 << DIGIT * place)
        codes, runs_of_codes = known(rest) or self.list_ways(rest)
        if self.discards:
            codes = _raise_dearest(codes, RANK_POINTS[place + 1])
        runs_by_code = dict(zip(codes, runs_of_codes, strict=True))
        most_jokers = self._most_jokers
        for run, cards, run_code in self._list_runs_from(place, there):
            rest = suit - cards
            codes, runs_of_codes = known(rest) or self.list_ways(rest)
            for others, runs in zip(codes, runs_of_codes, strict=True):
                code = others + run_code
                if code not in runs_by_code and code & _JOKERS_MASK <= most_jokers:
                    runs_by_code[code] = (run, *runs)
        return self._drop_dominated(runs_by_code)

    def _find_part(self, suit: int, there: int) -> int:
        """Return cards that share no run with the others, or all of them."""
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

    def _join(self, part: int, rest: int) -> _Ways:
        """Return the plans of cards that share no run: each of the part with each of the rest."""
        codes_of_rest, runs_of_rest = self.list_ways(rest)
        most_jokers = self._most_jokers
        runs_by_code: dict[int, tuple[int, ...]] = {}
        for code, runs in zip(*self.list_ways(part), strict=True):
            dearest = code & DEAREST_MASK
            for other, other_runs in zip(codes_of_rest, runs_of_rest, strict=True):
                both = code + other - min(dearest, other & DEAREST_MASK)
                if both not in runs_by_code and both & _JOKERS_MASK <= most_jokers:
                    runs_by_code[both] = runs + other_runs
        return self._drop_dominated(runs_by_code)

    def _drop_dominated(self, runs_by_code: dict[int, tuple[int, ...]]) -> _Ways:
        """Return the plans that no other dominates, those that free most first."""
        discards = self.discards
        kept: list[int] = []
        merits: list[int] = []
        for code in sorted(runs_by_code, reverse=True):
            merit = _MERITS[code >> _JOKERS_AT & _MERIT_MASK]
            if discards:
                merit += (code >> FREED_AT) + (code & DEAREST_MASK) << 12
            for better in merits:
                if better - merit & _KEPT == _KEPT:
                    break
            else:
                kept.append(code)
                merits.append(merit + _KEPT)
        return tuple(kept), tuple([runs_by_code[code] for code in kept])

    def find_useful(self, suit: int) -> int:
        """Return the cards without those that no better plan lays in a run."""
        if self.jokers > _FEW_JOKERS:
            return suit
        there = find_present(suit)
        there |= (there & ACE) << _ACE_HIGH_AT
        if self.jokers == 0:
            runs = there & there >> DIGIT & there >> 2 * DIGIT
            useful = runs | runs << DIGIT | runs << 2 * DIGIT
        else:
            pairs, apart = there & there >> DIGIT, there & there >> 2 * DIGIT
            useful = pairs | pairs << DIGIT | apart | apart << 2 * DIGIT
            if self.jokers > 1:
                for shift in _APART[self.jokers]:
                    pairs = there & there >> shift
                    useful |= pairs | pairs << shift
                # Two jokers make a run of a card without neighbours. Only one such run is possible, best of the
                # most expensive card.
                alone = there & ~useful & ~(useful >> _ACE_HIGH_AT) & ONES
                useful |= alone & ACE or 1 << alone.bit_length() >> 1
        return suit & (useful | useful >> _ACE_HIGH_AT) * DIGIT_MASK

    def _leave_loose(self, kept: int, loose: int) -> _Ways:
        """Return the ways to lay some cards beside others that are in no run."""
        codes, runs = self.list_ways(kept)
        if not self.discards:
            return codes, runs
        return _raise_dearest(codes, find_dearest_in_suit(loose)), runs

    def _list_runs_from(self, place: int, there: int) -> list[tuple[int, int, int]]:
        """Return the runs that begin with this card."""
        there &= _WINDOWS[place]
        plans = self._runs.get(there)
        if plans is None:
            plans = self._runs[there] = [
                (number, RUNS[number].cards, _code(RUNS[number]))
                for number in RUNS_FROM[place]
                if RUNS[number].cards & there == RUNS[number].cards
                # A single joker takes no place of a card that is there: with the card, this sequence is pure, and a
                # sequence that lacks the card is impure instead.
                and (RUNS[number].jokers != 1 or RUNS[number].span & there == RUNS[number].cards)
                and RUNS[number].jokers <= self.jokers
            ]
        return plans


def _raise_dearest(codes: tuple[int, ...], points: int) -> tuple[int, ...]:
    """Return the codes beside a loose card that counts so much."""
    return tuple(
        [
            code if code & DEAREST_MASK >= points else code - (code & DEAREST_MASK) + points
            for code in codes
        ]
    )


def find_dearest_in_suit(suit: int) -> int:
    """Return the highest count among the cards of a suit. No card counts more than an ace."""
    return RANK_POINTS[1 if suit & DIGIT_MASK else (suit.bit_length() - 1) // DIGIT + 1]


class SuitTable(dict[int, SuitPlans]):
    """The plans of each suit for one number of jokers."""

    def __init__(self, jokers: int, ways: SuitWays) -> None:
        self._jokers = jokers
        self.ways = ways
        self._older: dict[int, SuitPlans] = {}

    def __missing__(self, suit: int) -> SuitPlans:
        plans = self._older.get(suit)
        if plans is None:
            kept = self.ways.find_useful(suit)
            if kept == suit:
                plans = self._compute(suit)
            else:
                plans = self[kept]
                if self.ways.discards:
                    plans = _leave_dearest(plans, find_dearest_in_suit(suit - kept))
        if len(self) >= _MOST_SUITS:
            self._older = dict(self)
            self.clear()
        self[suit] = plans
        return plans

    def _compute(self, suit: int) -> SuitPlans:
        codes, runs = self._list_ways(suit)
        # The most freed, by the number of jokers.
        most = [0] * (self._jokers + 1)
        for code in codes:
            jokers = (code & _JOKERS_MASK) >> _JOKERS_AT
            freed = code >> FREED_AT
            if freed > most[jokers]:  # noqa: PLR1730 - faster
                most[jokers] = freed
        top = most[0]
        by_joker = 0
        for jokers, freed in enumerate(most):
            if freed > top + jokers * by_joker:
                by_joker = -((top - freed) // jokers)
        lone = max([run.points for run in list_pure_runs(suit)]) if top else 0
        gain = dearest = 0
        if self.ways.discards:
            for code in codes:
                card = code & DEAREST_MASK
                jokers = (code & _JOKERS_MASK) >> _JOKERS_AT
                gain = max(gain, (code >> FREED_AT) + card - top - jokers * by_joker)
                dearest = max(dearest, card)
        return SuitPlans(codes, top, by_joker, lone, gain, dearest, 0, runs)

    def _list_ways(self, suit: int) -> _Ways:
        """Return the ways of this number of jokers."""
        ways = self.ways.list_useful_ways(suit)
        if self._jokers == self.ways.jokers:
            return ways
        most = self._jokers << _JOKERS_AT
        codes, runs = zip(
            *[way for way in zip(*ways, strict=True) if way[0] & _JOKERS_MASK <= most], strict=True
        )
        return codes, runs


def _leave_dearest(plans: SuitPlans, points: int) -> SuitPlans:
    """Return the plans of a suit beside a loose card that counts so much and is in none of them."""
    codes, top, by_joker, lone, gain, dearest, _, runs = plans
    return SuitPlans(
        codes, top, by_joker, lone, max(gain, points), max(dearest, points), points, runs
    )


@lru_cache(maxsize=12)  # at most 24 MB; hands with more than five jokers are rare
def get_suit_table(jokers: int, discards: bool) -> SuitTable:  # noqa: FBT001 - cache key
    most = min(most for most in _JOKERS_OF_CLASSES if jokers <= most)
    if jokers < most:
        return SuitTable(jokers, get_suit_table(most, discards).ways)
    return SuitTable(jokers, SuitWays(jokers, discards=discards))


# A merit has a field for each advantage of a plan: points freed with a discard of its own, jokers left, and
# pure sequences and sequences as far as required. Above each field is a bit that stays set in a better plan
# when the other's merit is subtracted.
_KEPT: Final = (1 << 23) + (1 << 11) + (1 << 5) + (1 << 2)
_MERIT_MASK: Final = (1 << FREED_AT - _JOKERS_AT) - 1


class _Merits(dict[int, int]):
    """The jokers and sequences of merits, by their fields in a code."""

    def __missing__(self, fields: int) -> int:
        code = fields << _JOKERS_AT
        saved = _MOST_JOKERS - ((code & _JOKERS_MASK) >> _JOKERS_AT)
        pure, sequences = code >> _PURE_AT, code >> _SEQUENCES_AT & 15
        self[fields] = merit = (saved << 6) + (min(1, pure) << 3) + min(2, sequences)
        return merit


_MERITS: Final = _Merits()


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
