"""The times that players were away and timers were late, by kind of fault, beside the goals."""

import statistics
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from bench.chaos.faults import KILLS
from bench.chaos.players import Player
from bench.chaos.timers import Timers

# Seconds until 95 of 100 players are back, where the machine is at rest.
GOAL, GOAL_OF_SERVERS = 2.0, 5.0
SERVERS = frozenset({"postmaster", "valkey"})
GOAL_OF_TIMERS = 3.0
SENTENCES = 20


@dataclass(frozen=True)
class Fault:
    kind: str
    began: float
    ended: float  # what was stopped or held is let go, a server is back
    over: float  # everybody is back

    @property
    def counts_from(self) -> float:
        """Nobody can be back before the database is."""
        return self.ended if self.kind in SERVERS else self.began


@dataclass
class Record:
    faults: list[Fault] = field(default_factory=list)
    # Each sentence once, however often it is found.
    wrong: dict[str, None] = field(default_factory=dict)
    checks: int = 0

    def note(self, sentences: Sequence[str]) -> None:
        self.wrong |= dict.fromkeys(sentences)

    @property
    def kills(self) -> int:
        return sum(one.kind in KILLS for one in self.faults)


def report(record: Record, players: Sequence[Player], timers: Timers) -> str:
    acked = sum(len(player.acked) for player in players)
    summary = (
        f"{record.kills} kills and {len(record.faults) - record.kills} other faults; {acked} moves"
        f" acknowledged: {_count(record, 'lost')} lost, {_count(record, 'doubled')} doubled; ledger"
        f" {_count(record, 'ledger')} times off; secrets seen {_count(record, 'secret')};"
        f" {record.checks} checks, {len(record.wrong)} things wrong"
    )
    by_kind: dict[str, list[Fault]] = defaultdict(list)
    for fault in record.faults:
        by_kind[fault.kind].append(fault)
    lines = [_line(kind, by_kind[kind], players, timers) for kind in sorted(by_kind)]
    return "\n".join([summary, *lines, *list(record.wrong)[:SENTENCES]])


def _count(record: Record, word: str) -> int:
    return sum(sentence.startswith(word) for sentence in record.wrong)


def _line(kind: str, faults: Sequence[Fault], players: Sequence[Player], timers: Timers) -> str:
    times = sorted(seconds_away(player, fault) for fault in faults for player in players)
    p95 = times[int(len(times) * 0.95)]
    late = max(timers.latest(fault.ended, fault.over) for fault in faults)
    away_goal = late_goal = server = ""
    if kind in KILLS:
        goal = GOAL_OF_SERVERS if kind in SERVERS else GOAL
        away_goal = f" (goal {goal:.0f}: {_met(p95, goal)})"
        late_goal = f" (goal {GOAL_OF_TIMERS:.0f}: {_met(late, GOAL_OF_TIMERS)})"
    if kind in SERVERS:
        gone = sorted(fault.ended - fault.began for fault in faults)
        server = f"; itself back after p50 {statistics.median(gone):.2f} longest {gone[-1]:.2f} s"
    late_goal += server
    return (
        f"{kind:14} {len(faults):3} times: away p50 {statistics.median(times):5.2f} p95 {p95:5.2f}"
        f"{away_goal} longest {times[-1]:5.2f} s; timers late by {late:.1f} s at most{late_goal}"
    )


def _met(figure: float, goal: float) -> str:
    return "met" if figure <= goal else "MISSED"


def seconds_away(player: Player, fault: Fault) -> float:
    """The longer of two: no word of the server, and a move without an answer."""
    begin, end = fault.counts_from, fault.over
    waits = [until - max(since, begin) for since, until in player.waits if since < end]
    return max(longest_silence(player.heard, begin, end), *waits, 0.0)


def longest_silence(heard: Sequence[float], begin: float, end: float) -> float:
    """The longest time between two words of the server that touches `begin` to `end`."""
    first = max(0, bisect_right(heard, begin) - 1)
    last = bisect_left(heard, end)
    times = [max(at, begin) for at in heard[first : last + 1]]
    if not times or times[-1] < end:
        times.append(end)
    return max((b - a for a, b in pairwise(times)), default=end - begin)
