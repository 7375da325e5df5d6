"""Measure the cost of one socket and one move for every process of a site: `bin/bench units --tables 200 [--pause 3]`.

Each table has four players, and there are four web processes. First the players of a table are at different
web processes, as a load balancer spreads them. Then they are all at the same one, as a load balancer that
hashes `/ws/tables/` does. All clients send pings.

At first nobody moves (heartbeats, presence, pings), then each table makes a move every `--pause` seconds. The
cost of waiting is subtracted from that of the moves. The results are the processor time of the web processes,
of PostgreSQL with all its children, and of Valkey.
"""

import argparse
import asyncio
import os
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import astuple, dataclass
from typing import Any

import psutil  # type: ignore[import-untyped]
import psycopg
import uvloop
from django.conf import settings
from redis import Redis

from bench.processes import cpu_seconds, cpu_seconds_below
from bench.sockets import Seats, Times, ping_from, play, prepare, rooms_of, web_server

SEATS = 4
SECONDS = 30


@dataclass(frozen=True, slots=True)
class Spent:
    """Processor time in seconds, requests and bytes so far."""

    web: float
    postgres: float
    valkey: float
    transactions: float
    commands: float
    wal: float

    def subtract(self, other: "Spent") -> "Spent":
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Spent(*(now - then for now, then in pairs))

    def divide(self, number: float) -> "Spent":
        return Spent(*(value / number for value in astuple(self)))


class Meter:
    """A reader of the processes' costs and the servers' own statistics, over connections of its own."""

    def __init__(self, web: Sequence[int]) -> None:
        self.web = web
        self.database = psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True)
        self.redis = Redis.from_url(settings.RATES_REDIS_URL)
        told: Any = self.redis.info("server")
        self.valkey = int(told["process_id"])
        self.postmaster = psutil.Process(self.database.info.backend_pid).ppid()

    def read(self) -> Spent:
        row = self.database.execute(
            """SELECT xact_commit + xact_rollback, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')
               FROM pg_stat_database WHERE datname = current_database()"""
        ).fetchone()
        assert row is not None  # noqa: S101 - this database
        told: Any = self.redis.info("stats")
        return Spent(
            web=cpu_seconds(self.web),
            postgres=cpu_seconds_below(self.postmaster),
            valkey=cpu_seconds([self.valkey]),
            transactions=float(row[0]),
            commands=float(told["total_commands_processed"]),
            wal=float(row[1]),
        )

    async def measure_second(self) -> Spent:
        """Return the cost of the next second."""
        before, began = self.read(), time.perf_counter()
        await asyncio.sleep(SECONDS)
        return self.read().subtract(before).divide(time.perf_counter() - began)


async def measure(
    addresses: Sequence[str],
    meter: Meter,
    tables: Sequence[Seats],
    pause: float,
    *,
    together: bool,
) -> tuple[Spent, Spent, float]:
    """Return the cost of a second of waiting, the cost of a move, and the moves per second."""
    await asyncio.sleep(5)
    nobody = await meter.measure_second()
    async with rooms_of(addresses, tables, together=together) as rooms:
        pinging = asyncio.create_task(ping_from(rooms))
        await asyncio.sleep(5)
        waiting = (await meter.measure_second()).subtract(nobody)
        times = Times()
        playing = asyncio.create_task(play(rooms, times, pause, 3600))
        await asyncio.sleep(pause + 2)
        moves = len(times.seen)
        moving = (await meter.measure_second()).subtract(nobody).subtract(waiting)
        moves = len(times.seen) - moves
        for task in (playing, pinging):
            task.cancel()
        await asyncio.gather(playing, pinging, return_exceptions=True)
        return waiting, moving, moves / SECONDS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--servers", type=int, default=SEATS)
    parser.add_argument("--pause", type=float, default=3.0, help="seconds between a table's moves")
    chosen = parser.parse_args()
    tables = prepare(chosen.tables, SEATS)
    for together in (False, True):
        with ExitStack() as stack:
            servers = [
                stack.enter_context(web_server(SOCKETS_OF_AN_ADDRESS="100000"))
                for _ in range(chosen.servers)
            ]
            meter = Meter([pid for _address, pid in servers])
            addresses = [address for address, _pid in servers]
            waiting, moving, moves = uvloop.run(
                measure(addresses, meter, tables, chosen.pause, together=together)
            )
        one, move = waiting.divide(len(tables) * SEATS), moving.divide(moves)
        print(
            f"{len(tables)} tables of {SEATS}, {chosen.servers} web processes, the players of a"
            f" table {'at one process' if together else 'spread'}, {moves:.0f} moves/s\n"
            f"  a socket for a second: web {1e6 * one.web:.0f} us, PostgreSQL"
            f" {1e6 * one.postgres:.0f} us in {one.transactions:.4f} transactions,"
            f" Valkey {1e6 * one.valkey:.0f} us in {one.commands:.2f} commands\n"
            f"  a move: web {1e3 * move.web:.2f} ms, PostgreSQL {1e3 * move.postgres:.2f} ms in"
            f" {move.transactions:.1f} transactions, Valkey {1e3 * move.valkey:.3f} ms in"
            f" {move.commands:.1f} commands, {move.wal / 1e3:.1f} KB of WAL",
            flush=True,
        )


if __name__ == "__main__":
    main()
