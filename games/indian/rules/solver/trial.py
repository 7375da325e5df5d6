"""The best arrangement of a hand, found by trying every arrangement. The search is slow, but works for any rules.

`arrangement` uses it if jokers are not interchangeable: when equal wild cards may not lie in one group (R2.5), it
matters which of them goes where. A laying is a choice of melds, and of a discard from fourteen cards; all other cards
are loose. It frees the points of the cards in its melds and of the discard: they are not counted (R6.3).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.cards import Card
from games.engine.state import Groups
from games.indian.rules.melds import MIN_MELD, IndianMeldKind, meld_kind
from games.indian.rules.ruleset import RuleSet
from games.indian.rules.scoring import card_points


class TriedLaying(NamedTuple):
    groups: Groups
    loose: tuple[Card, ...]
    discard: Card | None


class _Meld(NamedTuple):
    cards: int  # a bit for each card, by its place in the hand
    kind: IndianMeldKind
    freed: int  # the points of its cards


class _Laid(NamedTuple):
    """A laying of some cards of the hand.

    `freed` are the points of the cards in its melds and of its discard, and `in_melds` is the number of cards in melds.
    `discard` is the bit of the card discarded, or 0. Of two layings, the one with more points freed is better, or with
    equal points the one with more cards in melds.
    """

    freed: int
    in_melds: int
    melds: tuple[_Meld, ...] = ()
    discard: int = 0

    def with_meld(self, meld: _Meld) -> "_Laid":
        in_melds = self.in_melds + meld.cards.bit_count()
        return _Laid(self.freed + meld.freed, in_melds, (meld, *self.melds), self.discard)


class _State(NamedTuple):
    has_pure: bool = False
    sequences: int = 0
    has_discarded: bool = False

    def with_meld(self, kind: IndianMeldKind) -> "_State":
        return _State(
            self.has_pure or kind is IndianMeldKind.PURE_SEQUENCE,
            min(2, self.sequences + kind.is_sequence),
            self.has_discarded,
        )


def find_best_laying(
    hand: Sequence[Card], wild: int | None, rules: RuleSet, *, discards: bool
) -> TriedLaying:
    """Return the melds with which the most points do not count (R6.3), and the other cards.

    Of several choices, return one with the most cards in melds. With a pure and a second sequence, the cards in all
    melds do not count. Otherwise only those of a lone pure sequence do not count, if the rules say so. With `discards`,
    one card is discarded and does not count either.
    """
    points = [card_points(card, wild) for card in hand]
    melds = _melds_by_first(hand, points, wild, rules)
    layings = [
        *_Trial(melds, points, discards=discards).lay_two_sequences(),
        *_lay_lone_pure(melds, points, discards=discards, rules=rules),
    ]
    best = max(layings, key=lambda laid: (laid.freed, laid.in_melds))
    used = best.discard
    for meld in best.melds:
        used |= meld.cards
    ordered = sorted(best.melds, key=lambda meld: meld.kind is not IndianMeldKind.PURE_SEQUENCE)
    discarded = _pick(hand, best.discard)
    return TriedLaying(
        groups=tuple(_pick(hand, meld.cards) for meld in ordered),
        loose=_pick(hand, (1 << len(hand)) - 1 & ~used),
        discard=discarded[0] if discarded else None,
    )


class _Trial:
    def __init__(
        self, melds: Sequence[Sequence[_Meld]], points: Sequence[int], *, discards: bool
    ) -> None:
        self.melds = melds
        self.points = points
        self.discards = discards
        self.known: dict[int, dict[_State, _Laid]] = {0: {_State(): _Laid(0, 0)}}

    def lay_two_sequences(self) -> list[_Laid]:
        everything = self.find_best((1 << len(self.points)) - 1)
        wanted = _State(has_pure=True, sequences=2, has_discarded=self.discards)
        return [everything[wanted]] if wanted in everything else []

    def find_best(self, left: int) -> dict[_State, _Laid]:
        if left not in self.known:
            best: dict[_State, _Laid] = {}
            for state, laid in self.list_ways(left):
                if state not in best or best[state][:2] < laid[:2]:
                    best[state] = laid
            self.known[left] = best
        return self.known[left]

    def list_ways(self, left: int) -> Iterator[tuple[_State, _Laid]]:
        """Yield ways to lay the cards `left`, a number with a bit for each card by its place in the hand.

        Each way is a laying of these cards and the state that it reaches. The first card stays loose, is discarded, or
        lies in a meld. Each of these is combined with the best layings of the other cards.
        """
        first = left & -left
        place = first.bit_length() - 1
        for state, laid in self.find_best(left ^ first).items():
            yield state, laid
            if self.discards and not state.has_discarded:
                given = laid._replace(freed=laid.freed + self.points[place], discard=first)
                yield state._replace(has_discarded=True), given
        for meld in self.melds[place]:
            if meld.cards & left == meld.cards:
                for state, laid in self.find_best(left ^ meld.cards).items():
                    yield state.with_meld(meld.kind), laid.with_meld(meld)


def _lay_lone_pure(
    melds: Sequence[Sequence[_Meld]], points: Sequence[int], *, discards: bool, rules: RuleSet
) -> list[_Laid]:
    """Return the layings of at most one meld: none, or a single pure sequence if the rules do not count it (R6.3).

    With `discards`, each laying discards the card with the most points outside its meld.
    """
    everything = (1 << len(points)) - 1
    layings = [_Laid(0, 0, (), _find_dearest(points, everything) if discards else 0)]
    if rules.lone_pure_sequence == "free":
        for meld in (meld for by_first in melds for meld in by_first):
            if meld.kind is IndianMeldKind.PURE_SEQUENCE:
                discard = _find_dearest(points, everything ^ meld.cards) if discards else 0
                layings.append(_Laid(meld.freed, meld.cards.bit_count(), (meld,), discard))
    return [
        laid._replace(freed=laid.freed + points[laid.discard.bit_length() - 1])
        if laid.discard
        else laid
        for laid in layings
    ]


def _find_dearest(points: Sequence[int], cards: int) -> int:
    places = [place for place in range(len(points)) if cards >> place & 1]
    return 1 << max(places, key=points.__getitem__)


def _melds_by_first(
    hand: Sequence[Card], points: Sequence[int], wild: int | None, rules: RuleSet
) -> list[list[_Meld]]:
    melds: list[list[_Meld]] = [[] for _ in hand]
    for cards in range(1, 1 << len(hand)):
        if cards.bit_count() < MIN_MELD:
            continue
        places = [place for place in range(len(hand)) if cards >> place & 1]
        kind = meld_kind([hand[place] for place in places], wild, rules)
        if kind is not None:
            melds[places[0]].append(_Meld(cards, kind, sum(points[place] for place in places)))
    return melds


def _pick(hand: Sequence[Card], cards: int) -> tuple[Card, ...]:
    return tuple(card for place, card in enumerate(hand) if cards >> place & 1)
