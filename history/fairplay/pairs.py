"""The evidence of many matches about two players, as one p-value for each kind. Pure.

The unit is the match, because nothing within a match is independent. Two null distributions are exact for honest
players. One permutes, within a match, which opponent comes next. The other permutes which of a player's matches were
those with the other player. It is no evidence that two players often play together.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from statistics import NormalDist, fmean
from typing import Final, Literal, TypeVar

from games.engine.game import PairSums
from history.fairplay.tails import (
    Part,
    compute_normal_tail,
    compute_tail_of_choice,
    compute_tail_of_sum,
)

Kind = Literal["feeding", "withholding", "dumping", "picks", "money"]
KINDS: Final[tuple[Kind, ...]] = ("feeding", "withholding", "dumping", "picks", "money")

# Fewer matches with or without the partner prove nothing.
LEAST_MATCHES: Final = 3
# A partner with evidence this strong is left out when the player's other partners are examined, so that
# their matches together do not count against a third player.
_STRONG: Final = 1e-4
_MOST_STRONG: Final = 4
# Prior: before any data, a player is assumed to have received this many points, exactly as expected.
_PRIOR_POINTS: Final = 400.0
# Cap on the mean loss of a decision in one match, in points.
_MOST_LOSS: Final = 60.0


@dataclass(frozen=True, slots=True)
class Trace:
    """The sums for a giver and a taker in one match. `giver` and `taker` are user ids."""

    match: int
    giver: int
    taker: int
    sums: PairSums


@dataclass(frozen=True, slots=True)
class Finding:
    """The result for one kind of evidence: the number of matches that could show it, and the p-value.

    `giver` is the player who helped the other one. It is None if the test treats both players alike.
    """

    matches: int
    p: float
    giver: int | None = None

    @property
    def z(self) -> float:
        """Return the p-value as standard deviations of a normal distribution."""
        return -NormalDist().inv_cdf(min(max(self.p, 1e-300), 1 - 1e-12))

    def calibrate(self, spread: float) -> "Finding":
        """Return the finding with its z divided by `spread`, if `spread` is above 1."""
        return self if spread <= 1 else replace(self, p=compute_normal_tail(self.z / spread))


Pair = tuple[int, int]


@dataclass
class Ledger:
    """Traces by match, by player and by pair. Of each match it has all traces or none."""

    by_match: defaultdict[int, dict[Pair, PairSums]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    matches_of: defaultdict[int, dict[int, None]] = field(default_factory=lambda: defaultdict(dict))
    received: defaultdict[Pair, float] = field(default_factory=lambda: defaultdict(float))
    due: defaultdict[Pair, float] = field(default_factory=lambda: defaultdict(float))
    all_received: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    all_due: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))

    @classmethod
    def of(cls, traces: Iterable[Trace]) -> "Ledger":
        ledger = cls()
        for trace in traces:
            pair = trace.giver, trace.taker
            ledger.by_match[trace.match][pair] = trace.sums
            ledger.matches_of[trace.giver][trace.match] = None
            ledger.received[pair] += trace.sums.paid
            ledger.due[pair] += trace.sums.paid_due
            ledger.all_received[trace.taker] += trace.sums.paid
            ledger.all_due[trace.taker] += trace.sums.paid_due
        return ledger

    def list_matches_together(self, pair: Pair) -> list[int]:
        """Return the pair's common matches in order."""
        return [match for match in self.matches_of[pair[0]] if pair in self.by_match[match]]

    def strength(self, player: int, without: int) -> float:
        """Return the points that others lost to this player, divided by the points expected from the hands dealt.

        The losses of the player `without` are left out of both numbers.
        """
        received = self.all_received[player] - self.received[without, player]
        due = self.all_due[player] - self.due[without, player]
        return (received + _PRIOR_POINTS) / (due + _PRIOR_POINTS)


def compute_findings(ledger: Ledger, pairs: Collection[Pair]) -> dict[Pair, dict[Kind, Finding]]:
    """Return the findings for each pair (lower user id first). Kinds with too few matches are left out."""
    found: dict[Pair, dict[Kind, Finding]] = {pair: {} for pair in pairs}
    directed = {(a, b) for pair in pairs for a, b in (pair, pair[::-1])}
    for pair in pairs:
        _record(found[pair], "feeding", _score_feeding(ledger, pair))
        _record_both(
            found[pair], "money", [_test_losses(ledger, a, b) for a, b in (pair, pair[::-1])]
        )
    compared: dict[Kind, dict[Pair, Finding]] = {
        "withholding": _compare(ledger, directed, _list_withheld),
        "dumping": _compare(ledger, directed, _list_given_away),
        "picks": _compare(ledger, directed, _list_picked),
    }
    for kind, by_direction in compared.items():
        for pair in pairs:
            both = [by_direction.get(way) for way in (pair, pair[::-1])]
            _record_both(found[pair], kind, both)
    return found


def _record(found: dict[Kind, Finding], kind: Kind, finding: Finding | None) -> None:
    if finding is not None:
        found[kind] = finding


def _record_both(
    found: dict[Kind, Finding], kind: Kind, directions: Sequence[Finding | None]
) -> None:
    """Record in `found` the stronger finding of the two directions, with its p-value corrected for two tests.

    The corrected p-value is the probability that the smaller p-value of two tests is at least as small.
    """
    known = [finding for finding in directions if finding is not None]
    if known:
        best = min(known, key=lambda finding: finding.p)
        p = best.p * (2 - best.p) if len(known) > 1 else best.p
        found[kind] = Finding(best.matches, p, best.giver)


# --- Permuting opponents within a match.


def _score_feeding(ledger: Ledger, pair: Pair) -> Finding | None:
    """Score how much the two players have fed each other, with both directions merged into one finding.

    Return None if too few matches could show feeding.
    """
    parts: list[Part] = []
    observed, informative = 0.0, 0
    for match in ledger.list_matches_together(pair):
        is_informative = False
        for way in (pair, pair[::-1]):
            sums = ledger.by_match[match].get(way)
            if sums is not None and sums.feeding_others:
                labels = (sums.feeding, *sums.feeding_others)
                parts.append([(label, 1 / len(labels)) for label in labels])
                observed += sums.feeding
                is_informative = True
        informative += is_informative
    if informative < LEAST_MATCHES:
        return None
    return Finding(informative, compute_tail_of_sum(observed, parts))


def _test_losses(ledger: Ledger, giver: int, taker: int) -> Finding | None:
    """Test whether the giver lost more to the taker than the hands dealt and each opponent's skill explain.

    Return None if there are too few matches in which the giver could have lost to others, too.
    """
    parts: list[Part] = []
    observed = 0.0
    for match in ledger.list_matches_together((giver, taker)):
        rows = ledger.by_match[match]
        due = {b: sums.paid_due for (a, b), sums in rows.items() if a == giver}
        lost = sum(due.values())
        if len(due) < 2 or lost <= 0:  # noqa: PLR2004 - somebody else might have won it
            continue
        weights = {b: worth * ledger.strength(b, giver) for b, worth in due.items()}
        chance = weights[taker] / sum(weights.values())
        parts.append([(lost * (1 - chance), chance), (-lost * chance, 1 - chance)])
        observed += rows[giver, taker].paid - lost * chance
    if len(parts) < LEAST_MATCHES:
        return None
    return Finding(len(parts), compute_tail_of_sum(observed, parts), giver)


# --- Permuting the matches with the other player and those without.


@dataclass(frozen=True, slots=True)
class _Value:
    """The value of one match in a test of one player. `others` are the other players of the match.

    `of` maps each other player who can be tested to the value in their test. `worth` is the value in the tests of
    players who were not in the match.
    """

    worth: float
    others: frozenset[int]
    of: Mapping[int, float]


def _list_given_away(ledger: Ledger, player: int) -> list[_Value]:
    """Return, for each match, the mean loss of the player's decisions.

    The value for another player is the mean over the decisions that were made while that player was in the deal.
    """
    values = []
    for match in ledger.matches_of[player]:
        rows = {b: s for (a, b), s in ledger.by_match[match].items() if a == player}
        decisions = sum(sums.decisions for sums in rows.values())
        if not decisions:
            continue
        worth = min(_MOST_LOSS, sum(sums.loss for sums in rows.values()) / decisions)
        of = {b: min(_MOST_LOSS, s.loss / s.decisions) for b, s in rows.items() if s.decisions}
        values.append(_Value(worth, frozenset(rows), of))
    return values


def _list_withheld(ledger: Ledger, player: int) -> list[_Value]:
    """Return, for each match, how much help the player withheld from the players who come next.

    It is attributed to the remaining players of the match, who may profit from it.
    """
    values = []
    for match in ledger.matches_of[player]:
        rows = {b: s for (a, b), s in ledger.by_match[match].items() if a == player}
        fed = [b for b, sums in rows.items() if sums.feeding_others]
        if fed:
            spared = -sum(rows[b].feeding for b in fed)
            of = {b: spared for b in rows if b not in fed}
            values.append(_Value(spared, frozenset(rows), of))
    return values


def _list_picked(ledger: Ledger, player: int) -> list[_Value]:
    """Return, for each match, how many discards of the preceding player this player drew beyond the expected number.

    The expected number follows from the usefulness of the discards.
    """
    values = []
    for match in ledger.matches_of[player]:
        for (giver, taker), sums in ledger.by_match[match].items():
            if taker == player and sums.offered:
                excess = sums.picked - sums.picks_due
                values.append(_Value(excess, frozenset([giver]), {giver: excess}))
    return values


def _compare(
    ledger: Ledger, directed: Collection[Pair], values_of: Callable[[Ledger, int], list[_Value]]
) -> dict[Pair, Finding]:
    """Compare each player's matches with another player to their matches without that player.

    Return a finding for each (player, other). Matches with partners against whom the evidence is strong are left out,
    one partner after another, so that they do not distort the comparison with the rest.
    """
    partners: defaultdict[int, set[int]] = defaultdict(set)
    for player, other in directed:
        partners[player].add(other)
    found: dict[Pair, Finding] = {}
    for player, others in partners.items():
        values = values_of(ledger, player)
        strong: set[int] = set()
        while True:
            left = [value for value in values if not value.others & strong]
            now = {
                other: finding
                for other in sorted(others - strong)
                if (finding := _compare_with_other(left, player, other)) is not None
            }
            for other, finding in now.items():
                found[player, other] = finding
            for other in others - strong - set(now):
                found.pop((player, other), None)
            best = min(now, key=lambda other: now[other].p, default=None)
            if best is None or now[best].p > _STRONG or len(strong) >= _MOST_STRONG:
                break
            strong.add(best)
    return found


def _compare_with_other(values: Sequence[_Value], player: int, other: int) -> Finding | None:
    chosen = [value.of[other] for value in values if other in value.of]
    without = [value.worth for value in values if other not in value.others]
    if min(len(chosen), len(without)) < LEAST_MATCHES:
        return None
    return Finding(len(chosen), compute_tail_of_choice(chosen, without), player)


# Matches that two players need together before they are examined.
LEAST_TOGETHER: Final = 12
# At most this share of the reported pairs is innocent on average (Benjamini and Hochberg).
FALSE_RATE: Final = 0.01
# The same for the pairs shown to staff.
SHOWN_AT: Final = 0.1

_ENOUGH_PAIRS: Final = 25
_STANDARD_ERRORS: Final = 2

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Weighed:
    """The finding for one kind of evidence.

    `q` is the lowest false discovery rate at which the pair would be reported.
    """

    finding: Finding
    q: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence about a pair: the number of their common matches, and the finding for each kind of evidence."""

    matches: int
    kinds: Mapping[Kind, Weighed]

    @property
    def q(self) -> float:
        return min((weighed.q for weighed in self.kinds.values()), default=1.0)

    @property
    def is_found(self) -> bool:
        return self.q <= FALSE_RATE


def compute_evidence(traces: Iterable[Trace]) -> dict[Pair, Evidence]:
    """Return the evidence about every pair with enough common matches. A pair names the lower user id first."""
    everything = list(traces)
    together = Counter(
        (trace.giver, trace.taker) for trace in everything if trace.giver < trace.taker
    )
    pairs = [pair for pair, count in together.items() if count >= LEAST_TOGETHER]
    found = compute_findings(Ledger.of(everything), pairs)
    spreads = estimate_spread(found)
    calibrated = {
        (pair, kind): finding.calibrate(spreads[kind])
        for pair, kinds in found.items()
        for kind, finding in kinds.items()
    }
    qs = adjust_p_values({key: finding.p for key, finding in calibrated.items()})
    return {
        pair: Evidence(
            together[pair],
            {kind: Weighed(calibrated[pair, kind], qs[pair, kind]) for kind in found[pair]},
        )
        for pair in pairs
    }


def estimate_spread(found: Mapping[Pair, Mapping[Kind, Finding]]) -> dict[Kind, float]:
    """Return, for each kind of evidence, by what factor z varies more than a standard normal variate.

    The factor is estimated with caution from the pairs with a negative z, among which no pair is guilty. It is at least
    1.
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


def adjust_p_values(ps: Mapping[Key, float]) -> dict[Key, float]:
    """Return the p-values, adjusted by Benjamini and Hochberg.

    Each is then the lowest false discovery rate at which its key would be reported.
    """
    ranked = sorted(ps.items(), key=lambda entry: entry[1], reverse=True)
    least = 1.0
    qs = {}
    for place, (key, p) in zip(range(len(ranked), 0, -1), ranked, strict=True):
        least = min(least, p * len(ranked) / place)
        qs[key] = least
    return qs
