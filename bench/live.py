"""Tables played by WebSocket clients, beside a floor in the same server and the same run.

`bin/bench live` prints, for full speed and for human pace, moves a second and the time from a move
to its ack and to the moment at which every seat has seen it. `--idle 1000` adds the memory of an idle
socket, `--lock` what a blocked row costs the other tables.

Server, clients, PostgreSQL and Valkey share the machine. The floor (bench/live_app.py) does the SQL
of a move on raw asynchronous connections and publishes it, without rules, views or checks.
"""

import argparse
import asyncio
import os
import statistics
from collections.abc import Sequence

import psycopg
import uvloop

from bench.figures import ratios
from bench.processes import resident_bytes
from bench.sockets import (
    DRAW,
    FLOOR,
    TABLE,
    Seats,
    Times,
    act,
    opened,
    play_at,
    prepare,
    web_server,
)

ROUNDS = 3
SECONDS = 6
HUMAN_PAUSE, SECONDS_OF_HUMANS = 3.0, 18.0
LOCK_TABLES, LOCK_PAUSE, LOCKED_SECONDS = 20, 0.5, 1.5
HELLO = '{"type":"hello","epoch":"","v":0}'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=32, help="at full speed")
    parser.add_argument("--human", type=int, default=300, help="tables at human pace; 0: none")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--idle", type=int, default=0, help="idle sockets to weigh")
    parser.add_argument("--lock", action="store_true", help="what a blocked row costs the others")
    chosen = parser.parse_args()
    at_least = LOCK_TABLES if chosen.lock else 1
    tables = prepare(max(chosen.tables, chosen.human, at_least), chosen.seats)
    # All idle sockets come from one address.
    with web_server(SOCKETS_OF_AN_ADDRESS="100000") as (address, pid):
        if chosen.tables:
            report_full_speed(address, tables[: chosen.tables])
        if chosen.human:
            humans = play_at(address, tables[: chosen.human], HUMAN_PAUSE, SECONDS_OF_HUMANS)
            speed, times = uvloop.run(humans)
            print(f"{chosen.human} tables, a move in 3 s: {speed:.0f} moves/s, {times}", flush=True)
        if chosen.idle:
            size = uvloop.run(bytes_of_idle(address, pid, tables[0], chosen.idle))
            print(f"idle socket: {size / 1024:.1f} KB", flush=True)
        if chosen.lock:
            calm, disturbed = uvloop.run(play_beside_lock(address, tables[:LOCK_TABLES]))
            print(f"others, undisturbed:        {calm}")
            print(f"others, beside a held row:  {disturbed}")


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
    print(f"ratio {ratios(speeds[TABLE], speeds[FLOOR])}", flush=True)


async def bytes_of_idle(address: str, pid: int, seats: Seats, number: int) -> float:
    """Return the server's memory for each idle socket of people who watch."""
    path = TABLE.format(seats.table_id)
    async with opened(address, path, [""] * 20):
        await asyncio.sleep(1)
        before = resident_bytes(pid)
        async with opened(address, path, [""] * number) as sockets:
            for one in sockets:
                await one.send(HELLO)
            await asyncio.sleep(4)
            return (resident_bytes(pid) - before) / number


async def play_beside_lock(address: str, tables: Sequence[Seats]) -> tuple[Times, Times]:
    """Play undisturbed, then while another table's row is locked again and again as somebody moves there."""
    blocked, *others = tables
    _, calm = await play_at(address, others, LOCK_PAUSE, SECONDS)

    async def block() -> None:
        while True:
            async with (
                await psycopg.AsyncConnection.connect(os.environ["DATABASE_OWNER_URL"]) as holder,
                opened(address, TABLE.format(blocked.table_id), blocked.sessions[:1]) as mine,
            ):
                await holder.execute(
                    "SELECT 1 FROM tables_table WHERE id = %s FOR UPDATE", (blocked.table_id,)
                )
                await mine[0].send(HELLO)
                for _ in range(5):
                    await mine[0].send(act(DRAW, 0))
                await asyncio.sleep(LOCKED_SECONDS)
                await holder.rollback()

    blocking = asyncio.create_task(block())
    _, disturbed = await play_at(address, others, LOCK_PAUSE, SECONDS)
    blocking.cancel()
    await asyncio.gather(blocking, return_exceptions=True)
    return calm, disturbed


if __name__ == "__main__":
    main()
