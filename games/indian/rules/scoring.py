"""The count of a hand that did not win (R6)."""

from collections.abc import Iterable, Sequence

from games.cards import FACE_POINTS, Card
from games.indian.rules.declaration import group_kinds
from games.indian.rules.melds import MeldKind, is_joker
from games.indian.rules.ruleset import RuleSet


def card_points(card: Card, wild: int | None) -> int:
    return 0 if is_joker(card, wild) else FACE_POINTS[card.face]


def loose_points(cards: Iterable[Card], wild: int | None) -> int:
    """Return the count of cards outside melds, before the cap."""
    return sum(card_points(card, wild) for card in cards)


def hand_points(groups: Sequence[Sequence[Card]], wild: int | None, rules: RuleSet) -> int:
    """Return the count of a hand in the groups as they lie (R6.2, R6.3)."""
    kinds = group_kinds(groups, wild, rules)
    free = _free_kinds(kinds, rules)
    counted = sum(
        loose_points(group, wild)
        for group, kind in zip(groups, kinds, strict=True)
        if kind not in free
    )
    return min(counted, rules.max_points)


def wrong_declaration_points(hand: Iterable[Card], wild: int | None, rules: RuleSet) -> int:
    """Return what a wrong declaration of this hand counts (R3.4)."""
    if rules.wrong_declaration_counts == "hand":
        return min(loose_points(hand, wild), rules.max_points)
    return rules.wrong_declaration_points


def _free_kinds(kinds: Sequence[MeldKind | None], rules: RuleSet) -> frozenset[MeldKind]:
    if MeldKind.PURE_SEQUENCE not in kinds:
        return frozenset()
    if sum(kind is not None and kind.is_sequence for kind in kinds) >= 2:
        return frozenset(MeldKind)
    # `counted`: the sources that say "with fewer than two sequences every card counts".
    lone_is_free = rules.lone_pure_sequence == "free"
    return frozenset({MeldKind.PURE_SEQUENCE}) if lone_is_free else frozenset()
