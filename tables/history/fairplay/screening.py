"""Many pairs at once: a screen on some matches, the proof on others, false discoveries bounded. Pure."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from statistics import fmean
from typing import Final, TypeVar

from tables.history.fairplay.pairs import KINDS, Finding, Kind, Ledger, Pair, Trace, findings

# Matches that two players need together before anything is computed of them.
LEAST_TOGETHER: Final = 12
# One match of three is for the screen: it lets one of ten honest pairs through for each kind.
_OF_ALL: Final = 3
SCREENED_AT: Final = 0.1
# Of the pairs found no more than this part is innocent on average (Benjamini and Hochberg).
FALSE_RATE: Final = 0.01

_ENOUGH_PAIRS: Final = 25
_STANDARD_ERRORS: Final = 2

Key = TypeVar("Key", bound=Hashable)


def is_for_screen(match: int) -> bool:
    """A match is always of the same half, whenever it is looked at."""
    return match % _OF_ALL == 0


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof of one kind: the finding in fresh matches, and the rate of false discoveries at which
    the pair would just be found by it."""

    finding: Finding
    q: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence about one pair.

    `screen`: by kind, in the first matches. `proofs`: for the kinds that passed the screen, in the
    other matches.
    """

    matches: int
    screen: Mapping[Kind, Finding]
    proofs: Mapping[Kind, Proof]

    @property
    def q(self) -> float:
        return min((proof.q for proof in self.proofs.values()), default=1.0)

    @property
    def is_found(self) -> bool:
        return self.q <= FALSE_RATE


def evidence(traces: Iterable[Trace]) -> dict[Pair, Evidence]:
    """Return the evidence about every two players with enough matches together, the lower user first."""
    everything = list(traces)
    together = Counter(
        (trace.giver, trace.taker) for trace in everything if trace.giver < trace.taker
    )
    pairs = [pair for pair, count in together.items() if count >= LEAST_TOGETHER]
    screen = findings(Ledger.of(t for t in everything if is_for_screen(t.match)), pairs)
    passed = {
        pair: {kind for kind, finding in kinds.items() if finding.p <= SCREENED_AT}
        for pair, kinds in screen.items()
    }
    fresh = Ledger.of(t for t in everything if not is_for_screen(t.match))
    proven = findings(fresh, pairs)
    spreads = spread_of(proven)
    calibrated = {
        (pair, kind): finding.calibrated(spreads[kind])
        for pair, kinds in proven.items()
        for kind, finding in kinds.items()
        if kind in passed[pair]
    }
    qs = adjusted({key: finding.p for key, finding in calibrated.items()})
    return {
        pair: Evidence(
            together[pair],
            screen[pair],
            {
                kind: Proof(calibrated[pair, kind], qs[pair, kind])
                for kind in KINDS
                if (pair, kind) in calibrated
            },
        )
        for pair in pairs
    }


def spread_of(found: Mapping[Pair, Mapping[Kind, Finding]]) -> dict[Kind, float]:
    """Return, by kind, the factor by which z is surely wider than a normal variate; at least 1.

    The lower half of all pairs decides, as it contains no guilty pair.
    """
    spreads: dict[Kind, float] = {}
    for kind in KINDS:
        zs = [kinds[kind].z for kinds in found.values() if kind in kinds]
        below = [z**2 for z in zs if z < 0]
        if len(below) < _ENOUGH_PAIRS:
            spreads[kind] = 1.0
            continue
        width = sqrt(fmean(below))
        error = width / sqrt(2 * len(below))
        spreads[kind] = max(1.0, width - _STANDARD_ERRORS * error)
    return spreads


def adjusted(ps: Mapping[Key, float]) -> dict[Key, float]:
    """Benjamini and Hochberg: the rate of false discoveries at which each one would just be found."""
    ranked = sorted(ps.items(), key=lambda entry: entry[1], reverse=True)
    least = 1.0
    qs = {}
    for place, (key, p) in zip(range(len(ranked), 0, -1), ranked, strict=True):
        least = min(least, p * len(ranked) / place)
        qs[key] = least
    return qs
