"""How long those who go on wait for their next table, when one player stalls.

`bin/bench round_waits` plays a knock-out tournament of 216 by bots of medium strength at a human
pace, on a simulated clock: the game's own engine, the rules of overtime (R10.4b) and of tables that
meet early (R10.4c) decide, and nobody waits. One player of the first round uses up all the time of
every turn. It prints the wait from the end of one's table to the beginning of the next, the break
included: as rounds were played before there was either rule, with each of them, and with both.
"""

import argparse
import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import django

django.setup()

import hashlib

from games.engine.game import Overtime
from games.indian.game import GAME as INDIAN
from games.indian.rules.ruleset import PRESETS, RuleSet, for_event
from tournaments.rules.bracket import Structure
from tournaments.rules.formats import KNOCK_OUT
from tournaments.rules.lifecycle import SECONDS_WITHOUT_NEW_DEALS
from tournaments.rules.tree import Ended, reached

STRUCTURE = Structure(seats=6, qualifiers=2)
GATHERING = 10
# The tick runs every two seconds.
TICK = 1


@dataclass(frozen=True)
class Terms:
    entrants: int
    round_seconds: int
    break_seconds: int
    deals: int
    # Seconds that people take on average: to draw, to discard, to show.
    paces: tuple[float, float, float]
    has_overtime: bool
    seats_early: bool


@dataclass
class Waits:
    """By round, the seconds from the end of a table to the next one of who goes on."""

    by_round: dict[int, list[float]] = field(default_factory=dict)
    ended_at: float = 0.0

    def add(self, number: int, seconds: float) -> None:
        self.by_round.setdefault(number, []).append(seconds)


def rules_for(terms: Terms, places: int) -> RuleSet:
    return for_event(PRESETS["deals2"], deals=terms.deals, qualifiers=places)


def think(rng: random.Random, mean: float) -> int:
    """Milliseconds: most moves are quick, some take several times as long."""
    return round(1000 * min(mean * 4, rng.lognormvariate(0, 0.6) * mean / 1.2))


def play_table(  # noqa: PLR0915 - one loop
    players: Sequence[int], *, began: float, terms: Terms, staller: int | None, name: str
) -> tuple[float, list[int]]:
    """When it ends, in seconds, and who sits where in its order."""
    rng = random.Random(name)  # noqa: S311 - the same table for the same name
    places = STRUCTURE.going_on(len(players)) if len(players) > 1 else 1
    now = round(began * 1000)
    limit = round((began + terms.round_seconds) * 1000)
    overtime = Overtime(limit, 10_000, limit + 120_000) if terms.has_overtime else None
    last_deal = limit - SECONDS_WITHOUT_NEW_DEALS * 1000
    rules = rules_for(terms, places)
    written = INDIAN.rules.json(rules)
    seats = tuple(range(len(players)))
    state = INDIAN.core.start(
        rules=rules, seats=seats, toss=True, seed=seed(name, 0), now=now
    ).state
    while INDIAN.core.status(state).result is None:
        if overtime is not None:
            state = overtime.hastened(INDIAN, state, now=now)
        acting, deadline = INDIAN.core.status(state).acting, INDIAN.core.status(state).deadline
        assert deadline is not None  # noqa: S101 - the match runs
        next_seed = seed(name, INDIAN.core.status(state).deals)
        if not acting:
            now = deadline
            ended = INDIAN.core.conclude(state) if now >= last_deal else None
            state = (ended or INDIAN.core.expire(state, now=now, seed=next_seed)).state
            continue
        seat = acting[0]
        view = {
            "public": INDIAN.view.public(state),
            "you": INDIAN.view.private(state, seat),
            "rules": written,
        }
        wire = INDIAN.bots(view, seat, strength="medium", rng=rng)
        if players[seat] == staller:
            now = max(now, deadline - 1)
        else:
            draws, discards, shows = terms.paces
            mean = {"draw": draws, "show": shows}.get(str(wire["kind"]), discards)
            now = min(now + think(rng, mean), deadline - 1)
        state = INDIAN.core.play(state, seat, INDIAN.wire.read(wire), now=now, seed=next_seed).state
    result = INDIAN.core.status(state).result
    assert result is not None  # noqa: S101 - the loop has ended
    in_order = sorted(seats, key=lambda seat: (result.ranks[seat], players[seat]))
    return now / 1000, [players[seat] for seat in in_order]


def seed(name: str, deal: int) -> bytes:
    return hashlib.sha256(f"{name}/{deal}".encode()).digest()


def play(terms: Terms, *, number: int) -> Waits:
    """One tournament. Both ways of seating fill the same tables, so only their times differ."""
    rng = random.Random(number)  # noqa: S311 - the same draw for the same number
    seating = KNOCK_OUT.seat(range(terms.entrants), structure=STRUCTURE, had_bye=(), rng=rng)
    levels = KNOCK_OUT.tree([len(table) for table in seating.tables], 0, STRUCTURE)
    staller = seating.tables[0][0]
    waits = Waits()
    first: dict[int, Ended | None] = {}
    left_at: dict[int, float] = {}
    for place, players in enumerate(seating.tables, start=1):
        first[place] = run(players, GATHERING, terms, staller, f"{number}/0/{place}", 2, left_at)
    known: dict[tuple[int, int], Ended | None] = {}
    while ready := reached(levels, first, known).ready:
        for table in ready:
            since = table.since
            if not terms.seats_early:
                since = round_end(table.level, first, known)
            began = since + TICK + terms.break_seconds + GATHERING
            for player in table.players:
                waits.add(table.level + 1, began - left_at[player])
            places = 0 if table.level == len(levels) - 1 else 2
            known[table.level, table.number] = run(
                table.players,
                began,
                terms,
                staller if table.level == 0 else None,
                f"{number}/{table.level + 1}/{table.number}",
                places,
                left_at,
            )
    waits.ended_at = max(ended.at for ended in known.values() if ended is not None)
    return waits


def run(  # noqa: PLR0913, PLR0917 - a table of the bench
    players: Sequence[int],
    began: float,
    terms: Terms,
    staller: int | None,
    name: str,
    places: int,
    left_at: dict[int, float],
) -> Ended:
    ended, in_order = play_table(players, began=began, terms=terms, staller=staller, name=name)
    going_on = tuple(in_order[: min(places, len(players) - 1)])
    left_at.update(dict.fromkeys(going_on, ended))
    return Ended(going_on, ended)


def round_end(
    level: int, first: Mapping[int, Ended | None], known: Mapping[tuple[int, int], Ended | None]
) -> float:
    tables = first if level == 0 else {n: e for (d, n), e in known.items() if d == level - 1}
    return max(ended.at for ended in tables.values() if ended is not None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entrants", type=int, default=216)
    parser.add_argument("--round", type=int, default=600, help="its time limit in seconds")
    parser.add_argument("--break", type=int, default=30, dest="pause", help="in seconds")
    parser.add_argument("--deals", type=int, default=2, help="in a round")
    parser.add_argument(
        "--paces", type=float, nargs=3, default=(3.0, 5.0, 10.0), help="draw, discard, show"
    )
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(
        f"{given.entrants} entrants, {given.deals} deal(s) in a round of {given.round} s, break "
        f"{given.pause} s, one staller, seed {given.seed}"
    )
    for name, has_overtime, seats_early in (
        ("as before", False, False),
        ("overtime alone", True, False),
        ("early tables alone", False, True),
        ("both", True, True),
    ):
        waits = play(
            Terms(
                given.entrants,
                given.round,
                given.pause,
                given.deals,
                tuple(given.paces),
                has_overtime,
                seats_early,
            ),
            number=given.seed,
        )
        first = waits.by_round[1]
        every = [seconds for some in waits.by_round.values() for seconds in some]
        print(
            f"{name:20} wait after round 1: median {statistics.median(first):4.0f} s, longest "
            f"{max(first):4.0f} s; after all rounds: median {statistics.median(every):4.0f} s, "
            f"longest {max(every):4.0f} s; over after {waits.ended_at / 60:3.0f} min"
        )


main()
