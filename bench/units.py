"""What one socket and one move cost every process of a site: the figures behind docs/scaling.md.

    bin/bench units --tables 200 [--nats]

Sockets of four players at each table, at four web processes: each player's at another one, as a
balancer spreads them, then all of a table at the same, as one does that hashes `/ws/tables/`; with
pings. First nobody moves (heartbeats, presence, pings), then each table makes a move in three
seconds; what waiting costs is taken off the moves. Processor time of the web processes, of
PostgreSQL with all its children and of Valkey; with --nats again where three servers of NATS tell
the sockets.
"""

import argparse
import asyncio
import itertools
import os
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import psycopg
import uvloop
from django.conf import settings
from redis import Redis

from bench.live import Room, Seats, Times, cpu_seconds, deal_again, opened, ping_from, prepare
from bench.live import server as web_server
from tests.core.sockets.hubs import running_nats

SEATS = 4
SECONDS = 30
PAUSE = 3.0
PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds of processor time, questions and bytes until now."""

    web: float
    postgres: float
    valkey: float
    transactions: float
    commands: float
    wal: float
    nats: float

    def since(self, before: "Spent") -> "Spent":
        pairs = zip(astuple(self), astuple(before), strict=True)
        return Spent(*(now - then for now, then in pairs))

    def less(self, other: "Spent") -> "Spent":
        return self.since(other)

    def each(self, number: float) -> "Spent":
        return Spent(*(value / number for value in astuple(self)))


class Meter:
    """Reads /proc and what the servers say of themselves; by a connection of its own."""

    def __init__(self, web: Sequence[int], nats: Sequence[int] = ()) -> None:
        self.web, self.nats = web, nats
        self.database = psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True)
        self.redis = Redis.from_url(settings.RATES_REDIS_URL)
        told: Any = self.redis.info("server")
        self.valkey = int(told["process_id"])
        backend = self.database.execute("SELECT pg_backend_pid()").fetchone()
        assert backend is not None  # noqa: S101 - one row
        self.postmaster = _parent(int(backend[0]))

    def read(self) -> Spent:
        row = self.database.execute(
            """SELECT xact_commit + xact_rollback, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')
               FROM pg_stat_database WHERE datname = current_database()"""
        ).fetchone()
        assert row is not None  # noqa: S101 - this database
        told: Any = self.redis.info("stats")
        return Spent(
            web=sum(map(cpu_seconds, self.web)),
            postgres=sum(map(cpu_seconds, _family(self.postmaster))),
            valkey=cpu_seconds(self.valkey),
            transactions=float(row[0]),
            commands=float(told["total_commands_processed"]),
            wal=float(row[1]),
            nats=sum(map(cpu_seconds, self.nats)),
        )


def _parent(pid: int) -> int:
    return int((PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])


def _family(postmaster: int) -> list[int]:
    found = [postmaster]
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            try:
                if _parent(int(entry.name)) == postmaster:
                    found.append(int(entry.name))
            except (FileNotFoundError, ProcessLookupError):
                continue  # it has ended
    return found


@asynccontextmanager
async def spread(
    addresses: Sequence[str], tables: Sequence[Seats], *, together: bool
) -> AsyncIterator[list[Room]]:
    """Everybody connected, the players of a table at one process or at one after the other."""
    async with AsyncExitStack() as stack:
        rooms = []
        for number, seats in enumerate(tables):
            await asyncio.to_thread(deal_again, seats.table_id, SEATS)
            sockets = []
            for seat, session in enumerate(seats.sessions):
                address = addresses[(number if together else seat) % len(addresses)]
                path = f"/ws/tables/{seats.table_id}/"
                sockets += await stack.enter_async_context(opened(address, path, [session]))
            room = Room(seats, sockets)
            await room.hello()
            room.turn = 0
            rooms.append(room)
        yield rooms


async def measure(
    addresses: Sequence[str], meter: Meter, tables: Sequence[Seats], *, together: bool
) -> tuple[Spent, Spent, float]:
    """In a second: of waiting with all sockets, and of the moves alone; and how many moves."""
    await asyncio.sleep(5)
    before = meter.read()
    await asyncio.sleep(SECONDS)
    without = meter.read().since(before).each(SECONDS)
    async with spread(addresses, tables, together=together) as rooms:
        pinging = asyncio.create_task(ping_from(rooms))
        await asyncio.sleep(5)
        before = meter.read()
        await asyncio.sleep(SECONDS)
        waiting = meter.read().since(before).each(SECONDS).less(without)
        times = Times()
        loop = asyncio.get_running_loop()
        playing = [
            asyncio.create_task(_play(room, times, PAUSE * number / len(rooms)))
            for number, room in enumerate(rooms)
        ]
        await asyncio.sleep(PAUSE + 2)
        before, moves, began = meter.read(), len(times.seen), loop.time()
        await asyncio.sleep(SECONDS)
        moves, took = len(times.seen) - moves, loop.time() - began
        moving = meter.read().since(before).each(took).less(without).less(waiting)
        for task in [*playing, pinging]:
            task.cancel()
        await asyncio.gather(*playing, pinging, return_exceptions=True)
        return waiting, moving, moves / took


async def _play(room: Room, times: Times, start: float) -> None:
    await asyncio.sleep(start)
    await room.play_until(time.perf_counter() + 3600, times, PAUSE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--servers", type=int, default=SEATS)
    parser.add_argument("--nats", action="store_true")
    chosen = parser.parse_args()
    tables = prepare(chosen.tables, SEATS)
    sockets = chosen.tables * SEATS
    for together, told_by in itertools.product((False, True), (0, 3) if chosen.nats else (0,)):
        with ExitStack() as stack:
            nats = stack.enter_context(running_nats(told_by))
            given = {"SOCKETS_OF_AN_ADDRESS": "100000"}
            if nats:
                urls = ",".join(one.url for one in nats)
                given |= {"CHANNEL_LAYER": "nats", "NATS_URLS": urls}
            servers = [stack.enter_context(web_server(**given)) for _ in range(chosen.servers)]
            meter = Meter([pid for _address, pid in servers], [one.pid for one in nats])
            addresses = [address for address, _pid in servers]
            measuring = measure(addresses, meter, tables, together=together)
            waiting, moving, moves = uvloop.run(measuring)
        one, move = waiting.each(sockets), moving.each(moves)
        how = ("at one process" if together else "spread") + (", told by NATS" if nats else "")
        print(
            f"{chosen.tables} tables of {SEATS}, {chosen.servers} web processes, the players of a"
            f" table {how}, {moves:.0f} moves/s"
        )
        print(
            f"  a socket for a second: web {1e6 * one.web:.0f} us, PostgreSQL"
            f" {1e6 * one.postgres:.0f} us in {one.transactions:.4f} transactions,"
            f" Valkey {1e6 * one.valkey:.0f} us in {one.commands:.2f} commands"
        )
        print(
            f"  a move: web {1e3 * move.web:.2f} ms, PostgreSQL {1e3 * move.postgres:.2f} ms in"
            f" {move.transactions:.1f} transactions, Valkey {1e3 * move.valkey:.3f} ms in"
            f" {move.commands:.1f} commands, NATS {1e3 * move.nats:.3f} ms, {move.wal / 1e3:.1f} KB of WAL",
            flush=True,
        )


if __name__ == "__main__":
    main()
