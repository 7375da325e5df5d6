"""Whether a bot comes back, and whether it shares the prize: what its score is worth.

A player's chance is taken to be their part of the room that is left below the limit.
"""

from collections.abc import Mapping
from typing import Any

from games.indian.rules.ruleset import RuleSet


def is_worth_rejoining(match: Mapping[str, Any], rules: RuleSet) -> bool:
    """R8.2: if the chance to win the prize, with one more entry in it, is worth that entry."""
    left_in = _rooms(match, rules).values()
    own: int = _room(match["rejoin_score"], rules)
    entries: int = sum(standing["entries"] for standing in match["standings"].values()) + 1
    return own * entries >= own + sum(left_in)


def is_fair_split(match: Mapping[str, Any], seat: int, rules: RuleSet) -> bool:
    """R8.4: if the share offered is at least the chance to win everything."""
    parts, rooms = match["split_parts"], _rooms(match, rules)
    own_part, own_room = parts[str(seat)], rooms[str(seat)]
    share: bool = own_part * sum(rooms.values()) >= own_room * sum(parts.values())
    return share


def _rooms(match: Mapping[str, Any], rules: RuleSet) -> dict[str, int]:
    """By seat, of everybody left in."""
    return {
        seat: _room(standing["score"], rules)
        for seat, standing in match["standings"].items()
        if standing["membership"] == "in"
    }


def _room(score: int, rules: RuleSet) -> int:
    return (rules.elimination_score or 0) + (not rules.elimination_inclusive) - score
