"""The judging of groups that a player lays down (R3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.cards import Card
from games.indian.rules.melds import Flaw, MeldKind, read_group
from games.indian.rules.ruleset import HAND_SIZE, RuleSet

Groups = tuple[tuple[Card, ...], ...]

# Why a declaration is wrong although no single group is to blame.
WRONG_CARD_COUNT: Final = "wrong_card_count"
NO_PURE_SEQUENCE: Final = "no_pure_sequence"
NO_SECOND_SEQUENCE: Final = "no_second_sequence"
NOT_DECLARED_IN_TIME: Final = "not_declared_in_time"
LEFT_BEFORE_DECLARING: Final = "left_before_declaring"

REASONS: Final = {
    WRONG_CARD_COUNT: "A declaration has thirteen cards.",
    NO_PURE_SEQUENCE: "There is no pure sequence: one needs three cards in a row without a joker.",
    NO_SECOND_SEQUENCE: "There is only one sequence: a declaration needs two.",
    NOT_DECLARED_IN_TIME: "The cards were not declared in time.",
    LEFT_BEFORE_DECLARING: "The player left before declaring.",
    Flaw.TOO_FEW_CARDS.value: "This group has fewer than three cards.",
    Flaw.TOO_MANY_CARDS.value: "This group is longer than a suit.",
    Flaw.CARDS_DO_NOT_MATCH.value: "These cards are neither of one suit nor of one rank.",
    Flaw.GAP_IN_SEQUENCE.value: "Cards are missing in this sequence and no joker fills the gap.",
    Flaw.EQUAL_CARDS.value: "This group has the same card twice.",
    Flaw.TWO_OF_A_SUIT_IN_SET.value: "This set has two cards of one suit.",
    Flaw.SET_TOO_LARGE.value: "This set has too many cards.",
    Flaw.JOKERS_ALONE.value: "This group is of jokers only.",
}


@dataclass(frozen=True, slots=True)
class Judgement:
    """`reason` is a key of `REASONS`; `failed_group` says which group is no meld."""

    kinds: tuple[MeldKind | None, ...]
    reason: str | None
    failed_group: int | None = None

    @property
    def valid(self) -> bool:
        return self.reason is None


def group_kinds(
    groups: Sequence[Sequence[Card]], wild: int | None, rules: RuleSet
) -> tuple[MeldKind | None, ...]:
    readings = (read_group(group, wild, rules) for group in groups)
    return tuple(reading if isinstance(reading, MeldKind) else None for reading in readings)


def judge(groups: Sequence[Sequence[Card]], wild: int | None, rules: RuleSet) -> Judgement:
    """Judge the groups as submitted, without regrouping them (R3.1, R3.3)."""
    kinds = group_kinds(groups, wild, rules)
    if sum(map(len, groups)) != HAND_SIZE:
        return Judgement(kinds, WRONG_CARD_COUNT)
    if None in kinds:
        failed = kinds.index(None)
        return Judgement(kinds, str(read_group(groups[failed], wild, rules)), failed)
    if MeldKind.PURE_SEQUENCE not in kinds:
        return Judgement(kinds, NO_PURE_SEQUENCE)
    if _sequences(kinds) < 2:
        return Judgement(kinds, NO_SECOND_SEQUENCE)
    return Judgement(kinds, None)


def _sequences(kinds: Sequence[MeldKind | None]) -> int:
    return sum(kind is not None and kind.is_sequence for kind in kinds)
