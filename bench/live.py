"""Tables played by WebSocket clients, beside a floor in the same server and the same run.

`bin/bench live` prints, for full speed and for human pace, moves a second and the time from a move
to its ack and to the moment at which every seat has seen it. `--idle 1000` adds the memory of an idle
socket. `--beside DIRECTORY` plays at full speed with the code of another checkout in turns, and prints the
ratios to it, of processor time too.

Server, clients, PostgreSQL and Valkey share the machine. The floor (bench/live_app.py) does the SQL
of a move on raw asynchronous connections and publishes it, without rules, views or checks.
"""

import argparse
import asyncio
import statistics
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

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
LEAST_TABLES = 16
HUMAN_PAUSE, SECONDS_OF_HUMANS = 3.0, 18.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=32, help="at full speed; 0: none")
    parser.add_argument("--human", type=int, default=300, help="tables at human pace; 0: none")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--idle", type=int, default=0, help="idle sockets to weigh")
    parser.add_argument("--beside", type=Path, help="another checkout; nothing else is measured")
    chosen = parser.parse_args()
    if 0 < chosen.tables < LEAST_TABLES:
        parser.error(f"at fewer than {LEAST_TABLES} tables a socket's frames reach their limit")
    if chosen.beside is not None:
        report_ratios(chosen.beside.resolve(), prepare(chosen.tables, chosen.seats))
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
    """Play the product and the floor in turns."""
    speeds: dict[str, list[float]] = {TABLE: [], FLOOR: []}
    latest: dict[str, Times] = {}
    for _round in range(ROUNDS):
        for path, found in speeds.items():
            speed, latest[path] = uvloop.run(play_at(address, tables, 0, SECONDS, path))
            found.append(speed)
    for name, path in ((f"{len(tables)} tables, full speed", TABLE), ("the floor", FLOOR)):
        print(f"{name}: {statistics.median(speeds[path]):.0f} moves/s, {latest[path]}")
    print(f"ratio {compute_ratios(speeds[TABLE], speeds[FLOOR])}", flush=True)


def report_ratios(other: Path, tables: Sequence[Seats]) -> None:
    """Play with the code here and with that of another checkout in turns, on the same servers."""
    found: list[list[tuple[float, ...]]] = [[], []]
    with ExitStack() as stack:
        servers = [stack.enter_context(web_server(root)) for root in (ROOT, other)]
        for number in range(2 + 2 * ROUNDS):  # the first of each warms up
            address, pid = servers[number % 2]
            speed, spent = uvloop.run(measure_moves(address, Meter([pid]), tables))
            if number > 1:
                each = (spent.web, spent.postgres, spent.valkey, spent.transactions, spent.commands)
                found[number % 2].append((speed, *each))
    units = (1, 1e3, 1e3, 1e3, 1, 1)
    names = ("moves/s", "web ms", "PostgreSQL ms", "Valkey ms", "transactions", "commands")
    for name, unit, here, there in zip(
        names, units, zip(*found[0], strict=True), zip(*found[1], strict=True), strict=True
    ):
        now, then = unit * statistics.median(here), unit * statistics.median(there)
        print(f"{name}: {now:.3g}, there {then:.3g}, ratio {compute_ratios(here, there)}")


async def measure_moves(address: str, meter: Meter, tables: Sequence[Seats]) -> tuple[float, Spent]:
    """Return the moves a second at full speed, and the cost of one."""
    times = Times()
    async with rooms_of([address], tables) as rooms:
        before = meter.read()
        speed = await play(rooms, times, 0, SECONDS)
        return speed, meter.read().subtract(before).divide(len(times.seen))


async def measure_idle_bytes(address: str, pid: int, seats: Seats, number: int) -> float:
    """Return the server's memory for each idle socket of people who watch."""
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
