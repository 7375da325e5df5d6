"""Tables played by WebSocket clients, beside a floor in the same server and the same run.

`bin/bench live` prints, for full speed and for human pace, moves a second and the time from a move
to its ack and to the moment at which every seat has seen it. `--idle 1000` adds the memory of an idle
socket.

Server, clients, PostgreSQL and Valkey share the machine. The floor (bench/live_app.py) does the SQL
of a move on raw asynchronous connections and publishes it, without rules, views or checks.
"""

import argparse
import asyncio
import statistics
from collections.abc import Sequence

import psutil  # type: ignore[import-untyped]
import uvloop

from bench.figures import compute_ratios
from bench.sockets import (
    FLOOR,
    HELLO,
    TABLE,
    Seats,
    Times,
    open_sockets,
    play_at,
    prepare,
    web_server,
)

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
    chosen = parser.parse_args()
    if 0 < chosen.tables < LEAST_TABLES:
        parser.error(f"at fewer than {LEAST_TABLES} tables a socket's frames reach their limit")
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
