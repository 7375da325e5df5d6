"""How many cards a hand lacks for a contract, and the melds of a hand that lacks none. The result is exact.

Every choice of runs is tried with the ranks for the sets with which the hand lacks the fewest cards. Cards that stand
for themselves are placed first. Jokers fill the rest, as far as a meld may contain them (C4). In a run, the rank of an
ace above the king is 14.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations, combinations_with_replacement, pairwise, product
from typing import Final, NamedTuple

from games.cards import FACE_RANK, NO_RANK, NO_SUIT, PRINTED_JOKER, Card
from games.contract.rules.deal import Deal, Player
from games.contract.rules.melds import LaidMeld
from games.contract.rules.ruleset import RUN, SET, Contract, ContractRules
from games.engine.laid import HIGH_ACE, LOW_ACE, face_at

_RANKS: Final = 13


class RunSlot(NamedTuple):
    """A possible run: its suit, the rank of its first card, and its number of cards."""

    suit: int
    start: int
    size: int

    @property
    def faces(self) -> tuple[int, ...]:
        return _list_faces(self)


@lru_cache(maxsize=1 << 10)  # at most 1 MB
def _list_faces(run: RunSlot) -> tuple[int, ...]:
    return tuple(face_at(run.suit, run.start + step) for step in range(run.size))


class Layout(NamedTuple):
    """A plan for the contract: its runs, and the ranks of its sets.

    `used` is how many cards of the hand the plan uses; the best layout uses the most. `left_to_sets` are faces whose
    card is used in a set although it also fits a run.
    """

    used: int
    runs: tuple[RunSlot, ...]
    ranks: tuple[int, ...]
    left_to_sets: frozenset[int] = frozenset()


class Missing(NamedTuple):
    """The number of missing cards, and the `melds` of the contract if no card is missing.

    `used` are the cards that stand for themselves in the layout that lacks the fewest cards.
    """

    lacking: int
    melds: tuple[LaidMeld, ...] | None
    used: frozenset[Card]


def find_missing_for(deal: Deal, rules: ContractRules, player: Player) -> Missing:
    """Return what this player's hand lacks for the contract of the deal.

    A contract that takes the whole hand also takes the card still to be drawn (C4).
    """
    hand = player.hand
    if not deal.is_whole:
        return find_missing(hand, deal.contract, rules)
    has_drawn = deal.at_turn.seat == player.seat and deal.drawn is not None
    return find_missing_of_whole(hand, len(deal.contract), len(hand) + (not has_drawn), rules)


def find_melds_for(deal: Deal, rules: ContractRules, player: Player) -> tuple[LaidMeld, ...] | None:
    """Return melds of this player's hand that meet the contract of the deal, or None."""
    if deal.is_whole:
        may_lay = may_be_whole(player.hand, len(deal.contract), rules)
    else:
        may_lay = may_meet(player.hand, deal.contract, rules)
    if not may_lay:
        return None
    return find_missing_for(deal, rules, player).melds


def may_be_whole(hand: Sequence[Card], runs: int, rules: ContractRules) -> bool:
    """Return, by a quick test, whether this many runs might take this whole hand (C4). Only False is certain.

    Each suit needs a run of its own, and runs of one suit contain no card twice (C5), except for an ace.
    """
    natural = [card for card in hand if not rules.is_wild(card)]
    twice = len(natural) - len({card.face for card in natural})
    aces = [card.face for card in natural if card.rank == 1]
    return len({card.suit for card in natural}) <= runs and twice <= len(aces) - len({*aces})


def may_meet(hand: Sequence[Card], contract: Contract, rules: ContractRules) -> bool:
    """Return, by a quick test, whether the hand might meet the contract (C4). Only False is certain.

    The test adds up the most cards of one rank for each set, and the most cards that any run can use for each run.
    """
    sets, runs = contract.count(SET), contract.count(RUN)
    of_rank = Counter([card.rank for card in hand])
    wild = of_rank.pop(NO_RANK, 0) + (of_rank[2] if rules.deuces_wild else 0)
    in_sets = sum(min(count, sets * rules.min_set) for _, count in of_rank.most_common(sets))
    in_runs = runs * _count_most_in_place(hand, rules.min_run) if runs else 0
    return wild + in_sets + in_runs >= sets * rules.min_set + runs * rules.min_run


def _count_most_in_place(hand: Sequence[Card], size: int) -> int:
    """Return the most faces of the hand that one run of this size can use."""
    of_suit = [0] * (NO_SUIT + 1)  # the ranks as bits
    for card in hand:
        of_suit[card.suit] |= 1 << card.rank
    place = (1 << size) - 1
    return max(
        ((held | (held >> LOW_ACE & 1) << HIGH_ACE) >> start & place).bit_count()
        for held in of_suit[:NO_SUIT]
        for start in range(LOW_ACE, HIGH_ACE - size + 2)
    )


def find_missing(hand: Sequence[Card], contract: Contract, rules: ContractRules) -> Missing:
    """Return what the hand lacks for the contract if each meld has as few cards as the rules allow."""
    return _find_missing(tuple(sorted(hand)), contract, _share_rules(rules))


def find_missing_of_whole(
    hand: Sequence[Card], runs: int, size: int, rules: ContractRules
) -> Missing:
    """Return what the hand lacks for this number of runs that take a whole hand of `size` cards (C4)."""
    return _find_missing_of_whole(tuple(sorted(hand)), runs, size, _share_rules(rules))


@lru_cache(maxsize=64)  # at most 1 MB
def _share_rules(rules: ContractRules) -> ContractRules:
    """Return one and the same object for all equal rules.

    Each loaded state has a rules object of its own, which the caches here would otherwise keep alive.
    """
    return rules


@lru_cache(maxsize=1 << 12)  # at most 8 MB
def _find_missing(hand: tuple[Card, ...], contract: Contract, rules: ContractRules) -> Missing:
    held = _Held(hand, rules)
    sets, runs = contract.count(SET), contract.count(RUN)
    needed = sets * rules.min_set + runs * rules.min_run
    best: Layout | None = None
    others = held.count_most_in_sets(sets) + held.jokers + held.deuces

    def count_least() -> int:
        """Return how many cards the runs must use so that a layout can use more cards than the best one so far."""
        return 0 if best is None else best.used - others + 1

    all_places = _run_places(held, runs, rules.min_run, count_least)
    for layout in chain.from_iterable(held.list_layouts(places, sets) for places in all_places):
        if best is None or layout.used > best.used:
            best = layout
            if best.used == needed:
                break
    if best is None:  # pragma: no cover - there is room for three runs in four suits
        raise AssertionError("no layout")
    lacking = needed - best.used
    return held.make_missing(best, lacking, is_complete=not lacking)


@lru_cache(maxsize=1 << 12)  # at most 8 MB
def _find_missing_of_whole(
    hand: tuple[Card, ...], runs: int, size: int, rules: ContractRules
) -> Missing:
    held = _Held(hand, rules)
    best: Layout | None = None
    for places in _find_best_by_suits(held, runs, size):
        layout = held.lay_runs_only(places)
        if best is None or layout.used > best.used:
            best = layout
    if best is None:
        return Missing(size, None, frozenset())
    lacking = size - best.used
    return held.make_missing(best, lacking, is_complete=not lacking and len(hand) == size)


class _Placed(NamedTuple):
    """Runs filled with cards of a hand, the number of jokers that they have room for, and the other cards by rank."""

    runs: tuple[RunSlot, ...]
    left_to_sets: frozenset[int]
    naturals: int
    room: int
    of_rank: Counter[int]


class _Held:
    """A hand as the number of its cards of each face. A wild deuce is counted as a deuce but may be used as a joker."""

    def __init__(self, hand: Sequence[Card], rules: ContractRules) -> None:
        self.rules = rules
        self.hand = hand
        self.of_face = Counter(card.face for card in hand if card.face != PRINTED_JOKER)
        self.of_rank = Counter(
            FACE_RANK[face] for face, count in self.of_face.items() for _ in range(count)
        )
        self.jokers = sum(card.face == PRINTED_JOKER for card in hand)
        self.deuces = self.of_rank[2] if rules.deuces_wild else 0
        # Ranks for sets: the ranks in hand, and one other.
        others = [rank for rank in range(1, _RANKS + 1) if rank not in self.of_rank][:1]
        self.good_ranks = [*self.of_rank, *others]

    def count_held_in(self, run: RunSlot) -> int:
        return sum(face in self.of_face for face in run.faces)

    def list_orders(self, runs: tuple[RunSlot, ...]) -> Iterator[tuple[RunSlot, ...]]:
        """Yield the runs as given and, if two of them compete for an ace, in reverse order.

        The run that comes first gets the ace.
        """
        yield runs
        low = {run.suit for run in runs if run.start == LOW_ACE}
        high = {run.suit for run in runs if run.start + run.size > HIGH_ACE}
        if any(self.of_face[face_at(suit, LOW_ACE)] == 1 for suit in low & high):
            yield runs[::-1]

    def count_most_in_sets(self, sets: int) -> int:
        """Return an upper bound on the cards that stand for themselves in this number of sets."""
        counts = sorted(self.of_rank.values(), reverse=True)
        return sum(min(count, self.rules.min_set * sets) for count in counts[:sets])

    def list_layouts(self, runs: tuple[RunSlot, ...], sets: int) -> Iterator[Layout]:
        """Yield the layouts with these runs and this number of sets that may use the most cards of the hand."""
        placed = self._place_runs(runs, frozenset())
        faces = {face for run in runs for face in run.faces if self.of_face[face]}
        without: dict[frozenset[int], _Placed] = {}
        for ranks in combinations_with_replacement(self.good_ranks, sets):
            layout, has_spare = self._add_sets(placed, ranks)
            yield layout
            if not has_spare:
                continue
            # With jokers to spare it may help to leave a card to a set.
            contested = [face for face in faces if FACE_RANK[face] in ranks]
            for size in range(1, len(contested) + 1):
                for left in map(frozenset, combinations(contested, size)):
                    if left not in without:
                        without[left] = self._place_runs(runs, left)
                    yield self._add_sets(without[left], ranks)[0]

    def lay_runs_only(self, runs: tuple[RunSlot, ...]) -> Layout:
        return self._add_sets(self._place_runs(runs, frozenset()), ())[0]

    def _place_runs(self, runs: tuple[RunSlot, ...], left: frozenset[int]) -> _Placed:
        """Return the runs filled with the cards of the hand that stand for themselves in them.

        Cards with the faces in `left` are left to sets.
        """
        free = dict(self.of_face)
        of_rank = self.of_rank.copy()
        naturals = room = 0
        for run in runs:
            own = 0
            for face in run.faces:
                if face not in left and free.get(face):
                    free[face] -= 1
                    of_rank[FACE_RANK[face]] -= 1
                    own += 1
            naturals += own
            room += min(run.size - own, run.size - self.rules.min_naturals_run)
        return _Placed(runs, left, naturals, room, of_rank)

    def _add_sets(self, placed: _Placed, ranks: tuple[int, ...]) -> tuple[Layout, bool]:
        """Return the layout with sets of these ranks, and whether jokers are left over for which no meld has room."""
        runs, left, naturals, room, of_rank = placed
        least, most_jokers = self.rules.min_set, self.rules.min_set - self.rules.min_naturals_set
        taken: dict[int, int] = {}
        for rank in ranks:
            own = min(of_rank[rank] - taken.get(rank, 0), least)
            taken[rank] = taken.get(rank, 0) + own
            naturals += own
            room += min(least - own, most_jokers)
        over = of_rank[2] - taken.get(2, 0) if self.deuces else 0
        wild = self.jokers + over
        layout = Layout(naturals + min(wild, room), runs, ranks, left)
        return layout, wild > room and bool(ranks)

    def steps_in(self, suit: int) -> int:
        """Return, as bits, the ranks of a suit that the hand has. An ace sets the bits 1 and 14."""
        return sum(
            1 << step for step in range(1, HIGH_ACE + 1) if face_at(suit, step) in self.of_face
        )

    def make_missing(self, layout: Layout, lacking: int, *, is_complete: bool) -> Missing:
        free = list(self.hand)
        melds: list[list[tuple[Card | None, int]]] = [
            [
                (None if face in layout.left_to_sets else _take(free, face), face)
                for face in run.faces
            ]
            for run in layout.runs
        ]
        for rank in layout.ranks:
            cards = [card for card in free if card.rank == rank][: self.rules.min_set]
            free = [card for card in free if card not in cards]
            gaps = [(None, rank - 1)] * (self.rules.min_set - len(cards))
            melds.append([*((card, card.face) for card in cards), *gaps])
        used = frozenset(card for meld in melds for card, _ in meld if card is not None)
        return Missing(lacking, self._fill_gaps(melds, free) if is_complete else None, used)

    def _fill_gaps(
        self, melds: list[list[tuple[Card | None, int]]], free: list[Card]
    ) -> tuple[LaidMeld, ...]:
        """Return the melds with their gaps filled by wild deuces and, after these, by jokers."""
        wild = [card for card in free if self.rules.is_wild(card)]
        wild.sort(key=lambda card: card.face == PRINTED_JOKER)
        return tuple(
            LaidMeld(
                tuple(wild.pop(0) if card is None else card for card, _ in meld),
                tuple(face for _, face in meld),
            )
            for meld in melds
        )


def _take(free: list[Card], face: int) -> Card | None:
    for card in free:
        if card.face == face:
            free.remove(card)
            return card
    return None


def _run_places(
    held: _Held, runs: int, size: int, count_least: Callable[[], int]
) -> Iterator[tuple[RunSlot, ...]]:
    """Yield choices of runs that do not touch (C5) and use at least `count_least()` cards of the hand.

    Choices that begin with fuller runs come first. Runs without any card of the hand are equivalent, so only one is
    tried in each suit that the hand lacks.
    """
    places = [
        RunSlot(suit, start, size) for suit in range(4) for start in range(1, HIGH_ACE - size + 2)
    ]
    filled = [(count, run) for run in places if (count := held.count_held_in(run))]
    suits = {run.suit for _, run in filled}
    filled += [(0, RunSlot(suit, 1, size)) for suit in range(4) if suit not in suits]
    filled.sort(key=lambda place: place[0], reverse=True)

    def choose(
        start: int, chosen: tuple[RunSlot, ...], count: int
    ) -> Iterator[tuple[RunSlot, ...]]:
        left = runs - len(chosen)
        if not left:
            yield from held.list_orders(chosen)
            return
        for number, (own, run) in enumerate(filled[start:], start + 1):
            if count + left * own < count_least():
                return  # the places after it hold no more
            if not any(_touch(run, other) for other in chosen):
                yield from choose(number, (*chosen, run), count + own)

    return choose(0, (), 0)


def _touch(one: RunSlot, other: RunSlot) -> bool:
    if one.suit != other.suit:
        return False
    return one.start <= other.start + other.size and other.start <= one.start + one.size


# Cards of the hand, room for jokers, and minus the deuces that stand for themselves.
_Value = tuple[int, int, int]
# By the number of runs and of their cards: values that no other one beats, each with its runs.
_Options = dict[tuple[int, int], list[tuple[_Value, tuple[RunSlot, ...]]]]


@lru_cache(maxsize=64)  # at most 1 MB
def _list_places_in_suit(runs: int, least: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return every choice of this number of runs in one suit that do not touch (C5).

    Each run is the rank of its first card and its size, at least `least` cards.
    """
    if not runs:
        return ((),)
    one = [
        (start, size)
        for start in range(1, HIGH_ACE + 1)
        for size in range(least, HIGH_ACE - start + 2)
    ]
    found = []
    for chosen in combinations(one, runs):
        ordered = sorted(chosen)
        if all(a + size < b for (a, size), (b, _) in pairwise(ordered)):
            found.append(tuple(ordered))
    return tuple(found)


def _find_best_by_suits(held: _Held, runs: int, size: int) -> Iterator[tuple[RunSlot, ...]]:
    """Yield choices of runs that have `size` cards in all, one of which uses the most cards of the hand.

    Within each suit, a choice is dropped if another one is at least as good in every respect (`_Value`).
    """
    options: _Options = {(0, 0): [((0, 0, 0), ())]}
    for suit in range(4):
        has_one_ace = held.of_face[face_at(suit, 1)] == 1
        of_suit = _of_suit(
            suit, held.steps_in(suit), runs, size, held.rules, has_one_ace=has_one_ace
        )
        merged: _Options = {}
        for (n1, l1), (n2, l2) in product(options, of_suit):
            if n1 + n2 > runs or l1 + l2 > size:
                continue
            for (v1, r1), (v2, r2) in product(options[n1, l1], of_suit[n2, l2]):
                value = (v1[0] + v2[0], v1[1] + v2[1], v1[2] + v2[2])
                _keep(merged.setdefault((n1 + n2, l1 + l2), []), value, (*r1, *r2))
        options = merged
    for _value, places in options.get((runs, size), ()):
        yield places


@lru_cache(maxsize=512)  # at most 7 MB; a hand changes in one or two suits at a time
def _of_suit(
    suit: int, steps: int, runs: int, size: int, rules: ContractRules, *, has_one_ace: bool
) -> _Options:
    found: _Options = {}
    for count in range(runs + 1):
        for ways in _list_places_in_suit(count, rules.min_run):
            cards = sum(length for _, length in ways)
            if cards > size:
                continue
            places = tuple(RunSlot(suit, start, length) for start, length in ways)
            kept = found.setdefault((count, cards), [])
            needs_two = count > 1 and ways[0][0] == 1 and sum(ways[-1]) > HIGH_ACE
            if needs_two and has_one_ace:  # the first run takes it
                for order in (places, places[::-1]):
                    own = [_naturals(run, steps) for run in order]
                    own[-1] -= 1
                    _keep(kept, _value_of(order, own, steps, rules), order)
            else:
                own = [_naturals(run, steps) for run in places]
                _keep(kept, _value_of(places, own, steps, rules), places)
    return found


def _naturals(run: RunSlot, steps: int) -> int:
    return (steps >> run.start & (1 << run.size) - 1).bit_count()


def _value_of(
    runs: tuple[RunSlot, ...], own: Sequence[int], steps: int, rules: ContractRules
) -> _Value:
    """Return the value (`_Value`) of these runs of one suit. `own` is the number of cards of the hand in each run."""
    room = sum(
        min(run.size - cards, run.size - rules.min_naturals_run)
        for run, cards in zip(runs, own, strict=True)
    )
    has_deuce = rules.deuces_wild and steps >> 2 & 1
    deuces = sum(run.start <= 2 < run.start + run.size for run in runs) if has_deuce else 0
    return sum(own), room, -deuces


def _keep(
    best: list[tuple[_Value, tuple[RunSlot, ...]]], value: _Value, places: tuple[RunSlot, ...]
) -> None:
    """Add a value to `best` unless another one is at least as good in every respect. Drop values that it dominates."""
    if any(all(a >= b for a, b in zip(other, value, strict=True)) for other, _ in best):
        return
    best[:] = [
        (other, runs)
        for other, runs in best
        if not all(a >= b for a, b in zip(value, other, strict=True))
    ]
    best.append((value, places))
