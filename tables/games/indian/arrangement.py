"""The least that a hand can count, with the groups that show it; exact for every hand.

Jokers count nothing, so only what they free matters. Those left over lengthen the second
sequence, and three jokers alone are never needed: two of them make a sequence of any card.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from tables.games.cards import (
    FACE_POINTS,
    FACE_RANK,
    FACE_SUIT,
    FACES,
    PRINTED_JOKER,
    RANKS,
    Card,
)
from tables.games.indian.declaration import Groups, judge
from tables.games.indian.jokers import is_joker
from tables.games.indian.melds import MIN_MELD, meld_kind
from tables.games.indian.meldsearch import Found, MeldSearch, SuitRun, dearest, lone_pure, starts
from tables.games.indian.rulesets import RuleSet
from tables.games.indian.scoring import hand_points
from tables.games.indian.setplans import SUIT_INDICES
from tables.games.indian.suitplans import DIGIT, SUIT_BITS
from tables.games.indian.trial import best_laying

_SUIT_MASK: Final = (1 << SUIT_BITS) - 1
_JOKERS_AT: Final = 4 * SUIT_BITS
_WILDS_AT: Final = _JOKERS_AT + 8
_POINTS_AT: Final = _WILDS_AT + 4 * DIGIT
# Enough copies of every card for any hand, however many packs it comes from.
_COPIES: Final = 14
_CARD_POINTS: Final = FACE_POINTS * _COPIES
_FACE_OF: Final = tuple(range(FACES)) * _COPIES
# Stands for the face of a card that lies in a meld.
_LAID: Final = -1

# Faces of the natural cards of a meld, and how many jokers it needs.
MeldFaces = tuple[tuple[int, ...], int]


class Arrangement(NamedTuple):
    """The groups are melds; `loose` is the rest of the hand, `discard` apart."""

    points: int
    groups: Groups
    loose: tuple[Card, ...]
    declarable: bool
    discard: Card | None = None

    @property
    def all_groups(self) -> Groups:
        return (*self.groups, self.loose) if self.loose else self.groups


def arrange(hand: Sequence[Card], wild: int | None, rules: RuleSet) -> Arrangement:
    """Thirteen cards at their least count."""
    found = _arranged(_laid_best(hand, wild, rules, discards=False), wild, rules)
    return found if rules.wild_twins else _without_twins(found, hand, wild, rules)


def arrange_fourteen(hand: Sequence[Card], wild: int | None, rules: RuleSet) -> Arrangement:
    """Fourteen cards at their least count after the best discard."""
    laid = _laid_best(hand, wild, rules, discards=True)
    if laid.loose:
        discard = max(laid.loose, key=_CARD_POINTS.__getitem__)
        laid.loose.remove(discard)
    elif laid.jokers:
        discard = laid.jokers.pop()
    else:
        meld, discard = _spare_card(laid.melds, wild, rules)
        meld.remove(discard)
    found = _arranged(laid, wild, rules, discard)
    return found if rules.wild_twins else _without_twins(found, hand, wild, rules)


def _without_twins(
    found: Arrangement, hand: Sequence[Card], wild: int | None, rules: RuleSet
) -> Arrangement:
    """R2.5: `found` takes all jokers for alike; if two of them may not lie together, try all ways.

    It counts as little as any hand can, so what the rules let stand need not be improved.
    """
    if (
        hand_points(found.all_groups, wild, rules) == found.points
        and judge(found.all_groups, wild, rules).valid is found.declarable
    ):
        return found
    laying = best_laying(hand, wild, rules, discards=found.discard is not None)
    everything = (*laying.groups, laying.loose) if laying.loose else laying.groups
    return Arrangement(
        points=hand_points(everything, wild, rules),
        groups=laying.groups,
        loose=laying.loose,
        declarable=judge(everything, wild, rules).valid,
        discard=laying.discard,
    )


class _Plan(NamedTuple):
    """Melds by the faces of their cards and the jokers that they need, a pure sequence first."""

    melds: tuple[MeldFaces, ...]
    points: int
    has_two_sequences: bool = False


class _Laid(NamedTuple):
    """A hand on the table: real cards, still to be finished."""

    plan: _Plan
    melds: list[list[Card]]
    jokers: list[Card]
    loose: list[Card]


def _laid_best(hand: Sequence[Card], wild: int | None, rules: RuleSet, *, discards: bool) -> _Laid:
    plan = _best_plan(hand, wild, rules, discards=discards)
    jokers_are, naturals_are = _kinds_of_faces(wild)
    faces = list(map(_FACE_OF.__getitem__, hand))
    melds = []
    for meld_faces, _ in plan.melds:
        meld = []
        for face in meld_faces:
            place = faces.index(face)
            faces[place] = _LAID
            meld.append(hand[place])
        melds.append(meld)
    jokers = [card for card, face in zip(hand, faces, strict=True) if face in jokers_are]
    loose = [card for card, face in zip(hand, faces, strict=True) if face in naturals_are]
    for meld, (_, needed) in zip(melds, plan.melds, strict=True):
        for _ in range(needed):
            meld.append(jokers.pop())
    return _Laid(plan, melds, jokers, loose)


def _arranged(
    laid: _Laid, wild: int | None, rules: RuleSet, discard: Card | None = None
) -> Arrangement:
    if laid.plan.has_two_sequences:
        laid.melds[1].extend(laid.jokers)
    elif len(laid.jokers) >= MIN_MELD:
        return _with_joker_group(laid, wild, rules)._replace(discard=discard)
    else:
        laid.loose.extend(laid.jokers)
    return Arrangement(
        points=min(laid.plan.points, rules.max_points),
        groups=tuple(map(tuple, laid.melds)),
        loose=tuple(laid.loose),
        declarable=laid.plan.has_two_sequences and not laid.loose,
        discard=discard,
    )


def _with_joker_group(laid: _Laid, wild: int | None, rules: RuleSet) -> Arrangement:
    """Beside a lone pure sequence, or none, jokers by themselves may be a sequence (R2.6)."""
    groups = tuple(map(tuple, (*laid.melds, laid.jokers)))
    everything = (*groups, tuple(laid.loose)) if laid.loose else groups
    return Arrangement(
        points=hand_points(everything, wild, rules),
        groups=groups,
        loose=tuple(laid.loose),
        declarable=judge(everything, wild, rules).valid,
    )


def _spare_card(
    melds: list[list[Card]], wild: int | None, rules: RuleSet
) -> tuple[list[Card], Card]:
    """A card that its meld can do without: of fourteen, four lie together somewhere."""

    def is_spare(meld: list[Card], card: Card) -> bool:
        rest = [kept for kept in meld if kept != card]
        return meld_kind(rest, wild, rules) is meld_kind(meld, wild, rules)

    return next((meld, card) for meld in melds for card in meld if is_spare(meld, card))


def _best_plan(hand: Sequence[Card], wild: int | None, rules: RuleSet, *, discards: bool) -> _Plan:
    counted = sum(map(_counters(wild).__getitem__, hand))
    suits = tuple([counted >> SUIT_BITS * suit & _SUIT_MASK for suit in SUIT_INDICES])
    wilds = tuple([counted >> _WILDS_AT + DIGIT * suit & 15 for suit in SUIT_INDICES])
    total = counted >> _POINTS_AT
    openings = list(starts(suits, counted >> _JOKERS_AT & 255, wilds, wild))
    nothing_free = dearest(suits) if discards else 0
    if not openings:
        return _Plan((), total - nothing_free)
    if rules.lone_pure_sequence == "free":
        least, pure = lone_pure(openings, discards=discards)
        melds: tuple[MeldFaces, ...] = (_run_faces(pure),)
    else:
        least, melds = nothing_free, ()
    search = MeldSearch(
        best=least - 1,
        goal=total,
        discards=discards,
        max_set_size=rules.max_set_size,
    )
    for opening in openings:
        search.run(opening)
    if search.found is None:
        return _Plan(melds, total - least)
    return _Plan(tuple(_melds(search.found)), total - search.best, has_two_sequences=True)


def _melds(found: Found) -> Iterator[MeldFaces]:
    if found.start.pure is not None:
        yield _run_faces(found.start.pure)
    runs = [(suit, run) for suit, plan in enumerate(found.runs) for run in plan.runs]
    runs.sort(key=lambda suit_run: suit_run[1].jokers > 0)
    yield from map(_run_faces, runs)
    for rank, plan in found.sets:
        for suits in plan.sets:
            faces = tuple([suit * len(RANKS) + rank - 1 for suit in suits])
            yield faces, max(0, MIN_MELD - len(faces))


def _run_faces(suit_run: SuitRun) -> MeldFaces:
    suit, run = suit_run
    return tuple([suit * len(RANKS) + rank - 1 for rank in run.ranks]), run.jokers


@lru_cache(maxsize=16)
def _kinds_of_faces(wild: int | None) -> tuple[frozenset[int], frozenset[int]]:
    """The faces of jokers and those of all other cards."""
    jokers = frozenset(face for face in range(FACES) if is_joker(Card(face), wild))
    return jokers, frozenset(range(FACES)) - jokers


@lru_cache(maxsize=16)
def _counters(wild: int | None) -> tuple[int, ...]:
    """For each card a number; added up they tell all that the search needs of a hand."""
    counters = []
    for face in range(FACES):
        rank, suit = FACE_RANK[face], FACE_SUIT[face]
        if face == PRINTED_JOKER:
            counters.append(1 << _JOKERS_AT)
        elif rank == wild:
            counters.append((1 << _JOKERS_AT) + (1 << _WILDS_AT + DIGIT * suit))
        else:
            place = SUIT_BITS * suit + DIGIT * (rank - 1)
            counters.append((FACE_POINTS[face] << _POINTS_AT) + (1 << place))
    return tuple(counters) * _COPIES
