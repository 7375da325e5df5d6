"""The least count of a hand, with groups that have this count. Exact for every hand.

Jokers have no points, so they matter only for the melds that need them. Spare jokers extend the second sequence. Two
jokers make a sequence with any other card, so a meld of only jokers is needed only if no other card is left for the
second sequence.
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from games.cards import FACES, Card
from games.engine.state import Groups
from games.indian.rules.melds import MIN_MELD, judge, meld_kind
from games.indian.rules.ruleset import RuleSet
from games.indian.rules.scoring import hand_points
from games.indian.rules.solver.meldsearch import Best, find_best_melds
from games.indian.rules.solver.tally import COPIES, deck, points_of
from games.indian.rules.solver.trial import find_best_laying

_FACE_OF: Final = list(range(FACES)) * COPIES

# An arranged hand: melds with the jokers they need, jokers left, loose cards; whether there are two
# sequences.
_Laid = tuple[list[list[Card]], list[Card], list[Card], bool]


class Arrangement(NamedTuple):
    """A hand arranged in groups.

    `points` is the count of the hand in these groups (R6). `groups` are the melds that matter for the count, and
    `loose` the other cards. `declarable` tells whether the groups are a valid declaration. `discard` is the card to
    discard from a hand of fourteen, which lies in no group, or None for a hand of thirteen.
    """

    points: int
    groups: Groups
    loose: tuple[Card, ...]
    declarable: bool
    discard: Card | None = None

    @property
    def all_groups(self) -> Groups:
        return (*self.groups, self.loose) if self.loose else self.groups


def arrange(hand: Sequence[Card], wild: int | None, rules: RuleSet) -> Arrangement:
    """Return a hand of thirteen cards in the groups that have its least count."""
    tallies, card_points = deck(wild)
    tally = sum(itemgetter(*hand)(tallies))
    best = find_best_melds(tally, wild, rules, discards=False)
    if best is None:
        points = min(points_of(tally), rules.max_points)
        arranged = Arrangement(points, (), tuple(hand), False)  # noqa: FBT003 - faster than by name
    else:
        points = min(points_of(tally) - best[0], rules.max_points)
        arranged = _make_arrangement(points, _lay_cards(hand, best, card_points), None, wild, rules)
    return arranged if rules.wild_twins else _separate_twins(arranged, hand, wild, rules)


def arrange_fourteen(hand: Sequence[Card], wild: int | None, rules: RuleSet) -> Arrangement:
    """Return a hand of fourteen cards with one to discard and the others in groups.

    Of all discards and groups, the result is a choice with the least count.
    """
    tallies, card_points = deck(wild)
    tally = sum(itemgetter(*hand)(tallies))
    best = find_best_melds(tally, wild, rules, discards=True)
    if best is None:
        discard = max(hand, key=card_points.__getitem__)
        points = min(points_of(tally) - max(0, card_points[discard]), rules.max_points)
        loose = list(hand)
        loose.remove(discard)
        arranged = Arrangement(points, (), tuple(loose), False, discard)  # noqa: FBT003 - as above
    else:
        laid = melds, jokers, loose, _ = _lay_cards(hand, best, card_points)
        if loose:
            discard = max(loose, key=card_points.__getitem__)
            loose.remove(discard)
        elif jokers:
            discard = jokers.pop()
        else:
            meld, discard = _find_spare_card(melds, wild, rules)
            meld.remove(discard)
        points = min(points_of(tally) - best[0], rules.max_points)
        arranged = _make_arrangement(points, laid, discard, wild, rules)
    return arranged if rules.wild_twins else _separate_twins(arranged, hand, wild, rules)


def _separate_twins(
    arranged: Arrangement, hand: Sequence[Card], wild: int | None, rules: RuleSet
) -> Arrangement:
    """Return an arrangement in which no group has two equal wild cards, for rules without `wild_twins` (R2.5).

    `arranged` was found as if all jokers were equal, so no arrangement counts less. It is returned if its groups count
    the same, and can be declared as before, under these rules. Otherwise every arrangement is tried, which is slow.
    """
    if (
        hand_points(arranged.all_groups, wild, rules) == arranged.points
        and judge(arranged.all_groups, wild, rules).valid is arranged.declarable
    ):
        return arranged
    laying = find_best_laying(hand, wild, rules, discards=arranged.discard is not None)
    everything = (*laying.groups, laying.loose) if laying.loose else laying.groups
    return Arrangement(
        points=hand_points(everything, wild, rules),
        groups=laying.groups,
        loose=laying.loose,
        declarable=judge(everything, wild, rules).valid,
        discard=laying.discard,
    )


def _lay_cards(hand: Sequence[Card], best: Best, card_points: Sequence[int]) -> _Laid:
    """Return the hand with its cards laid in the melds that `best` names by their faces.

    Each meld also gets the jokers that it needs. If the hand has several cards of a face, any of them is used.
    """
    _, faces_of_melds, has_two_sequences = best
    left = list(hand)
    faces = list(itemgetter(*hand)(_FACE_OF))
    find, take = faces.index, left.pop
    melds, incomplete = [], []
    for meld_faces, needed in faces_of_melds:
        meld = []
        for face in meld_faces:
            place = find(face)
            del faces[place]
            meld.append(take(place))
        melds.append(meld)
        if needed:
            incomplete.append((meld, needed))
    jokers: list[Card] = []
    loose: list[Card] = []
    for card in left:
        (jokers if card_points[card] < 0 else loose).append(card)
    for meld, needed in incomplete:
        meld.extend(jokers[-needed:])
        del jokers[-needed:]
    return melds, jokers, loose, has_two_sequences


def _make_arrangement(
    points: int, laid: _Laid, discard: Card | None, wild: int | None, rules: RuleSet
) -> Arrangement:
    melds, jokers, loose, has_two_sequences = laid
    if jokers:
        if has_two_sequences:
            melds[1].extend(jokers)
        elif len(jokers) >= MIN_MELD:
            return _with_joker_group(laid, discard, wild, rules)
        else:
            loose.extend(jokers)
    declarable = has_two_sequences and not loose
    return Arrangement(points, tuple(map(tuple, melds)), tuple(loose), declarable, discard)


def _with_joker_group(
    laid: _Laid, discard: Card | None, wild: int | None, rules: RuleSet
) -> Arrangement:
    """Return an arrangement in which the jokers are a group of their own beside a lone pure sequence.

    A group of only jokers may be the second sequence (R2.6). If the rules allow no such melds, the jokers are loose.
    """
    melds, jokers, loose, _ = laid
    if rules.joker_only_melds == "none":
        loose.extend(jokers)
        groups = tuple(map(tuple, melds))
    else:
        groups = tuple(map(tuple, (*melds, jokers)))
    everything = (*groups, tuple(loose)) if loose else groups
    return Arrangement(
        points=hand_points(everything, wild, rules),
        groups=groups,
        loose=tuple(loose),
        declarable=judge(everything, wild, rules).valid,
        discard=discard,
    )


def _find_spare_card(
    melds: list[list[Card]], wild: int | None, rules: RuleSet
) -> tuple[list[Card], Card]:
    """Return a meld that can spare a card, and this card. Without the card, it is still a meld of the same kind.

    The melds have fourteen cards in all, so one of them has at least four.
    """

    def is_spare(meld: list[Card], card: Card) -> bool:
        rest = [kept for kept in meld if kept != card]
        return meld_kind(rest, wild, rules) is meld_kind(meld, wild, rules)

    for meld in melds:
        for card in meld:
            if is_spare(meld, card):
                return meld, card
    raise AssertionError  # pragma: no cover - of four cards in a meld one is spare
