"""Reads groups as melds, or finds the flaw that makes a group invalid (R2), and judges declarations (R3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from games.cards import (
    ACE,
    FACE_RANK,
    FACE_SUIT,
    FACES,
    PRINTED_JOKER,
    Card,
    is_joker,
)
from games.indian.rules.ruleset import HAND_SIZE, RuleSet

MIN_MELD = 3
MAX_RUN = 13
_ACE_HIGH = 14


class IndianMeldKind(StrEnum):
    """The kinds of melds, the most valuable first (R2.7)."""

    PURE_SEQUENCE = "pure_sequence"
    SEQUENCE = "sequence"
    SET = "set"

    @property
    def is_sequence(self) -> bool:
        return self is not IndianMeldKind.SET


class Flaw(StrEnum):
    """The reason why a group is not a meld."""

    TOO_FEW_CARDS = "too_few_cards"
    CARDS_DO_NOT_MATCH = "cards_do_not_match"
    GAP_IN_SEQUENCE = "gap_in_sequence"
    EQUAL_CARDS = "equal_cards"
    TWO_OF_A_SUIT_IN_SET = "two_of_a_suit_in_set"
    SET_TOO_LARGE = "set_too_large"
    TOO_MANY_CARDS = "too_many_cards"
    JOKERS_ALONE = "jokers_alone"


def meld_kind(cards: Sequence[Card], wild: int | None, rules: RuleSet) -> IndianMeldKind | None:
    """Return the kind of meld that a group is, or None if it is not a meld.

    If the cards can be read as several kinds, it is the most valuable one (R2.7).
    """
    reading = read_group(cards, wild, rules)
    return reading if isinstance(reading, IndianMeldKind) else None


def read_group(cards: Sequence[Card], wild: int | None, rules: RuleSet) -> IndianMeldKind | Flaw:
    if len(cards) < MIN_MELD:
        return Flaw.TOO_FEW_CARDS
    if not rules.wild_twins and _has_equal_cards(cards):
        return Flaw.EQUAL_CARDS
    if _is_pure_sequence(cards):
        return IndianMeldKind.PURE_SEQUENCE
    naturals = [card for card in cards if not is_joker(card, wild)]
    if not naturals:
        return _read_jokers(cards, wild, rules)
    # A wild card that could stand for itself may as well be a joker, which can take the same place. Only a
    # pure sequence needs it as itself.
    sequence = _read_sequence(naturals, len(cards))
    if sequence is IndianMeldKind.SEQUENCE:
        return sequence
    same_rank = len({FACE_RANK[card % FACES] for card in naturals}) == 1
    return _read_set(naturals, len(cards), rules) if same_rank else sequence


def _is_pure_sequence(cards: Sequence[Card]) -> bool:
    """Return whether the cards are a sequence in which each stands for itself, wild or not (R2.2)."""
    if len({FACE_SUIT[card % FACES] for card in cards}) > 1:
        return False
    ranks = {FACE_RANK[card % FACES] for card in cards}
    # Printed jokers all have one rank, so two of them never pass.
    return len(ranks) == len(cards) == _span(ranks)


def _read_jokers(cards: Sequence[Card], wild: int | None, rules: RuleSet) -> IndianMeldKind | Flaw:
    """Return the kind of a group of only jokers, or the reason why it is not a meld (R2.6).

    It can be a sequence only if one of the jokers is a wild card, which then stands for itself.
    """
    if rules.joker_only_melds == "none":
        return Flaw.JOKERS_ALONE
    may_be_sequence = rules.joker_only_melds == "sequence" and len(cards) <= MAX_RUN
    if may_be_sequence and any(card.rank == wild for card in cards):
        return IndianMeldKind.SEQUENCE
    return _check_set_size(len(cards), rules)


def _read_sequence(naturals: Sequence[Card], size: int) -> IndianMeldKind | Flaw:
    """Return `SEQUENCE`, or the reason why these natural cards and jokers, `size` cards in all, are no sequence.

    Jokers fill gaps and extend the ends (R2.1, R2.3).
    """
    if len({FACE_SUIT[card % FACES] for card in naturals}) > 1:
        return Flaw.CARDS_DO_NOT_MATCH
    if size > MAX_RUN:
        return Flaw.TOO_MANY_CARDS
    ranks = {FACE_RANK[card % FACES] for card in naturals}
    if len(ranks) < len(naturals):
        return Flaw.EQUAL_CARDS
    return IndianMeldKind.SEQUENCE if _span(ranks) <= size else Flaw.GAP_IN_SEQUENCE


def _read_set(naturals: Sequence[Card], size: int, rules: RuleSet) -> IndianMeldKind | Flaw:
    """Return `SET`, or the reason why these natural cards of one rank and jokers, `size` cards in all, are no set.

    A second card of one suit spoils any set (R2.4).
    """
    if len({FACE_SUIT[card % FACES] for card in naturals}) < len(naturals):
        return Flaw.TWO_OF_A_SUIT_IN_SET
    return _check_set_size(size, rules)


def _check_set_size(size: int, rules: RuleSet) -> IndianMeldKind | Flaw:
    if rules.max_set_size is not None and size > rules.max_set_size:
        return Flaw.SET_TOO_LARGE
    return IndianMeldKind.SET


def _span(ranks: Iterable[int]) -> int:
    """Return the number of ranks from the lowest to the highest, both included.

    An ace is counted below the two or above the king, whichever makes the span shorter (R1.3).
    """
    low = sorted(ranks)
    spans = [low[-1] - low[0] + 1]
    if low[0] == ACE:
        high = [*low[1:], _ACE_HIGH]
        spans.append(high[-1] - high[0] + 1)
    return min(spans)


def _has_equal_cards(cards: Sequence[Card]) -> bool:
    faces = [card.face for card in cards if card.face != PRINTED_JOKER]
    return len(set(faces)) < len(faces)


# --- Declarations.

# Reasons why a declaration is wrong although no single group is.
WRONG_CARD_COUNT: Final = "wrong_card_count"
NO_PURE_SEQUENCE: Final = "no_pure_sequence"
NO_SECOND_SEQUENCE: Final = "no_second_sequence"
NOT_DECLARED_IN_TIME: Final = "not_declared_in_time"
LEFT_BEFORE_DECLARING: Final = "left_before_declaring"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of a declaration.

    `kinds` has the kind of each group, or None for a group that is not a meld. `reason` is None for a valid
    declaration. Otherwise it is the flaw of a group, or one of the reasons defined above this class. If it is the flaw
    of a group, `failed_group` is the index of this group.
    """

    kinds: tuple[IndianMeldKind | None, ...]
    reason: str | None
    failed_group: int | None = None

    @property
    def valid(self) -> bool:
        return self.reason is None


def group_kinds(
    groups: Sequence[Sequence[Card]], wild: int | None, rules: RuleSet
) -> tuple[IndianMeldKind | None, ...]:
    return _find_kinds([read_group(group, wild, rules) for group in groups])


def _find_kinds(readings: Sequence[IndianMeldKind | Flaw]) -> tuple[IndianMeldKind | None, ...]:
    return tuple([one if isinstance(one, IndianMeldKind) else None for one in readings])


def judge(groups: Sequence[Sequence[Card]], wild: int | None, rules: RuleSet) -> Judgement:
    """Judge a declaration by the groups as the player laid them, without regrouping (R3.1, R3.3)."""
    readings = [read_group(group, wild, rules) for group in groups]
    kinds = _find_kinds(readings)
    if sum(map(len, groups)) != HAND_SIZE:
        return Judgement(kinds, WRONG_CARD_COUNT)
    if None in kinds:
        failed = kinds.index(None)
        return Judgement(kinds, str(readings[failed]), failed)
    if IndianMeldKind.PURE_SEQUENCE not in kinds:
        return Judgement(kinds, NO_PURE_SEQUENCE)
    if _sequences(kinds) < 2:
        return Judgement(kinds, NO_SECOND_SEQUENCE)
    return Judgement(kinds, None)


def _sequences(kinds: Sequence[IndianMeldKind | None]) -> int:
    return sum(kind is not None and kind.is_sequence for kind in kinds)
