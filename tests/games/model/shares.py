"""How a prize is shared, in fractions of it (R8.3 to R8.6)."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from games.indian.rules.ruleset import RuleSet


def drops_left(score: int, rules: RuleSet) -> int:
    """R8.3: taken one after another, as long as the player stays below the limit."""
    assert rules.elimination_score is not None
    if not rules.first_drop:
        return 0
    drops = 0
    while not is_out(score + (drops + 1) * rules.first_drop, rules):
        drops += 1
    return drops


def is_out(score: int, rules: RuleSet) -> bool:
    """R8.1."""
    assert rules.elimination_score is not None
    if rules.elimination_inclusive:
        return score >= rules.elimination_score
    return score > rules.elimination_score


@dataclass(frozen=True)
class Sharer:
    seat: int
    score: int
    drops: int


def shares(sharers: list[Sharer], entries: int, least: int) -> dict[int, Fraction] | None:
    """R8.5: by seat, first those who get odd units first; None if it cannot be done."""
    fewest = min(one.drops for one in sharers)
    unit = Fraction(1, entries)
    rest = 1 - unit * sum(one.drops - fewest for one in sharers)
    if rest < least * unit:
        return None
    ordered = sorted(sharers, key=lambda one: (-one.drops, one.score, one.seat))
    return {one.seat: (one.drops - fewest) * unit + rest / len(sharers) for one in ordered}


def in_units(parts: Mapping[int, Fraction], amount: int) -> dict[int, int]:
    """Whole units of the prize; what is odd goes one each in the order of `parts`."""
    whole = {seat: int(part * amount) for seat, part in parts.items()}
    for seat in list(parts)[: amount - sum(whole.values())]:
        whole[seat] += 1
    return whole
