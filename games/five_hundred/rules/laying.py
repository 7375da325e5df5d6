"""The melds of a hand, and a good way to lay them. The search is greedy, so that its time is bounded (F4, F7)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from games.cards import FACE_RANK, FACE_SUIT, FACES, RANKS, Card
from games.engine.laid import (
    HIGH_ACE,
    LOW_ACE,
    Meld,
    Shape,
    add_to_meld,
    face_at,
    list_faces_beside,
)
from games.five_hundred.rules.ruleset import FiveHundredRules

Cards = tuple[Card, ...]
# First groups that the search tries, most valuable first.
_TRIED = 12


class FiveHundredLaying(NamedTuple):
    """A laying: the new melds and lay-offs of a hand, the points that they score, and the loose cards that are left.

    `lay_offs` are pairs of the index of a meld and a card, in the order of laying.
    """

    points: int
    groups: tuple[Cards, ...]
    lay_offs: tuple[tuple[int, Card], ...]
    loose: Cards


def list_groups(
    hand: Iterable[Card], shape: Shape, *, prefer: Card | None = None
) -> Iterator[Cards]:
    """Yield the melds among these cards. The cards of a sequence are in order (F4).

    Of equal faces only one card is used: `prefer`, or else the one of the lowest pack. If a set may contain a suit
    twice, the only sets yielded are the smallest ones of each rank and the set of all cards of the rank.
    """
    cards = sorted(hand)
    if prefer is not None:
        cards.sort(key=lambda card: card != prefer)
    by_face: dict[int, Card] = {}
    for card in cards:
        by_face.setdefault(card % FACES, card)
    yield from _list_sets(cards if shape.repeats else by_face.values(), shape)
    for suit in range(4):
        if sum(FACE_SUIT[face] == suit for face in by_face) < shape.min_run:
            continue
        for first in range(LOW_ACE, HIGH_ACE):
            if face_at(suit, first) in by_face:
                yield from _list_runs_from(first, suit, by_face, shape)


def _list_sets(cards: Iterable[Card], shape: Shape) -> Iterator[Cards]:
    by_rank: list[list[Card]] = [[] for _ in RANKS]
    for card in cards:
        by_rank[card % FACES % len(RANKS)].append(card)
    for same in by_rank:
        if len(same) >= shape.min_set:
            yield tuple(same)
        if len(same) > shape.min_set:
            yield from combinations(same, shape.min_set)


def _list_runs_from(
    first: int, suit: int, by_face: Mapping[int, Card], shape: Shape
) -> Iterator[Cards]:
    run: list[Card] = []
    for step in range(first, HIGH_ACE + 1):
        held = by_face.get(face_at(suit, step))
        if held is None or held in run:
            return
        run.append(held)
        if len(run) >= shape.min_run:
            yield tuple(run)


def is_usable(card: Card, hand: Sequence[Card], melds: Sequence[Meld], shape: Shape) -> bool:
    """Return whether the card fits on a meld, or forms a meld with cards of the hand (F6)."""
    rank, suit = card.rank, card.suit
    held = [(one, one % FACES) for one in (card, *hand)]
    same = {one if shape.repeats else face for one, face in held if FACE_RANK[face] == rank}
    if len(same) >= shape.min_set:
        return True
    ranks = {FACE_RANK[face] for _, face in held if FACE_SUIT[face] == suit}
    steps = ranks | {HIGH_ACE} if LOW_ACE in ranks else ranks
    for own in {rank, HIGH_ACE if rank == LOW_ACE else rank}:
        below, above = own, own
        while below - 1 in steps:
            below -= 1
        while above + 1 in steps:
            above += 1
        if above - below + 1 >= shape.min_run:
            return True
    return any(
        card.face in list_faces_beside(meld) and add_to_meld(meld, (card,), shape) for meld in melds
    )


def find_best_laying(
    hand: Iterable[Card], melds: Sequence[Meld], rules: FiveHundredRules
) -> FiveHundredLaying:
    """Return a laying with many points: first new melds, then lay-offs of the other cards.

    There may be a laying with more points, because the search is greedy.
    """
    cards = tuple(sorted(hand))
    best = _lay_greedily(cards, rules)
    dearest = sorted(list_groups(cards, rules.shape), key=lambda g: -_points(g, rules))[:_TRIED]
    for group in dearest:
        rest = tuple(card for card in cards if card not in group)
        points, groups = _lay_greedily(rest, rules)
        best = max(best, (points + _points(group, rules), (group, *groups)), key=lambda b: b[0])
    points, groups = best
    used = {card for group in groups for card in group}
    loose = [card for card in cards if card not in used]
    lying, lay_offs = list(melds), list[tuple[int, Card]]()
    while found := _lay_off(loose, lying, rules.shape):
        number, card, grown = found
        lying[number] = grown
        loose.remove(card)
        lay_offs.append((number, card))
        points += rules.count_points_laid(grown)[grown.cards.index(card)]
    return FiveHundredLaying(points, groups, tuple(lay_offs), tuple(loose))


def _lay_off(
    loose: Sequence[Card], lying: Sequence[Meld], shape: Shape
) -> tuple[int, Card, Meld] | None:
    for card in loose:
        for number, meld in enumerate(lying):
            grown = add_to_meld(meld, (card,), shape)
            if grown is not None:
                return number, card, grown
    return None


def _lay_greedily(cards: Cards, rules: FiveHundredRules) -> tuple[int, tuple[Cards, ...]]:
    points, groups = 0, list[Cards]()
    while found := max(
        list_groups(cards, rules.shape), key=lambda g: _points(g, rules), default=()
    ):
        points += _points(found, rules)
        groups.append(found)
        cards = tuple(card for card in cards if card not in found)
    return points, tuple(groups)


def _points(group: Cards, rules: FiveHundredRules) -> int:
    is_low = group[0].rank == LOW_ACE and group[1].rank == LOW_ACE + 1
    points = sum(map(rules.points_of, group))
    return points - rules.ace_points + rules.low_ace_points if is_low else points
