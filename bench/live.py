"""Tables played by WebSocket clients, compared with a floor in the same server and the same run.

`bin/bench live` plays at full speed and at human pace. It prints the moves per second, and the times from a
move to its ack and until every seat has seen it. `--idle 1000` adds the memory of an idle socket. `--beside
DIRECTORY` plays at full speed in turns with the code of another checkout, each with its own servers and
database. It prints the ratios of speed and of processor time.

Server, clients, PostgreSQL and Valkey share the machine. The floor (bench/live_app.py) runs the SQL of a move
on raw asynchronous connections and publishes the move, without rules, views or checks.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import astuple
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil  # type: ignore[import-untyped]
import uvloop

from bench.figures import compute_ratios
from bench.processes import ROOT
from bench.sockets import (
    FLOOR,
    HELLO,
    TABLE,
    Seats,
    Times,
    open_sockets,
    play,
    play_at,
    prepare,
    rooms_of,
    web_server,
)
from bench.units import Meter, Spent

ROUNDS = 3
SECONDS = 6
# With fewer a socket's frames reach their limit.
LEAST_SOCKETS = 128
HUMAN_PAUSE, SECONDS_OF_HUMANS = 3.0, 18.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, help="at full speed; 0: none")
    parser.add_argument("--human", type=int, default=300, help="tables at human pace; 0: none")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--idle", type=int, default=0, help="idle sockets to weigh")
    parser.add_argument("--beside", type=Path, help="another checkout; nothing else is measured")
    parser.add_argument(
        "--in-turns", action="store_true", help="a round for each line of the input"
    )
    chosen = parser.parse_args()
    least = ceil(LEAST_SOCKETS / chosen.seats)
    if chosen.tables is None:
        chosen.tables = least
    if 0 < chosen.tables < least:
        parser.error(f"at fewer than {least} tables a socket's frames reach their limit")
    if chosen.in_turns:
        play_in_turns(prepare(chosen.tables, chosen.seats))
        return
    if chosen.beside is not None:
        report_ratios(chosen.beside.resolve(), chosen.tables, chosen.seats)
        return
    tables = prepare(max(chosen.tables, chosen.human, 1), chosen.seats)
    with web_server() as (address, pid):
        if chosen.tables:
            report_full_speed(address, tables[: chosen.tables])
        if chosen.human:
            humans = play_at(address, tables[: chosen.human], HUMAN_PAUSE, SECONDS_OF_HUMANS)
            speed, times = uvloop.run(humans)
            print(f"{chosen.human} tables, a move in 3 s: {speed:.0f} moves/s, {times}", flush=True)
        if chosen.idle:
            size = uvloop.run(measure_idle_bytes(address, pid, tables[0], chosen.idle))
            print(f"idle socket: {size / 1024:.1f} KB", flush=True)


def report_full_speed(address: str, tables: Sequence[Seats]) -> None:
    """Play with the site's own code and with the floor in turns, and print the results."""
    speeds: dict[str, list[float]] = {TABLE: [], FLOOR: []}
    latest: dict[str, Times] = {}
    for _round in range(ROUNDS):
        for path, found in speeds.items():
            speed, latest[path] = uvloop.run(play_at(address, tables, 0, SECONDS, path))
            found.append(speed)
    for name, path in ((f"{len(tables)} tables, full speed", TABLE), ("the floor", FLOOR)):
        print(f"{name}: {statistics.median(speeds[path]):.0f} moves/s, {latest[path]}")
    print(f"ratio {compute_ratios(speeds[TABLE], speeds[FLOOR])}", flush=True)


def report_ratios(other: Path, tables: int, seats: int) -> None:
    """Play with this checkout and with another one in turns, and print the ratios."""
    found: list[list[list[float]]] = [[], []]
    with ExitStack() as stack:
        sides = [stack.enter_context(site_of(root, tables, seats)) for root in (ROOT, other)]
        for number in range(2 + 2 * ROUNDS):  # the first of each warms up
            measured = sides[number % 2]()
            if number > 1:
                found[number % 2].append(measured)
    units = (1, 1e3, 1e3, 1e3, 1, 1, 1)
    names = (
        "moves/s", "web ms", "PostgreSQL ms", "Valkey ms", "transactions", "commands", "bytes of WAL",
    )  # fmt: skip
    for name, unit, here, there in zip(
        names, units, zip(*found[0], strict=True), zip(*found[1], strict=True), strict=True
    ):
        now, then = unit * statistics.median(here), unit * statistics.median(there)
        print(f"{name}: {now:.3g}, there {then:.3g}, ratio {compute_ratios(here, there)}")


_OF_OUR_SERVERS = (
    "DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "SERVERS_OF_TEST_PROCESSES", "TEST_PROCESSES",
)  # fmt: skip


@contextmanager
def site_of(root: Path, tables: int, seats: int) -> Iterator[Callable[[], list[float]]]:
    """Serve a checkout on new servers. Yield a function that plays a round there and returns the measurements.

    The bench is always that of this checkout.
    """
    with TemporaryDirectory() as folder:
        (Path(folder) / "bench").symlink_to(ROOT / "bench")
        given = {name: value for name, value in os.environ.items() if name not in _OF_OUR_SERVERS}
        migrate_and_play = (
            'python manage.py migrate --verbosity 0 && exec python -P -m bench.live "$@"'
        )
        arguments = ("--in-turns", "--tables", str(tables), "--seats", str(seats))
        throwaway = (sys.executable, "-m", "config.run.embedded.throwaway")
        with subprocess.Popen(
            [*throwaway, "bash", "-c", migrate_and_play, "bench", *arguments],
            cwd=root,
            env={**given, "PYTHONPATH": f"{folder}:{root}"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018
            told, tells = process.stdin, process.stdout

            def play_a_round() -> list[float]:
                told.write("\n")
                told.flush()
                measured: list[float] = json.loads(tells.readline())
                return measured

            yield play_a_round
            told.close()


def play_in_turns(tables: Sequence[Seats]) -> None:
    """Play a round with the checkout in the current folder whenever a line arrives, and print the measurements."""
    with web_server(Path.cwd()) as (address, pid):
        for _line in sys.stdin:
            speed, spent = uvloop.run(measure_moves(address, Meter([pid]), tables))
            print(json.dumps([speed, *astuple(spent)]), flush=True)


async def measure_moves(address: str, meter: Meter, tables: Sequence[Seats]) -> tuple[float, Spent]:
    """Return the moves per second at full speed, and the cost of one move."""
    times = Times()
    async with rooms_of([address], tables) as rooms:
        before = meter.read()
        speed = await play(rooms, times, 0, SECONDS)
        return speed, meter.read().subtract(before).divide(len(times.seen))


async def measure_idle_bytes(address: str, pid: int, seats: Seats, number: int) -> float:
    """Return the server's memory for each idle socket of a spectator, in bytes."""
    path, process = TABLE.format(seats.table_id), psutil.Process(pid)
    nobody = [f"nobody{n}" for n in range(20 + number)]  # each from an address of their own
    async with open_sockets(address, path, nobody[:20]):
        await asyncio.sleep(1)
        before = process.memory_info().rss
        async with open_sockets(address, path, nobody[20:]) as sockets:
            for one in sockets:
                await one.send(HELLO)
            await asyncio.sleep(4)
            return float(process.memory_info().rss - before) / number


if __name__ == "__main__":
    main()
