"""The division of a pool's prize between the survivors (R8.3 to R8.6)."""

from collections.abc import Sequence
from typing import NamedTuple

from games.indian.rules.ruleset import RuleSet


class Survivor(NamedTuple):
    seat: int
    score: int


def drops_left(score: int, rules: RuleSet) -> int:
    """Return how often a player can drop and still stay in (R8.3)."""
    if rules.elimination_score is None or not rules.first_drop:
        return 0
    highest = rules.elimination_score - rules.elimination_inclusive
    return max(0, (highest - score) // rules.first_drop)


def few_enough(rules: RuleSet, *, began: int, left: int) -> bool:
    """Return whether few enough are left to split: two or three, of as many as R8.4 says."""
    if rules.split_began == "any":
        return left in (2, 3)
    return (left in (2, 3) and began > 3) or (left == 2 and began == 3)


def split_parts(
    survivors: Sequence[Survivor], rules: RuleSet, *, entries: int
) -> dict[int, int] | None:
    """Return each survivor's part of the prize (R8.5), or None if less than `split_rest` entries are left.

    With u = pool / entries, a share is x * u + (pool - u * sum(x)) / n. Times n * entries / pool
    it is a whole number. Odd units are given away in the order of the seats returned.
    """
    drops = {survivor.seat: drops_left(survivor.score, rules) for survivor in survivors}
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
