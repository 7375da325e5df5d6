"""How long players were away, by kind of fault."""

import statistics
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from bench.chaos.players import Player


@dataclass
class Record:
    """Each fault with when it began and when the next one could; what the checks have found."""

    faults: list[tuple[str, float, float]] = field(default_factory=list)
    late: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    wrong: list[str] = field(default_factory=list)
    checks: int = 0


def longest_silence(heard: Sequence[float], begin: float, end: float) -> float:
    """The longest time between two words of the server that touches `begin` to `end`."""
    first = max(0, bisect_right(heard, begin) - 1)
    last = bisect_left(heard, end)
    times = [*heard[first : last + 1]]
    if not times or times[-1] < end:
        times.append(end)
    return max((b - a for a, b in pairwise(times)), default=end - begin)


def report(record: Record, players: Sequence[Player], kills: frozenset[str]) -> str:
    away: dict[str, list[float]] = defaultdict(list)
    for kind, begin, end in record.faults:
        away[kind] += [longest_silence(player.heard, begin, end) for player in players]
    acked = sum(len(player.acked) for player in players)
    killed = sum(kind in kills for kind, _, _ in record.faults)
    summary = (
        f"{killed} kills and {len(record.faults) - killed} other faults; {acked} moves"
        f" acknowledged; {record.checks} checks, {len(record.wrong)} things wrong; secrets seen"
        f" {sum(len(player.secrets) for player in players)}"
    )
    lines = [summary]
    for kind in sorted(away):
        times = sorted(away[kind])
        late = record.late[kind]
        lines.append(
            f"{kind:16} {sum(one == kind for one, _, _ in record.faults):4} times: away p50"
            f" {statistics.median(times):5.2f} p95 {times[int(len(times) * 0.95)]:5.2f} longest"
            f" {times[-1]:5.2f} s; deadlines late afterwards {max(late, default=0):4.1f} s at most"
        )
    return "\n".join([*lines, *record.wrong[:20]])
