"""The best answer to a knock: the melds and lay-offs that leave the least deadwood (G10).

The search is exact: it tries every way to lay off on the knocker's melds, each with the best melds of the other cards.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from games.cards import CARDS, RANKS, Card
from games.gin.rules.melding import BIT, arrange, cards_of, count_least, mask_of
from games.gin.rules.melds import Groups, LayOffs, fits

_HIGHEST: Final = len(RANKS) - 1


class Defence(NamedTuple):
    deadwood: int
    groups: Groups
    lay_offs: LayOffs
    loose: tuple[Card, ...]


# Cards for one meld, in the order in which they can be laid, and their mask.
_Way = tuple[int, tuple[Card, ...]]


def find_best_defence(hand: Iterable[Card], melds: Sequence[Sequence[Card]]) -> Defence:
    """Return the answer that leaves the least deadwood.

    After gin `melds` must be empty, because nothing can be laid off. Among equally good answers, the one with the
    fewest lay-offs is chosen.
    """
    mask = mask_of(hand)
    laid, cards = _find_best_lay_offs(mask, [_list_ways(mask, meld) for meld in melds])
    rest = arrange(cards_of(mask ^ laid))
    lay_offs = tuple((card, meld) for meld, laid_here in enumerate(cards) for card in laid_here)
    return Defence(rest.deadwood, rest.groups, lay_offs, rest.loose)


def count_least_defended(hand: int, melds: Sequence[Sequence[Card]]) -> int:
    """Return the deadwood that `find_best_defence` leaves, for a hand given as a mask."""
    laid, _ = _find_best_lay_offs(hand, [_list_ways(hand, meld) for meld in melds])
    return count_least(hand ^ laid)


def check_lay_offs(melds: Sequence[Sequence[Card]], lay_offs: LayOffs) -> bool:
    """Return whether each card fits its meld when it is laid off, in the given order (G10)."""
    grown = [tuple(meld) for meld in melds]
    for card, place in lay_offs:
        if place >= len(grown) or not fits(grown[place], card):
            return False
        grown[place] = (*grown[place], card)
    return True


def _find_best_lay_offs(
    hand: int, ways: Sequence[Sequence[_Way]]
) -> tuple[int, tuple[tuple[Card, ...], ...]]:
    """Return the lay-offs that leave the least deadwood: as one mask, and again as one tuple of cards for each meld.

    `ways` has, for each meld of the knocker, the lay-offs that are possible on it.
    """
    choices: list[tuple[int, tuple[tuple[Card, ...], ...]]] = [(0, ())]
    for of_meld in ways:
        choices = [
            (laid | more, (*cards, new))
            for laid, cards in choices
            for more, new in of_meld
            if not laid & more
        ]
    # Cards of the defender's own melds may stay there: laying off is optional.
    return min(choices, key=lambda choice: (count_least(hand ^ choice[0]), choice[0].bit_count()))


def _list_ways(hand: int, meld: Sequence[Card]) -> list[_Way]:
    if meld[0] % len(RANKS) == meld[1] % len(RANKS):  # a set
        return [(0, ()), *_find_fourth(hand, meld)]
    lowest, highest = min(meld), max(meld)
    below = _list_held_on(hand, range(lowest - 1, lowest - lowest % len(RANKS) - 1, -1))
    above = _list_held_on(hand, range(highest + 1, highest - highest % len(RANKS) + _HIGHEST + 1))
    return [
        (mask_of((*below[:low], *above[:high])), (*below[:low], *above[:high]))
        for low in range(len(below) + 1)
        for high in range(len(above) + 1)
    ]


def _find_fourth(hand: int, meld: Sequence[Card]) -> list[_Way]:
    rank = meld[0] % len(RANKS)
    fourth = [CARDS[suit * len(RANKS) + rank] for suit in range(4)]
    return [(BIT[card], (card,)) for card in fourth if card not in meld and BIT[card] & hand]


def _list_held_on(hand: int, cards: Iterable[int]) -> tuple[Card, ...]:
    """Return these cards in their order, up to the first one that is not in the hand."""
    held = []
    for card in cards:
        if not hand & BIT[card]:
            break
        held.append(CARDS[card])
    return tuple(held)
