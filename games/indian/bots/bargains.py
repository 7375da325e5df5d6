"""A bot's decisions between two deals: whether to rejoin, and whether to share the prize.

A player's chance to win is taken to be their part of the room left below the limit.
"""

from collections.abc import Mapping
from typing import Any

from games.indian.rules.ruleset import RuleSet


def is_worth_rejoining(match: Mapping[str, Any], rules: RuleSet) -> bool:
    """Return whether the chance to win the prize, with one more entry in it, is worth that entry (R8.2)."""
    left_in = _rooms(match, rules).values()
    own: int = _room(match["rejoin_score"], rules)
    entries: int = sum(standing["entries"] for standing in match["standings"].values()) + 1
    return own * entries >= own + sum(left_in)


def is_fair_split(match: Mapping[str, Any], seat: int, rules: RuleSet) -> bool:
    """Return whether the share offered is at least the chance to win everything (R8.4)."""
    parts, rooms = match["split_parts"], _rooms(match, rules)
    own_part, own_room = parts[str(seat)], rooms[str(seat)]
    share: bool = own_part * sum(rooms.values()) >= own_room * sum(parts.values())
    return share


def _rooms(match: Mapping[str, Any], rules: RuleSet) -> dict[str, int]:
    """Return the room of every survivor, by seat."""
    return {
        seat: _room(standing["score"], rules)
        for seat, standing in match["standings"].items()
        if standing["membership"] == "in"
    }


def _room(score: int, rules: RuleSet) -> int:
    return (rules.elimination_score or 0) + (not rules.elimination_inclusive) - score
