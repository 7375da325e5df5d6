"""The value of a deal to a pool match: points become chances to win the pot (R8).

A player's chance is taken to be their part of everybody's room below the limit, each room to a
power. With 1.2 it is within 7 % of the exact chances of two players who win deals equally often. Where
the prize itself is offered between two deals, the plain part of the room does.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.indian.rules.ruleset import RuleSet

_POWER: Final = 1.2
# What somebody who loses a deal pays on average.
_USUAL_LOSS: Final = 28
# The loss of a hand that is played, as parts of what it counts now, alike in chance.
_LOSSES: Final = (0.3, 0.8, 1.3)


def chance(own: float, others: Sequence[float]) -> float:
    """Return the chance to win the pot. Nobody without room is in."""
    weights = [max(0.0, room) ** _POWER for room in (own, *others)]
    total = sum(weights)
    return weights[0] / total if total else 0.0


def room(score: int, rules: RuleSet) -> int:
    """Return the points that a player may still lose and stay in, plus one."""
    return (rules.elimination_score or 0) + (not rules.elimination_inclusive) - score


def rooms_of(match: Mapping[str, Any], rules: RuleSet) -> dict[int, int]:
    """Return the room of every survivor, by seat."""
    return {
        int(seat): room(standing["score"], rules)
        for seat, standing in match["standings"].items()
        if standing["membership"] == "in"
    }


def is_drop_better(
    public: Mapping[str, Any], seat: int, rules: RuleSet, *, points: int, net: float, count: int
) -> bool:
    """Return whether a drop for `points` leaves a better chance than playing the hand on.

    `net` is the result expected of the hand, and the hand counts `count` now. A drop that
    eliminates is never better.
    """
    rooms = rooms_of(public["match"], rules)
    own = rooms.pop(seat)
    if own <= points:
        return False
    playing = [
        other for other in rooms if public["players"].get(str(other), {}).get("status") == "playing"
    ]
    others = list(rooms.values())
    losses = [min(rules.max_points, max(2.0, part * count)) for part in _LOSSES]
    mean = sum(losses) / len(losses)
    gain = _USUAL_LOSS * max(1, len(playing))
    wins = min(0.95, max(0.02, (net + mean) / (gain + mean)))
    hit = [left - _USUAL_LOSS if other in playing else left for other, left in rooms.items()]
    after_win = chance(own, hit)
    # One of the others wins; the rest pay.
    part = (len(playing) - 1) / max(1, len(playing))
    paying = [
        left - part * _USUAL_LOSS if other in playing else left for other, left in rooms.items()
    ]
    after_loss = sum(chance(own - lost, paying) for lost in losses) / len(losses)
    after_drop = chance(own - points, paying if len(playing) > 1 else others)
    return after_drop > wins * after_win + (1 - wins) * after_loss


# --- Between two deals.


def is_worth_rejoining(match: Mapping[str, Any], rules: RuleSet) -> bool:
    """Return whether the chance to win the prize, with one more entry in it, is worth that entry (R8.2)."""
    left_in = rooms_of(match, rules).values()
    own: int = room(match["rejoin_score"], rules)
    entries: int = sum(standing["entries"] for standing in match["standings"].values()) + 1
    return own * entries >= own + sum(left_in)


def is_fair_split(match: Mapping[str, Any], seat: int, rules: RuleSet) -> bool:
    """Return whether the share offered is at least the chance to win everything (R8.4)."""
    parts, rooms = match["split_parts"], rooms_of(match, rules)
    own_part, own_room = parts[str(seat)], rooms[seat]
    share: bool = own_part * sum(rooms.values()) >= own_room * sum(parts.values())
    return share
