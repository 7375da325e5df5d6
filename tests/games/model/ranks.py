"""Leaders, qualifiers, ranks, and shares of a prize (R8.3 to R8.8, R9.2, R10.4, R10.13)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from games.indian.rules.ruleset import RuleSet


@dataclass
class Member:
    seat: int
    chips: int
    membership: str = "in"
    score: int = 0
    deals_won: int = 0
    entries: int = 1
    # The last deal of a player who is out of the match.
    last_deal: int | None = None
    # R10.4: points in the tie-breakers that decide which players qualify.
    ties: tuple[int, ...] = ()

    @property
    def is_in(self) -> bool:
        return self.membership == "in"


def key(member: Member, rules: RuleSet) -> tuple[Any, ...]:
    """Return a key that sorts better members first."""
    if rules.qualifiers is not None:
        if rules.elimination_score is not None:  # R10.13
            return (member.score,)
        return (-member.chips, -member.deals_won, member.score, member.ties)
    return (-member.chips, member.score)


def find_leaders(members: list[Member], rules: RuleSet) -> list[int]:
    """Return the winners if the match ended now: all remaining players with the best rank."""
    best_by = _choose_winning_key(rules)
    staying = [one for one in members if one.is_in]
    best = min((best_by(one) for one in staying), default=None)
    return [one.seat for one in staying if best_by(one) == best]


def _choose_winning_key(rules: RuleSet) -> Callable[[Member], Any]:
    if rules.qualifiers is not None:
        return lambda one: key(one, rules)
    if rules.chips_per_deal:
        return lambda one: -one.chips
    return lambda one: one.score


def list_undecided(members: list[Member], rules: RuleSet) -> list[int]:
    """Return the players who need a tie-breaker after the last deal."""
    if rules.qualifiers is None:
        equal = find_leaders(members, rules)
        return equal if len(equal) > 1 else []
    ranked = sorted((one for one in members if one.is_in), key=lambda one: key(one, rules))
    if len(ranked) <= rules.qualifiers:
        return []
    last, next_one = (key(one, rules) for one in ranked[rules.qualifiers - 1 :][:2])
    return [one.seat for one in ranked if key(one, rules) == last] if last == next_one else []


def rank_members(members: list[Member], winners: list[int], rules: RuleSet) -> dict[int, int]:
    stayed = max((one.last_deal or 0 for one in members), default=0) + 1

    def place(one: Member) -> tuple[Any, ...]:
        if one.seat in winners:
            return (0,)
        return (1, -(one.last_deal or stayed), key(one, rules))

    places = {one.seat: place(one) for one in members}
    return {
        seat: 1 + sum(other < mine for other in places.values()) for seat, mine in places.items()
    }


# Shares of a prize as fractions (R8.3 to R8.6).


def count_drops_left(score: int, rules: RuleSet) -> int:
    """R8.3: return how many first drops the player could still take without being out."""
    assert rules.elimination_score is not None
    if not rules.first_drop:
        return 0
    drops = 0
    while not is_out(score + (drops + 1) * rules.first_drop, rules):
        drops += 1
    return drops


def is_out(score: int, rules: RuleSet) -> bool:
    """R8.1: return whether a player with this score is out."""
    assert rules.elimination_score is not None
    if rules.elimination_inclusive:
        return score >= rules.elimination_score
    return score > rules.elimination_score


@dataclass(frozen=True)
class Sharer:
    seat: int
    score: int
    drops: int


def divide_shares(sharers: list[Sharer], entries: int, least: int) -> dict[int, Fraction] | None:
    """R8.5: return the shares by seat, in the order in which seats get odd units. None if too little is left
    after the drops.
    """
    fewest = min(one.drops for one in sharers)
    unit = Fraction(1, entries)
    rest = 1 - unit * sum(one.drops - fewest for one in sharers)
    if rest < least * unit:
        return None
    ordered = sorted(sharers, key=lambda one: (-one.drops, one.score, one.seat))
    return {one.seat: (one.drops - fewest) * unit + rest / len(sharers) for one in ordered}


def round_to_units(parts: Mapping[int, Fraction], amount: int) -> dict[int, int]:
    """Return the prize in whole units. The units left over go one each in the order of `parts`."""
    whole = {seat: int(part * amount) for seat, part in parts.items()}
    for seat in list(parts)[: amount - sum(whole.values())]:
        whole[seat] += 1
    return whole
