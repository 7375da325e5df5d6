"""The search behind `arrangement`: the melds that free the most points of a hand.

Melds free the points of their cards: these are not counted (R6.3). A plan is one way to lay cards in melds: the cards
of one suit in sequences (`suitplans`), or the cards of one rank in sets (`setplans`). The search lays sets, rank by
rank, and joins plans of the four suits for the remaining cards. It skips every branch that cannot free more points than
the best result so far.

The loops are written for speed: they index tuples instead of using named fields.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from games.cards import RANKS
from games.indian.rules.melds import MIN_MELD
from games.indian.rules.ruleset import RuleSet
from games.indian.rules.solver.setplans import (
    RankTable,
    SetPlan,
    count_needed,
    get_rank_table,
)
from games.indian.rules.solver.suitplans import (
    CHECKED,
    DEAREST_MASK,
    FIRST_CODES,
    FREED_AT,
    PURE,
    TOO_MANY_JOKERS,
    VALID,
    SuitPlans,
    SuitTable,
    get_suit_table,
)
from games.indian.rules.solver.suitruns import (
    DIGIT,
    RANK_POINTS,
    RUNS,
    SUIT_BITS,
    SUIT_MASK,
    SuitRun,
    list_pure_runs,
)
from games.indian.rules.solver.tally import (
    ALL_WILDS,
    LANES,
    RANK_MASK,
    SUIT_INDICES,
    Suits,
    find_dearest,
    find_sequences,
    find_shared_ranks,
    jokers_of,
    points_of,
    ranks_of,
    shift_to_lane,
    suits_of,
    wilds_of,
)

# Faces of the natural cards of a meld, and how many jokers it needs.
MeldFaces = tuple[tuple[int, ...], int]

# The start of a search: the cards of a hand, perhaps without a pure sequence in which a wild card stands for
# itself. It has their tally and ranks, jokers, the points freed, and that sequence. In all other melds a wild card
# is no better than a joker. A plain tuple, because every hand makes one.
Start = tuple[int, int, int, int, tuple[MeldFaces, ...]]


def list_starts(tally: int, wild: int | None) -> list[Start]:
    """Return the states (`Start`) from which the search starts, or an empty list if the hand has no pure sequence.

    `tally` is the whole hand. It is a start itself if it has a pure sequence without wild cards. Each pure sequence in
    which a wild card stands for itself makes another start: the rest of the hand, with this sequence already laid.
    """
    ranks = ranks_of(tally)
    runs = find_sequences(ranks)
    beginnings: list[Start] = [(tally, ranks, jokers_of(tally), 0, ())] if runs else []
    if wild is not None and tally & ALL_WILDS:
        made = find_sequences(ranks | wilds_of(tally, wild)) ^ runs
        if made:
            beginnings.extend(_with_wild(tally, made, wild))
    return beginnings


def _with_wild(tally: int, made: int, wild: int) -> Iterator[Start]:
    """Yield a start for each pure sequence in which a wild card stands for itself.

    `made` is nonzero in the lane of each suit that has such a sequence.
    """
    digit = 1 << DIGIT * (wild - 1)
    for suit in SUIT_INDICES:
        if made >> LANES[suit] & SUIT_MASK:
            for run in list_pure_runs(tally >> LANES[suit] & SUIT_MASK | digit):
                if run.cards & digit:
                    rest = tally - shift_to_lane(run.cards ^ digit, suit)
                    freed = run.points - RANK_POINTS[wild]
                    jokers = jokers_of(tally) - 1
                    yield rest, ranks_of(rest), jokers, freed, (_faces(run, suit),)


def find_lone_pure(begin: Sequence[Start], *, discards: bool) -> tuple[int, tuple[MeldFaces, ...]]:
    """Return the most points that a pure sequence frees if it is the only meld, and a tuple of just this sequence.

    `begin` are the starts from `list_starts`, at least one. With `discards`, the points of the highest card outside the
    sequence are added, because it is discarded.
    """
    return max(
        (
            (freed + find_dearest(rest) if discards else freed, pure)
            for start in begin
            for freed, rest, pure in _list_lone(start)
        ),
        key=lambda choice: choice[0],
    )


def _list_lone(start: Start) -> Iterator[tuple[int, int, tuple[MeldFaces, ...]]]:
    tally, ranks, _, freed, pure = start
    if pure:
        yield freed, tally, pure
        return
    made = find_sequences(ranks)
    for suit in SUIT_INDICES:
        if made >> LANES[suit] & SUIT_MASK:
            for run in list_pure_runs(tally >> LANES[suit] & SUIT_MASK):
                yield run.points, tally - shift_to_lane(run.cards, suit), (_faces(run, suit),)


def _faces(run: SuitRun, suit: int) -> MeldFaces:
    return run.faces[suit], run.jokers


Melds = tuple[MeldFaces, ...]
_Tables = tuple[SuitPlans, SuitPlans, SuitPlans, SuitPlans]
_Codes = tuple[int, int, int, int]

# Sets of a rank: the place of its cards in a suit.
_Sets = tuple[tuple[int, SetPlan], ...]

# A search state: the next rank, cards left with their plans, jokers left, points freed, sets.
_Node = tuple[int, Suits, _Tables, int, int, _Sets]

# The points that a card frees, by its place in a suit.
_COUNTS: Final = {DIGIT * (rank - 1): RANK_POINTS[rank] for rank in range(1, 14)}

# Points of the most expensive card: the most that a discard saves.
_DEAREST: Final = 10
NOTHING_FOUND: Final = -1


class MeldSearch:
    """A depth-first search for the melds that free the most points: at least two sequences, one of them pure, and sets.

    `best` is the most points freed so far, or `NOTHING_FOUND`. With `discards`, the loose card with the most points is
    discarded, and its points are counted as freed.
    """

    __slots__ = (
        "_base",
        "_bonus",
        "_discards",
        "_found",
        "_goal",
        "_max_set_size",
        "_pure",
        "_ranks",
        "_table",
        "best",
        "most_by_lone",
    )

    # The best result so far: the pure sequence of its start, the plans of the suits, the plans chosen, and the sets.
    _found: tuple[Melds, _Tables, _Codes, _Sets]
    # The pure sequence of the start being searched.
    _pure: Melds
    _base: int
    _table: SuitTable
    # The sets of each rank, the points of a card, its place in a suit, and the most that the sets free; then the
    # most that later ranks free without jokers, and the most that a joker adds to that.
    _ranks: list[tuple[tuple[SetPlan, ...], int, int, int, int, int]]

    def __init__(self, goal: int, max_set_size: int | None, *, discards: bool) -> None:
        # The most freed with two sequences.
        self.best = NOTHING_FOUND
        # An upper bound of the points that a single pure sequence frees.
        self.most_by_lone = 0
        # The points of all cards: the search stops when it has freed them.
        self._goal = goal
        self._discards = discards
        self._bonus = _DEAREST if discards else 0
        self._max_set_size = max_set_size

    def run(self, start: Start) -> None:
        tally, ranks, jokers, freed, pure = start
        self._pure = pure
        self._base = PURE if pure else 0
        self._table = table = get_suit_table(jokers, self._discards)
        a, b, c, d = suits = suits_of(tally)
        ta, tb, tc, td = tables = table[a], table[b], table[c], table[d]
        lone = freed or max(ta[1], tb[1], tc[1], td[1])
        self.most_by_lone = max(self.most_by_lone, lone + self._bonus)
        self._lay_runs(tables, jokers, freed, ())
        # If there are no two sequences without any sets, there are none beside sets either.
        if NOTHING_FOUND < self.best < self._goal:
            shared = find_shared_ranks(ranks, jokers)
            if shared:
                self._list_ranks(tally, shared, get_rank_table(jokers, self._max_set_size))
                bound = freed + ta[1] + tb[1] + tc[1] + td[1]
                if self._discards:
                    bound += max(ta[3], tb[3], tc[3], td[3])
                by_joker = max(ta[2], tb[2], tc[2], td[2])
                self._lay_sets((0, suits, tables, jokers, freed, ()), bound, by_joker)

    def _list_ranks(self, tally: int, shared: int, table: RankTable) -> None:
        """Fill `_ranks` with the ranks that may have sets, those with the most points first.

        `shared` has a bit set in the digit of each of these ranks, as `find_shared_ranks` returns it.
        """
        self._ranks = ranks = []
        plain = by_joker = 0
        while shared:
            place = (shared & -shared).bit_length() - DIGIT
            shared &= shared - 1
            most_cards, plain_cards, plans = table[tally >> place & RANK_MASK]
            if place == SUIT_BITS:
                place = 0
            worth = _COUNTS[place]
            most = most_cards * worth
            more_plain = plain_cards * worth
            ranks.append((plans, worth, place, most, plain, by_joker))
            plain += more_plain
            if most - more_plain > by_joker:  # noqa: PLR1730 - faster
                by_joker = most - more_plain
        ranks.reverse()

    def _lay_sets(  # noqa: C901, PLR0915 - one loop, for speed
        self, node: _Node, bound: int, by_joker: int
    ) -> None:
        """Try to lay sets of further ranks in every way that may beat the best result so far.

        `node` is the state of the search (`_Node`), with the first rank to try. `bound` is the most points that the
        node can free without further sets and without jokers in sequences. `by_joker` is the most points that each
        joker adds to `bound` if it is used in a sequence.
        """
        index, (a, b, c, d), (pa, pb, pc, pd), most_jokers, freed, sets = node
        table, discards, needs_pure = self._table, self._discards, not self._pure
        best, goal = self.best, self._goal
        for plans, value, place, most, plain, by_joker_in_sets in self._ranks[index:]:
            index += 1
            worth = max(by_joker, by_joker_in_sets)
            if bound + most + plain + most_jokers * worth <= best:
                continue
            for plan in plans:
                cards, needed, of_a, of_b, of_c, of_d, _ = plan
                jokers = most_jokers - needed
                points = cards * value
                if jokers < 0 or bound + points + plain + jokers * worth <= best:
                    continue
                la, lb, lc, ld = left = (
                    a - (of_a << place),
                    b - (of_b << place),
                    c - (of_c << place),
                    d - (of_d << place),
                )
                # Without a pure sequence before, a suit has none now, and is not looked up for it.
                if needs_pure and not (
                    (pa[1] and table[la][1])
                    or (pb[1] and table[lb][1])
                    or (pc[1] and table[lc][1])
                    or (pd[1] and table[ld][1])
                ):
                    continue
                ta, tb, tc, td = tables = table[la], table[lb], table[lc], table[ld]
                at_most = freed + points + ta[1] + tb[1] + tc[1] + td[1]
                if discards:
                    at_most += max(ta[3], tb[3], tc[3], td[3])
                by_joker_left = 0
                later = plain
                if jokers:
                    by_joker_left = max(ta[2], tb[2], tc[2], td[2])
                    later += jokers * max(by_joker_left, by_joker_in_sets)
                if at_most + jokers * by_joker_left > best:
                    self._lay_runs(tables, jokers, freed + points, (*sets, (place, plan)))
                    best = self.best
                    if best >= goal:
                        return
                if later and at_most + later > best:
                    child = index, left, tables, jokers, freed + points, (*sets, (place, plan))
                    self._lay_sets(child, at_most, by_joker_left)
                    best = self.best
                    if best >= goal:
                        return

    def _lay_runs(  # noqa: C901, PLR0912, PLR0915 - four loops, unrolled for speed
        self, tables: _Tables, jokers: int, freed: int, sets: _Sets
    ) -> None:
        ta, tb, tc, td = tables
        first, second, third, fourth = ta[0], tb[0], tc[0], td[0]
        discards = self._discards
        # What is freed beside the points of the codes, at most.
        beside = freed + self._bonus
        floor = max(ta[4], tb[4], tc[4], td[4]) if discards else 0
        wanted = self.best + 1 - beside << FREED_AT
        base = FIRST_CODES[jokers] + self._base
        most_d = fourth[0]
        most_cd = most_d + third[0]
        most_bcd = most_cd + second[0]
        for a in first:
            code_a = base + a
            if code_a + most_bcd < wanted:
                break
            for b in second:
                code_b = code_a + b
                if code_b + most_cd < wanted:
                    break
                if code_b & TOO_MANY_JOKERS:
                    continue
                for c in third:
                    code_c = code_b + c
                    if code_c + most_d < wanted:
                        break
                    if code_c & TOO_MANY_JOKERS:
                        continue
                    for d in fourth:
                        code = code_c + d
                        if code < wanted:
                            break
                        if code & CHECKED == VALID:
                            now = freed + (code >> FREED_AT)
                            if discards:
                                now += max(
                                    a & DEAREST_MASK,
                                    b & DEAREST_MASK,
                                    c & DEAREST_MASK,
                                    d & DEAREST_MASK,
                                    floor,
                                )
                            if now > self.best:
                                self.best = now
                                self._found = self._pure, tables, (a, b, c, d), sets
                                if now >= self._goal:
                                    return
                                wanted = now + 1 - beside << FREED_AT

    def melds(self) -> Melds:
        """Return the melds of the best result: pure sequences first, then other sequences, then sets.

        Each is a pair: the faces of the cards that stand for themselves, and the number of jokers that the meld needs.
        """
        first, tables, codes, sets = self._found
        pure = list(first)
        impure: list[MeldFaces] = []
        for suit in SUIT_INDICES:
            code = codes[suit]
            if code >> FREED_AT:
                plans = tables[suit]
                for number in plans[5][code]:
                    _, _, jokers, _, faces = RUNS[number]
                    if jokers:
                        impure.append((faces[suit], jokers))
                    else:
                        pure.append((faces[suit], 0))
        for place, plan in sets:
            rank = place // DIGIT
            for of_set in plan.sets:
                set_faces = tuple([suit * len(RANKS) + rank for suit in of_set])
                impure.append((set_faces, count_needed(of_set)))
        return (*pure, *impure)


# The most that melds free, including a discard; these melds, a pure sequence first; whether the second is a
# sequence, too.
Best = tuple[int, Melds, bool]


def find_best_melds(tally: int, wild: int | None, rules: RuleSet, *, discards: bool) -> Best | None:
    """Return the most points that melds free, these melds, and whether they include two sequences.

    The result is None if no meld frees any card, for instance without a pure sequence (R6.3). `tally` is the whole
    hand. With `discards`, one card outside the melds is discarded, and the points freed include its points.
    """
    begin = list_starts(tally, wild)
    if not begin:
        return None
    goal = points_of(tally)
    search = MeldSearch(goal, rules.max_set_size, discards=discards)
    for start in begin:
        search.run(start)
        if search.best >= goal:
            break
    # A lone pure sequence may be best if the rules free it, or if a meld of jokers can be the second one (R2.6).
    may_be_lone = rules.lone_pure_sequence == "free" or (
        rules.joker_only_melds == "sequence" and jokers_of(tally) >= MIN_MELD
    )
    if may_be_lone and search.best < search.most_by_lone:
        freed, pure = find_lone_pure(begin, discards=discards)
        if freed > search.best:
            return freed, pure, False
    if search.best == NOTHING_FOUND:
        return None
    return search.best, search.melds(), True
