"""Measure how many planted colluders are found and how many honest friends are accused (docs/fair-play.md).

    bin/bench collusion
    bin/bench collusion --game gin --bots 60          # where only dumping is left
    nice -n 15 python -m bench.collusion --minutes 60 --processes 2 --keep /tmp/traces.jsonl

Bots play in clubs of twenty, which have ten pairs each and choose the same tables. Half of the pairs are
honest friends. The others feed, dump, or both, at full, half and quarter rate. In two of three matches a pair
sits with another pair of its club, in random order; in the third each of them sits at a table without the
partner.

Once every pair has met 20, 40, 80 and 160 times, the bench prints how many were found and how many falsely
accused, with 95 % intervals of Clopper and Pearson. It also prints the cost of tracing a match.
"""

import argparse
import os
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, lgamma, log, log1p
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from bench.colluders import Player, play_deal, traces_of
from bench.figures import compute_percentile
from games.registry import GAMES
from history.fairplay.pairs import FALSE_RATE, Evidence, Pair, Trace, compute_evidence

if TYPE_CHECKING:
    from games.engine.base import Strength

_CLUB_PAIRS: Final = 10
_RATES: Final = {"full": 1.0, "half": 0.5, "quarter": 0.25}
_WAYS: Final = ("feeding", "dumping", "both")
HONEST: Final = "honest friends"
_SEATS: Final = {"gin": 2}
_HALVINGS: Final = 50


@dataclass(frozen=True, slots=True)
class World:
    """The players by user, the clubs as lists of pairs, and the sort of each regular pair.

    The sort is `honest friends`, or a way to collude and its rate.
    """

    players: dict[int, Player]
    clubs: list[list[Pair]]
    sorts: dict[Pair, str]


def world_of(bots: int, seed: int, ways: Sequence[str] = _WAYS) -> World:
    """Make half of the pairs honest, and spread the others evenly over the ways and rates."""
    rng = random.Random(f"world/{seed}")  # noqa: S311 - repeats
    pairs = [(user, user + 1) for user in range(1, bots, 2)]
    planted = [f"{way}, {rate}" for way in ways for rate in _RATES]
    sorts = {
        pair: HONEST if number % 2 == 0 else planted[number // 2 % len(planted)]
        for number, pair in enumerate(pairs)
    }
    players = {}
    for pair, sort in sorts.items():
        way, _, rate = sort.partition(", ")
        for user, partner in (pair, pair[::-1]):
            feeds = _RATES[rate] if way in ("feeding", "both") else 0.0
            # The first of a pair passes chips to the second.
            dumps = _RATES[rate] if way in ("dumping", "both") and user == pair[0] else 0.0
            is_medium = rng.random() < 0.7  # noqa: PLR2004 - the mixture
            strength: Strength = "medium" if is_medium else "hard"
            colludes = partner if feeds or dumps else 0
            players[user] = Player(user, strength, colludes, feeds, dumps)
    rng.shuffle(pairs)
    clubs = [pairs[at : at + _CLUB_PAIRS] for at in range(0, len(pairs), _CLUB_PAIRS)]
    return World(players, clubs, sorts)


def _list_ways(game: str, seats: int) -> Sequence[str]:
    """Return the ways of colluding to plant. With two seats, or in Rummikub, a partner cannot be fed."""
    return ("dumping",) if seats == 2 or game == "rummikub" else _WAYS  # noqa: PLR2004


def generate_rounds(world: World, seed: int, seats: int) -> Iterator[list[list[Player]]]:
    """Yield the tables of one round after another. Every pair meets once in each round."""
    rng = random.Random(f"rounds/{seed}")  # noqa: S311 - repeats
    number = 0
    while True:
        tables = [table for club in world.clubs for table in _of_pairs(club, seats, rng)]
        if number % 2:
            tables += [table for club in world.clubs for table in _seat_apart(club, seats, rng)]
        number += 1
        yield [[world.players[user] for user in table] for table in tables]


def _of_pairs(club: Sequence[Pair], seats: int, rng: random.Random) -> list[list[int]]:
    """Seat each pair together, at full tables."""
    mixed = list(club)
    rng.shuffle(mixed)
    return _full_tables(mixed, seats // 2, rng)


def _seat_apart(club: Sequence[Pair], seats: int, rng: random.Random) -> list[list[int]]:
    """Seat everybody once, at a table without their partner."""
    mixed = list(club)
    rng.shuffle(mixed)
    sides = ([(pair[side],) for pair in mixed] for side in (0, 1))
    return [table for side in sides for table in _full_tables(side, seats, rng)]


def _full_tables(
    groups: Sequence[tuple[int, ...]], at_a_table: int, rng: random.Random
) -> list[list[int]]:
    """Seat the groups in the given order. Some play twice, to fill the last table."""
    tables = []
    for at in range(0, len(groups), at_a_table):
        sitting = list(groups[at : at + at_a_table])
        while len(sitting) < at_a_table:
            sitting.append(rng.choice([group for group in groups if group not in sitting]))
        table = [user for group in sitting for user in group]
        rng.shuffle(table)
        tables.append(table)
    return tables


def _match(job: tuple[int, Sequence[Player], int, str]) -> tuple[list[Trace], float]:
    number, players, seed, code = job
    game = GAMES[code]
    record = play_deal(players, f"collusion/{seed}/{number}", game)
    began = time.process_time()
    traces = traces_of(number, players, record, game)
    return traces, time.process_time() - began


@dataclass(frozen=True, slots=True)
class Line:
    """The result for one sort of pairs: their number, how many were found, and by which kinds of evidence."""

    sort: str
    pairs: int
    found: int
    kinds: Counter[str]

    def __str__(self) -> str:
        low, high = compute_interval(self.found, self.pairs)
        kinds = ", ".join(f"{kind} {count}" for kind, count in self.kinds.most_common())
        share = f"{self.found} of {self.pairs}"
        return f"| {self.sort} | {share} | {low:.1%} to {high:.1%} | {kinds} |"


def compute_interval(count: int, total: int, level: float = 0.95) -> tuple[float, float]:
    """Return the exact Clopper-Pearson interval for a share of `count` out of `total`."""
    tail = (1 - level) / 2
    low = _share_with(lambda share: _compute_chance(count, total, share), tail) if count else 0.0
    above = _share_with(lambda share: _compute_chance(count + 1, total, share), 1 - tail)
    return low, above if count < total else 1.0


def _compute_chance(count: int, total: int, share: float) -> float:
    """Return the probability of at least `count` out of `total`."""
    return sum(
        exp(lgamma(total + 1) - lgamma(k + 1) - lgamma(total - k + 1)
            + k * log(share) + (total - k) * log1p(-share))
        for k in range(count, total + 1)
    )  # fmt: skip


def _share_with(chance: Callable[[float], float], wanted: float) -> float:
    """Return the share between 0 and 1 at which the increasing function `chance` reaches `wanted`."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if chance(middle) < wanted else (low, middle)
    return low


def list_lines(world: World, found: dict[Pair, Evidence]) -> list[Line]:
    """Return a line for each sort of pairs. Pairs that only met by chance come last."""
    sorted_pairs: defaultdict[str, list[Pair]] = defaultdict(list)
    for pair, sort in world.sorts.items():
        sorted_pairs[sort].append(pair)
    for pair in found:
        if pair not in world.sorts:
            colludes = any(world.players[user].partner for user in pair)
            sort = "others, one a colluder" if colludes else "others, both honest"
            sorted_pairs[sort].append(pair)
    result = []
    for sort in sorted(sorted_pairs, key=lambda name: (name.startswith("others"), name)):
        kinds: Counter[str] = Counter()
        number = 0
        for pair in sorted_pairs[sort]:
            if pair in found and found[pair].is_found:
                number += 1
                weighed = found[pair].kinds.items()
                kinds.update(kind for kind, one in weighed if one.q <= FALSE_RATE)
        result.append(Line(sort, len(sorted_pairs[sort]), number, kinds))
    return result


def report(world: World, traces: Iterable[Trace], meetings: int) -> None:
    began = time.process_time()
    found = compute_evidence(traces)
    took = time.process_time() - began
    made = list_lines(world, found)
    print(f"\n{meetings} matches together ({len(found)} pairs tested in {took:.0f} s)\n")
    print("| pairs | found | 95 % interval | by |\n|---|---|---|---|")
    for line in made:
        print(line)
    full = [line for line in made if line.sort.endswith("full")]
    friends = [line for line in made if line.sort == HONEST]
    others = [line for line in made if line.sort.startswith("others")]
    for name, some in (("all at full rate", full), ("all not colluding", friends + others)):
        print(Line(name, sum(x.pairs for x in some), sum(x.found for x in some), Counter()))
    sys.stdout.flush()


def run(given: argparse.Namespace) -> None:
    """Play matches, or read those kept by an earlier run, and report after each number of meetings."""
    world = world_of(given.bots, given.seed, _list_ways(given.game, given.seats))
    keep = Path(given.keep or os.devnull)
    lines_kept = keep.read_bytes().splitlines() if keep.is_file() else []
    traces = [msgspec.json.decode(line, type=Trace) for line in lines_kept]
    kept = {trace.match for trace in traces}
    costs: list[float] = []
    until = time.monotonic() + given.minutes * 60
    number = 0
    with get_context("spawn").Pool(given.processes) as pool, keep.open("ab") as keeping:
        for meetings, tables in enumerate(generate_rounds(world, given.seed, given.seats), 1):
            jobs = [(number + at, table, given.seed, given.game) for at, table in enumerate(tables)]
            number += len(jobs)
            for made, cost in pool.imap(_match, [job for job in jobs if job[0] not in kept], 4):
                traces += made
                costs.append(cost)
                keeping.writelines(msgspec.json.encode(trace) + b"\n" for trace in made)
            is_over = meetings >= max(given.meetings) or time.monotonic() > until
            if is_over or meetings in given.meetings:
                report(world, [trace for trace in traces if trace.match < number], meetings)
                print(f"{number} matches", flush=True)
                if costs:
                    p50, p95 = (1000 * compute_percentile(costs, part) for part in (50, 95))
                    print(
                        f"tracing one: median {p50:.0f} ms, 95 of 100 below {p95:.0f} ms",
                        flush=True,
                    )
            if is_over:
                break


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", type=int, default=200)
    parser.add_argument("--game", choices=GAMES, default="indian")
    parser.add_argument("--seats", type=int, choices=(2, 4, 6))
    parser.add_argument("--meetings", type=int, nargs="*", default=[20, 40, 80, 160])
    parser.add_argument("--minutes", type=float, default=24 * 60)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="a file for the sums; matches in it are not played again")
    given = parser.parse_args()
    given.seats = given.seats or _SEATS.get(given.game, 4)
    run(given)


if __name__ == "__main__":
    main()
