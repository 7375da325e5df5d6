"""The kind of a group, found by reading its jokers in every way (R2), and the count of groups (R3, R6)."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from games.indian.rules.ruleset import RuleSet
from tests.games.model.cards import HAND, JOKER, RANKS, face, value

PURE, SEQUENCE, SET = "pure_sequence", "sequence", "set"
# The ace stands below the two or above the king (R1.3).
LADDER = RANKS + "A"

FLAWS = frozenset(
    {
        "too_few_cards",
        "too_many_cards",
        "cards_do_not_match",
        "gap_in_sequence",
        "equal_cards",
        "two_of_a_suit_in_set",
        "set_too_large",
        "jokers_alone",
    }
)


def kind(group: list[str], wild: str, rules: RuleSet) -> str | None:
    faces = tuple(sorted(map(face, group)))
    jokers_are = rules.joker_only_melds
    return _kind(faces, wild, rules.wild_twins, rules.max_set_size, jokers_are)


@lru_cache(maxsize=1 << 16)
def _kind(
    faces: tuple[str, ...], wild: str, twins: bool, largest: int | None, jokers_are: str
) -> str | None:
    if len(faces) < 3 or (not twins and _has_twins(faces)):
        return None
    if JOKER not in faces and _is_sequence(faces, 0):
        return PURE
    always = [one for one in faces if one != JOKER and one[0] != wild]
    if not always and jokers_are != "sequence":
        fits = largest is None or len(faces) <= largest
        return SET if jokers_are == "set" and fits else None
    wilds = [one for one in faces if one[0] == wild]
    readings = [
        (*always, *themselves)
        for number in range(len(wilds) + 1)
        for themselves in combinations(wilds, number)
    ]
    # R2.6: if no card stands for itself, the only remaining meld is a set of printed jokers.
    if any(own and _is_sequence(own, len(faces) - len(own)) for own in readings):
        return SEQUENCE
    if largest is not None and len(faces) > largest:
        return None
    return SET if any(_is_of_one_rank(own, bool(wilds)) for own in readings) else None


def _has_twins(faces: tuple[str, ...]) -> bool:
    cards = [one for one in faces if one != JOKER]
    return len(set(cards)) < len(cards)


def _is_sequence(own: tuple[str, ...], jokers: int) -> bool:
    """Return whether these cards form a sequence of one suit with this many jokers (R2.1, R2.3)."""
    size = len(own) + jokers
    if len({one[1] for one in own}) != 1 or size > HAND:
        return False
    ranks = sorted(one[0] for one in own)
    windows = (LADDER[low : low + size] for low in range(len(LADDER) - size + 1))
    return len(set(ranks)) == len(ranks) and any(set(ranks) <= set(one) for one in windows)


def _is_of_one_rank(own: tuple[str, ...], has_wilds: bool) -> bool:
    if not own:
        return not has_wilds
    return len({one[0] for one in own}) == 1 and len({one[1] for one in own}) == len(own)


@dataclass(frozen=True)
class Verdict:
    reason: str | None
    failed_group: int | None = None


def judge(groups: list[list[str]], wild: str, rules: RuleSet) -> Verdict:
    """R3.1: judge a declaration. The reason `flaw` stands for any of `FLAWS`, as the rules leave it open."""
    if sum(map(len, groups)) != HAND:
        return Verdict("wrong_card_count")
    kinds = [kind(group, wild, rules) for group in groups]
    if None in kinds:
        return Verdict("flaw", kinds.index(None))
    if PURE not in kinds:
        return Verdict("no_pure_sequence")
    if kinds.count(PURE) + kinds.count(SEQUENCE) < 2:
        return Verdict("no_second_sequence")
    return Verdict(None)


def points_of(groups: list[list[str]], wild: str, rules: RuleSet) -> int:
    """R6.2, R6.3: return the points that these groups count."""
    kinds = [kind(group, wild, rules) for group in groups]
    free: set[str | None] = set()
    if PURE in kinds:
        if kinds.count(PURE) + kinds.count(SEQUENCE) > 1:
            free = {PURE, SEQUENCE, SET}
        elif rules.lone_pure_sequence == "free":
            free = {PURE}
    counted = (group for group, one in zip(groups, kinds, strict=True) if one not in free)
    return min(sum(value(card, wild) for group in counted for card in group), rules.max_points)
