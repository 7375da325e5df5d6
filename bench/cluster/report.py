"""The report of a run: milliseconds of moves, seconds that people were away."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.chaos.players import Player

# Who waits no longer for an answer has noticed nothing.
NOTICED_SECONDS = 0.6


@dataclass(frozen=True, slots=True)
class Phase:
    """Nothing is killed; commits wait for the replica or do not."""

    is_synchronous: bool
    began: float
    ended: float


@dataclass(frozen=True, slots=True)
class Fault:
    """From when something was killed or stopped until the next thing was.

    `done`: it was dead or went on, or another server had taken its place.
    """

    what: str
    began: float
    done: float
    ended: float

    @property
    def lasted(self) -> float:
        return self.done - self.began


def moves_of(players: Iterable[Player], phases: Iterable[Phase]) -> str:
    """Milliseconds from a move to its answer."""
    spans = [(phase.began, phase.ended) for phase in phases]
    waits = [
        1000 * (answered - sent)
        for player in players
        for sent, answered in player.waits
        if any(began <= sent < ended for began, ended in spans)
    ]
    seconds = sum(ended - began for began, ended in spans)
    cut = statistics.quantiles(waits, n=100)
    return (
        f"{len(waits) / seconds:.0f} moves/s, p50 {cut[49]:.1f} p95 {cut[94]:.1f}"
        f" p99 {cut[98]:.1f} ms"
    )


def away_of(players: Sequence[Player], fault: Fault) -> list[float]:
    """Of each player who noticed: the seconds until they were connected and answered again."""
    seconds = []
    for player in players:
        lost = [back - at for at, back in player.losses if fault.began <= at < fault.ended]
        unanswered = [
            answered - max(sent, fault.began)
            for sent, answered in player.waits
            if fault.began - 10 <= sent < fault.ended and answered > fault.began
        ]
        longest = max([*lost, *(wait for wait in unanswered if wait > NOTICED_SECONDS)], default=0)
        if longest:
            seconds.append(longest)
    return sorted(seconds)


def line_of(players: Sequence[Player], fault: Fault) -> str:
    seconds = away_of(players, fault)
    if not seconds:
        return f"{fault.what}: nobody noticed"
    p95 = seconds[min(len(seconds) - 1, int(0.95 * len(seconds)))]
    return (
        f"{fault.what} (over after {fault.lasted:.2f} s): {len(seconds)} of"
        f" {len(players)} players noticed; back after p50 {statistics.median(seconds):.2f},"
        f" p95 {p95:.2f}, longest {seconds[-1]:.2f} s"
    )
