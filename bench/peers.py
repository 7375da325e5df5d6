"""Compare this project with public programs in one run, by processor time.

    bin/bench peers                      # each pair in three rounds of short turns
    bin/bench peers --only rlcard
    bin/bench peers --keep               # write the ratios to bench/peer-ratios.txt
    bin/bench peers --compare            # fail if one has fallen by a tenth since it was kept

A ratio above 1 means that this project is faster. The median of three rounds is kept. A ratio has fallen if
even the best round is a tenth below it. `bench/peer_programs` installs the peers.
"""

import argparse
import atexit
import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import django

django.setup()

import psutil  # type: ignore[import-untyped]
import psycopg
import uvloop
from django.db import connection

from bench import ledger
from bench.hard_lays import list_hard_positions
from bench.peer_programs import ROOT, Peer
from bench.processes import cpu_seconds_below
from bench.random_play import play_randomly
from bench.sockets import Seats, Times, play, prepare, rooms_of, web_server
from bench.solver import list_positions
from bench.units import Meter
from games.gin.game import GAME as GIN
from games.rummikub.rules.laying import Stand, find_best_lay

ROUNDS: Final = 3
TURNS: Final = 4  # of each side in a round
SECONDS: Final = 1
KEPT: Final = ROOT / "bench/peer-ratios.txt"
FALLEN: Final = 0.9
POSITIONS, HARD_POSITIONS = 60, 8
ACCOUNTS: Final = 100
TABLES, DURABLE_TABLES = 32, 4  # with 32 on PostgreSQL boardgame.io never gets to play
LIVE_SECONDS: Final = 3
LACKS_LIVE: Final = (
    "no clocks, no rules beyond turn and card, no catching up without the whole state"
)

Rates = tuple[float, float]  # here, there


@dataclass(frozen=True)
class Pair:
    """Two programs that do the same work.

    `lacks` names the features that the peer does not have. `measure` is called with the turn's number.
    """

    name: str
    peer: str
    program: str
    lacks: str
    measure: Callable[[Peer, int], Rates]


def in_turns(number: int, here: Callable[[], Any], there: Callable[[], Any]) -> tuple[Any, Any]:
    """Measure this project and the peer. In every other turn the peer comes first."""
    if number % 2:
        other = there()
        return here(), other
    return here(), there()


def play_gin(*how: str) -> Callable[[Peer, int], Rates]:
    def play_here() -> float:
        moves, took = play_randomly(GIN, GIN.rules.preset("points"), SECONDS)
        return moves / took

    return lambda peer, number: in_turns(number, play_here, lambda: peer.ask("play", SECONDS, *how))


def lay(positions: Sequence[Stand]) -> tuple[float, list[int]]:
    find_best_lay.cache_clear()
    began = time.process_time()
    found = [find_best_lay(position) for position in positions]
    took = time.process_time() - began
    return len(positions) / took, [0 if best is None else best.tiles for best in found]


def lay_best(list_all: Callable[[], list[Stand]]) -> Callable[[Peer, int], Rates]:
    """Return a measurement that finds the best lays of these positions."""

    def measure(peer: Peer, number: int) -> Rates:
        positions = list_all()
        asked = [
            (
                [card.face for meld in one.table for card in meld.cards],
                [card.face for card in one.rack],
            )
            for one in positions
        ]
        here, there = in_turns(number, lambda: lay(positions), lambda: peer.ask("lay", asked))
        if worse := [place for place, best in enumerate(here[1]) if best < there[1][place]]:
            sys.exit(f"The peer lays more tiles in positions {worse}.")
        return here[0], there[0]

    return measure


@cache
def list_free_positions() -> list[Stand]:
    """Return positions after the initial meld, spread over whole deals between bots."""
    begun = [one for one in list_positions("modern", 12 * POSITIONS) if one.has_opened]
    return begun[:: len(begun) // POSITIONS][:POSITIONS]


def post(peer: Peer, number: int) -> Rates:
    """Return transfers per second of processor time, that of PostgreSQL included."""
    if number == 0:
        ledger.prepare()
        name = "peer_ledger"
        with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
            owner.execute(f"CREATE DATABASE {name}")
        address = urlsplit(os.environ["DATABASE_OWNER_URL"])._replace(path=f"/{name}")
        peer.ask("begin", address.geturl(), ACCOUNTS)
    return in_turns(
        number, lambda: weigh(post_here), lambda: weigh(lambda: peer.ask("post", SECONDS))
    )


def post_here() -> tuple[float, float]:
    began = time.process_time()
    return ledger.measure_posts_per_second() * ledger.SECONDS, time.process_time() - began


def weigh(measure: Callable[[], tuple[float, float]]) -> float:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        postmaster = psutil.Process(cursor.fetchone()[0]).parent().pid
    before = cpu_seconds_below(postmaster)
    done, took = measure()
    return done / (took + cpu_seconds_below(postmaster) - before)


def play_live(seats: int, *, durable: bool = False) -> Callable[[Peer, int], Rates]:
    """Return a measurement that plays over sockets at full speed.

    It gives the moves per second of the servers' processor time.
    """

    def measure(peer: Peer, number: int) -> Rates:
        if number == 0:
            database = os.environ["DATABASE_OWNER_URL"] if durable else None
            peer.ask("begin", DURABLE_TABLES if durable else TABLES, seats, database)
        address, meter = open_site()
        tables = seat_players(seats)
        return in_turns(
            number,
            lambda: uvloop.run(play_here(address, meter, tables)),
            lambda: weigh(lambda: peer.ask("play", LIVE_SECONDS)),
        )

    return measure


@cache
def open_site() -> tuple[str, Meter]:
    """Start a web process, which ends with this process. Return its address and a meter."""
    site = ExitStack()
    atexit.register(site.close)
    address, pid = site.enter_context(web_server())
    return address, Meter([pid])


@cache
def seat_players(seats: int) -> list[Seats]:
    return prepare(TABLES, seats)


async def play_here(address: str, meter: Meter, tables: Sequence[Seats]) -> float:
    times = Times()
    async with rooms_of([address], tables) as rooms:
        before = meter.read()
        await play(rooms, times, 0, LIVE_SECONDS)
        spent = meter.read().subtract(before)
    return len(times.seen) / (spent.web + spent.postgres + spent.valkey)


PAIRS: Final = (
    Pair(
        "gin, random moves: open_spiel, in place",
        "open_spiel",
        "open_spiel_gin",
        "no clocks, no matches, nothing stored; a move overwrites the state; it is C++",
        play_gin("in place"),
    ),
    Pair(
        "gin, random moves: open_spiel, cloned",
        "open_spiel",
        "open_spiel_gin",
        "no clocks, no matches, nothing stored; it is C++",
        play_gin("cloned"),
    ),
    Pair(
        "gin, random moves: rlcard",
        "rlcard",
        "rlcard_gin",
        "no first upcard, no lay-offs, no clocks, no matches, nothing stored; gin is forced",
        play_gin(),
    ),
    Pair(
        "Rummikub, best lays of bots' deals: rummikub-solver",
        "rummikub_solver",
        "milp_lays",
        "no frozen jokers, no points that decide between lays of as many tiles",
        lay_best(list_free_positions),
    ),
    Pair(
        "Rummikub, best lays of hard positions: rummikub-solver",
        "rummikub_solver",
        "milp_lays",
        "no frozen jokers, no points that decide between lays of as many tiles",
        lay_best(partial(list_hard_positions, HARD_POSITIONS)),
    ),
    Pair(
        "ledger, transfers: django-hordak",
        "hordak",
        "hordak_ledger",
        "no refusal of an overdraft, no key against posting twice, no stored balance",
        post,
    ),
    Pair(
        "live moves, tables of two: boardgame.io on PostgreSQL",
        "boardgame",
        "boardgame",
        LACKS_LIVE,
        play_live(2, durable=True),
    ),
    *(
        Pair(
            f"live moves, tables of {word}: {peer}, in memory",
            peer.removesuffix(".io"),
            peer.removesuffix(".io"),
            f"nothing stored: a restart loses all games; {LACKS_LIVE}",
            play_live(seats),
        )
        for peer in ("boardgame.io", "colyseus")
        for seats, word in ((2, "two"), (4, "four"))
    ),
)


def measure(pair: Pair) -> list[float]:
    ratios = []
    with Peer(pair.peer, pair.program) as peer:
        for first in range(0, ROUNDS * TURNS, TURNS):
            rates = [pair.measure(peer, number) for number in range(first, first + TURNS)]
            here, there = (sum(each) for each in zip(*rates, strict=True))
            ratios.append(here / there)
    each = " ".join(f"{ratio:.3g}" for ratio in ratios)
    print(f"{pair.name}: {each} (spread {max(ratios) / min(ratios):.2f})", flush=True)
    print(f"    the peer has {pair.lacks}", flush=True)
    return ratios


def read(path: Path) -> dict[str, float]:
    """Return the kept ratios; none if there is no file."""
    lines = path.read_text().splitlines() if path.exists() else []
    return {name: float(ratio) for name, _tab, ratio in (line.partition("\t") for line in lines)}


def list_fallen(kept: Mapping[str, float], rounds: Mapping[str, Sequence[float]]) -> list[str]:
    """Return a sentence for every ratio whose best round is at least a tenth below the kept one."""
    return [
        f"{name}: the ratio has fallen from {kept[name]:.2f} to {max(ratios):.2f}."
        for name, ratios in rounds.items()
        if name in kept and max(ratios) <= FALLEN * kept[name]
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="pairs with this in their name")
    parser.add_argument("--keep", type=Path, nargs="?", const=KEPT, metavar="FILE")
    parser.add_argument("--compare", type=Path, nargs="?", const=KEPT, metavar="FILE")
    chosen = parser.parse_args()
    pairs = [pair for pair in PAIRS if chosen.only in pair.name]
    rounds = {pair.name: measure(pair) for pair in pairs}
    fallen = list_fallen(read(chosen.compare), rounds) if chosen.compare else []
    if chosen.keep:
        medians = {name: statistics.median(ratios) for name, ratios in rounds.items()}
        kept = read(chosen.keep) | medians
        chosen.keep.write_text("".join(f"{name}\t{ratio:.3g}\n" for name, ratio in kept.items()))
    if fallen:
        sys.exit("\n".join(fallen))


if __name__ == "__main__":
    main()
