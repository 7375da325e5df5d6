"""Dividing the prize of a pool match between those who are left (R8.3 to R8.6)."""

from collections.abc import Sequence
from typing import NamedTuple

from games.indian.rules.ruleset import RuleSet


class Survivor(NamedTuple):
    seat: int
    score: int


def drops_left(score: int, rules: RuleSet) -> int:
    """R8.3: how often a player can drop at once and still stay in."""
    if rules.elimination_score is None or not rules.first_drop:
        return 0
    highest = rules.elimination_score - rules.elimination_inclusive
    return max(0, (highest - score) // rules.first_drop)


def few_enough(*, began: int, left: int) -> bool:
    """R8.4: two or three left of more than three, or two left of three."""
    return (left in (2, 3) and began > 3) or (left == 2 and began == 3)


def split_parts(
    survivors: Sequence[Survivor], rules: RuleSet, *, entries: int
) -> dict[int, int] | None:
    """R8.5 in parts of the prize; None if the rest would be less than one entry.

    With u = pool / entries, a share is x * u + (pool - u * sum(x)) / n; times n * entries / pool
    it is a whole number. The seats come in the order in which odd units are given away.
    """
    drops = {survivor.seat: drops_left(survivor.score, rules) for survivor in survivors}
    fewest = min(drops.values())
    spare = entries - sum(count - fewest for count in drops.values())
    if spare < 1:
        return None
    ordered = sorted(
        survivors, key=lambda survivor: (-drops[survivor.seat], survivor.score, survivor.seat)
    )
    return {
        survivor.seat: len(survivors) * (drops[survivor.seat] - fewest) + spare
        for survivor in ordered
    }
