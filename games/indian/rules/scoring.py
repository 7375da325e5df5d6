"""The count of a hand that did not win (R6), and the parts of a prize that is split (R8.3 to R8.6)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.cards import FACE_POINTS, Card, is_joker
from games.indian.rules.melds import IndianMeldKind, group_kinds
from games.indian.rules.ruleset import RuleSet


def card_points(card: Card, wild: int | None) -> int:
    return 0 if is_joker(card, wild) else FACE_POINTS[card.face]


def loose_points(cards: Iterable[Card], wild: int | None) -> int:
    """Return the sum of the cards' points, with jokers as 0 and without the limit of `max_points`."""
    return sum(card_points(card, wild) for card in cards)


def hand_points(groups: Sequence[Sequence[Card]], wild: int | None, rules: RuleSet) -> int:
    """Return the points that a hand counts if it is laid in these groups, at most `max_points` (R6.2, R6.3)."""
    kinds = group_kinds(groups, wild, rules)
    free = _free_kinds(kinds, rules)
    counted = sum(
        loose_points(group, wild)
        for group, kind in zip(groups, kinds, strict=True)
        if kind not in free
    )
    return min(counted, rules.max_points)


def wrong_declaration_points(hand: Iterable[Card], wild: int | None, rules: RuleSet) -> int:
    """Return the points that a wrong declaration of this hand costs (R3.4)."""
    if rules.wrong_declaration_counts == "hand":
        return min(loose_points(hand, wild), rules.max_points)
    return rules.wrong_declaration_points


def _free_kinds(
    kinds: Sequence[IndianMeldKind | None], rules: RuleSet
) -> frozenset[IndianMeldKind]:
    if IndianMeldKind.PURE_SEQUENCE not in kinds:
        return frozenset()
    if sum(kind is not None and kind.is_sequence for kind in kinds) >= 2:
        return frozenset(IndianMeldKind)
    # `counted`: for sources that say "with fewer than two sequences every card counts".
    lone_is_free = rules.lone_pure_sequence == "free"
    return frozenset({IndianMeldKind.PURE_SEQUENCE}) if lone_is_free else frozenset()


# --- A pool's prize, divided between the survivors.


class Survivor(NamedTuple):
    seat: int
    score: int


def count_drops_left(score: int, rules: RuleSet) -> int:
    """Return how many first drops a player with this score can take and stay in the match (R8.3), 0 outside pools."""
    if rules.elimination_score is None or not rules.first_drop:
        return 0
    highest = rules.elimination_score - rules.elimination_inclusive
    return max(0, (highest - score) // rules.first_drop)


def are_few_enough(rules: RuleSet, *, began: int, left: int) -> bool:
    """Return whether few enough players are left for a split (R8.4).

    `began` players began the match, and `left` of them are still in it.
    """
    if rules.split_began == "any":
        return left in (2, 3)
    return (left in (2, 3) and began > 3) or (left == 2 and began == 3)


def split_parts(
    survivors: Sequence[Survivor], rules: RuleSet, *, entries: int
) -> dict[int, int] | None:
    """Return how many parts of the prize each survivor gets in a split, by seat (R8.5).

    Return None if fewer than `split_rest` entry fees would be left to share equally. `entries` is the number of entry
    fees paid, including those for rejoining. The prize is divided in proportion to the parts. Odd units go to the seats
    in the order returned.

    Let u be prize / entries, n the number of survivors, and x a player's drops left less the fewest that any survivor
    has. A player's share is x * u + (prize - u * sum(x)) / n. The number of the player's parts is this share times n *
    entries / prize, which is a whole number.
    """
    drops = {survivor.seat: count_drops_left(survivor.score, rules) for survivor in survivors}
    fewest = min(drops.values())
    spare = entries - sum(count - fewest for count in drops.values())
    if spare < rules.split_rest:
        return None
    ordered = sorted(
        survivors, key=lambda survivor: (-drops[survivor.seat], survivor.score, survivor.seat)
    )
    return {
        survivor.seat: len(survivors) * (drops[survivor.seat] - fewest) + spare
        for survivor in ordered
    }
