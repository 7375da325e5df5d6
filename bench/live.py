"""Tables played by real WebSocket clients, beside a floor in the same server and the same run.

`bin/bench live` prints, for full speed and for human pace, moves a second and the time from a move
to its ack and to the moment at which every seat has seen it. `bin/bench live --idle 1000` adds the
memory of an idle socket, `--lock` what a blocked row costs the other tables.

Server, clients, PostgreSQL and Valkey share the machine. The floor (bench/live_app.py) does the SQL
of a move on raw asynchronous connections and publishes it, without rules, views or checks.
"""

import argparse
import asyncio
import itertools
import json
import os
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
import zlib
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import django

django.setup()

import psycopg
import uvloop
from django.db import connection
from websockets.asyncio.client import ClientConnection, connect

from bench.figures import ratios
from bench.sitting import begin_anew, open_tables, people_at, session_of

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 3
LOCK_TABLES = 20
SECONDS_BETWEEN_PINGS = 2.5  # as browsers do
SECONDS = 6
# As many moves a second, for as long, whatever the number of tables.
MOVES_FOR_FLATNESS = 100
SECONDS_FOR_FLATNESS = 40
# Deals begin anew after this many moves: about as long as people's deals are.
MOVES_OF_A_DEAL = 60


@dataclass
class Times:
    """Milliseconds from a move to its ack, and until every seat has seen it."""

    acks: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)

    def line(self) -> str:
        return f"ack {_percentiles(self.acks)}   all have seen it {_percentiles(self.seen)}"


def _percentiles(values: Sequence[float]) -> str:
    cut = statistics.quantiles(values, n=100) if len(values) > 1 else [0.0] * 99
    return f"p50 {cut[49]:.0f} p95 {cut[94]:.0f} p99 {cut[98]:.0f} ms"


def deal_again(table_id: int, seats: int) -> None:
    """On a thread of asyncio, which takes no connection with it when it ends."""
    begin_anew(table_id, seats)
    connection.close()


@dataclass
class Seats:
    """One table and the sessions of those who sit there, by seat."""

    table_id: int
    sessions: list[str]


def prepare(tables: int, seats: int) -> list[Seats]:
    return [
        Seats(table.pk, [session_of(user) for user in people_at(table)])
        for table in open_tables(tables, seats, "Live")
    ]


class Room:
    """The sockets of one table, each in step with its versions."""

    def __init__(self, seats: Seats, sockets: list[ClientConnection]) -> None:
        self.seats = seats
        self.sockets = sockets
        self.version = 0
        self.epoch = ""
        self.turn = 0

    async def hello(self) -> None:
        for one in self.sockets:
            await one.send(json.dumps({"type": "hello", "epoch": "", "v": 0}))
            snap = await self._next(one, "snap")
            self.version, self.epoch = snap["v"], snap["epoch"]
            self.turn = snap["state"]["game"]["turn"]

    async def play_until(self, end: float, times: Times, pause: float) -> int:
        moves = 0
        while time.perf_counter() < end:
            drawn = await self._act({"kind": "draw", "source": "closed"}, times)
            await asyncio.sleep(pause)
            after = await self._act({"kind": "discard", "card": drawn["you"]["drawn"]}, times)
            self.turn = after["patch"]["game"]["turn"]
            await asyncio.sleep(pause)
            moves += 2
            if moves % MOVES_OF_A_DEAL == 0:
                await asyncio.to_thread(deal_again, self.seats.table_id, len(self.sockets))
                self.turn = 0
        return moves

    async def _act(self, move: dict[str, str], times: Times) -> dict[str, Any]:
        began = time.perf_counter()
        mine = self.sockets[self.turn]
        act = {"type": "act", "id": str(uuid4()), "v": self.version, "move": move}
        await mine.send(json.dumps(act))
        self.version += 1
        mine_seen = self._seen(mine, acked=True, began=began, times=times)
        others = [
            self._seen(s, acked=False, began=began, times=times)
            for s in self.sockets
            if s is not mine
        ]
        change, *_ = await asyncio.gather(mine_seen, *others)
        times.seen.append(1000 * (time.perf_counter() - began))
        return change

    async def _seen(
        self, one: ClientConnection, *, acked: bool, began: float, times: Times
    ) -> dict[str, Any]:
        """Wait for the change of this version, and for the ack where one is due."""
        change: dict[str, Any] | None = None
        while change is None or acked:
            message = json.loads(await asyncio.wait_for(one.recv(), 60))
            if message["type"] == "ack":
                times.acks.append(1000 * (time.perf_counter() - began))
                acked = False
            elif message["type"] == "rej":
                raise RuntimeError(message)
            elif message["type"] == "ev":
                for found in message["changes"]:
                    if found["v"] == self.version:
                        change = found
        return change

    async def _next(self, one: ClientConnection, kind: str) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(await asyncio.wait_for(one.recv(), 60))
            if message["type"] == kind:
                return message


class FloorRoom:
    """The same number of sockets at the floor's consumer."""

    def __init__(self, sockets: list[ClientConnection]) -> None:
        self.sockets = sockets
        self.turn = 0

    async def play_until(self, end: float, times: Times, pause: float) -> int:
        moves = 0
        for number in itertools.count():
            if time.perf_counter() >= end:
                return moves
            began = time.perf_counter()
            mine = self.sockets[number % len(self.sockets)]
            await mine.send(json.dumps({"n": number}))
            await asyncio.gather(
                *(self._seen(one, number, began, times, acked=one is mine) for one in self.sockets)
            )
            times.seen.append(1000 * (time.perf_counter() - began))
            moves += 1
            await asyncio.sleep(pause)
        return moves

    async def _seen(
        self, one: ClientConnection, number: int, began: float, times: Times, *, acked: bool
    ) -> None:
        waits = {"ev", "ack"} if acked else {"ev"}
        while waits:
            message = json.loads(await asyncio.wait_for(one.recv(), 60))
            if message["type"] == "ack":
                times.acks.append(1000 * (time.perf_counter() - began))
            if message["n"] == number:
                waits.discard(message["type"])


def _home_of(session: str) -> str:
    """An address of each player's own, as players have: the site counts what comes from one."""
    high, low = divmod(zlib.crc32(session.encode()) % 65_000, 256)
    return f"127.1.{high}.{low}"


@asynccontextmanager
async def opened(
    address: str, path: str, sessions: Sequence[str]
) -> AsyncIterator[list[ClientConnection]]:
    sockets = [
        await connect(
            f"ws{address.removeprefix('http')}{path}",
            origin=address,  # type: ignore[arg-type]
            additional_headers={"Cookie": f"sessionid={session}"},
            proxy=None,
            compression=None,
            ping_interval=None,
            open_timeout=60,
            local_addr=(_home_of(session), 0),
        )
        for session in sessions
    ]
    try:
        yield sockets
    finally:
        await asyncio.gather(*(one.close() for one in sockets))


@asynccontextmanager
async def rooms_of(address: str, tables: Sequence[Seats]) -> AsyncIterator[list[Room]]:
    """Everybody at these tables connected, and each table at the start of a deal."""
    async with AsyncExitStack() as stack:
        rooms = []
        for seats in tables:
            await asyncio.to_thread(deal_again, seats.table_id, len(seats.sessions))
            path = f"/ws/tables/{seats.table_id}/"
            room = Room(
                seats, await stack.enter_async_context(opened(address, path, seats.sessions))
            )
            await room.hello()  # at once: who says nothing for ten seconds is let go
            room.turn = 0
            rooms.append(room)
        yield rooms


async def play(address: str, tables: Sequence[Seats], pause: float) -> tuple[float, Times]:
    """Moves a second at all tables together."""
    times = Times()
    async with rooms_of(address, tables) as rooms:
        pinging = asyncio.create_task(ping_from(rooms)) if pause else None
        speed = await _timed(rooms, times, pause)
        if pinging is not None:
            pinging.cancel()
        return speed, times


async def cost_of_a_move(
    address: str, pid: int, tables: Sequence[Seats], pause: float
) -> tuple[float, float]:
    """Moves a second, and the server's processor time for each in microseconds; no pings.

    Over SECONDS_FOR_FLATNESS, once every table has begun.
    """
    times = Times()
    async with rooms_of(address, tables) as rooms:
        seconds = 2 * pause + SECONDS_FOR_FLATNESS + 5
        playing = asyncio.create_task(_timed(rooms, times, pause, seconds))
        await asyncio.sleep(2 * pause)
        moves, processor = len(times.seen), cpu_seconds(pid)
        await asyncio.sleep(SECONDS_FOR_FLATNESS)
        moves, processor = len(times.seen) - moves, cpu_seconds(pid) - processor
        playing.cancel()
        return moves / SECONDS_FOR_FLATNESS, 1e6 * processor / moves


async def ping_from(rooms: Sequence[Room]) -> None:
    """Every socket now and then, each at its own time."""
    sockets = [one for room in rooms for one in room.sockets]
    while True:
        for one in sockets:
            await one.send(json.dumps({"type": "ping", "c": 0}))
            await asyncio.sleep(SECONDS_BETWEEN_PINGS / len(sockets))


async def floor(address: str, tables: Sequence[Seats], pause: float) -> tuple[float, Times]:
    times = Times()
    async with _many(address, "/ws/floor/{}/", tables) as sockets:
        return await _timed([FloorRoom(ours) for ours in sockets], times, pause), times


@asynccontextmanager
async def _many(
    address: str, path: str, tables: Sequence[Seats]
) -> AsyncIterator[list[list[ClientConnection]]]:
    contexts = [opened(address, path.format(t.table_id), t.sessions) for t in tables]
    entered = [await context.__aenter__() for context in contexts]
    try:
        yield entered
    finally:
        for context in contexts:
            await context.__aexit__(None, None, None)


async def _timed(
    rooms: Sequence[Room | FloorRoom], times: Times, pause: float, seconds: float = 0
) -> float:
    began = time.perf_counter()
    seconds = seconds or max(SECONDS, 6 * pause)
    # At human pace the tables do not move in step.
    starts = [pause * number / len(rooms) for number in range(len(rooms))]

    async def run(room: Room | FloorRoom, start: float) -> int:
        await asyncio.sleep(start)
        return await room.play_until(began + seconds, times, pause)

    moves = await asyncio.gather(*(run(r, s) for r, s in zip(rooms, starts, strict=True)))
    return sum(moves) / (time.perf_counter() - began - sum(starts) / len(starts))


@contextmanager
def server(**environment: str) -> Iterator[tuple[str, int]]:
    """A web process as the Procfile runs it; its address and process id."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from config.run.web import serve; serve('bench.live_app:application')",
        ],
        cwd=ROOT,
        env={**os.environ, "PORT": str(port), "TABLES_AT_ONCE": "1000", **environment},
    )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{address}/healthz", timeout=5).close()  # noqa: S310
                break
            except OSError:
                time.sleep(0.1)
        yield address, process.pid
    finally:
        process.terminate()
        process.wait(20)


def resident_kb(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


async def idle(address: str, pid: int, seats: Seats, number: int) -> float:
    """Kilobytes of the server for each idle socket of people who watch."""
    async with opened(address, f"/ws/tables/{seats.table_id}/", [""] * 20):
        await asyncio.sleep(1)
        before = resident_kb(pid)
        async with opened(address, f"/ws/tables/{seats.table_id}/", [""] * number) as sockets:
            for one in sockets:
                await one.send(json.dumps({"type": "hello", "epoch": "", "v": 0}))
            await asyncio.sleep(4)
            return (resident_kb(pid) - before) / number


async def with_blocked_row(address: str, tables: Sequence[Seats]) -> tuple[Times, Times]:
    """Human pace, first undisturbed, then with another table's row locked for 1.5 s again and
    again while somebody moves there."""
    blocked, *others = tables
    _, calm = await play(address, others, 0.5)
    stop = asyncio.Event()

    async def block() -> None:
        while not stop.is_set():
            async with (
                await psycopg.AsyncConnection.connect(os.environ["DATABASE_OWNER_URL"]) as holder,
                opened(address, f"/ws/tables/{blocked.table_id}/", blocked.sessions[:1]) as mine,
            ):
                await holder.execute(
                    "SELECT 1 FROM tables_table WHERE id = %s FOR UPDATE", (blocked.table_id,)
                )
                await mine[0].send(json.dumps({"type": "hello", "epoch": "", "v": 0}))
                for _ in range(5):
                    move = {"kind": "draw", "source": "closed"}
                    act = {"type": "act", "id": str(uuid4()), "v": 0, "move": move}
                    await mine[0].send(json.dumps(act))
                await asyncio.sleep(1.5)
                await holder.rollback()

    blocking = asyncio.create_task(block())
    _, disturbed = await play(address, others, 0.5)
    stop.set()
    await blocking
    return calm, disturbed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=32, help="at full speed")
    parser.add_argument("--human", type=int, default=300, help="tables at human pace; 0: none")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--idle", type=int, default=0, help="idle sockets to weigh")
    parser.add_argument("--lock", action="store_true", help="what a blocked row costs the others")
    parser.add_argument(
        "--flat", type=int, nargs="*", default=(), help="cost of a move at so many tables"
    )
    chosen = parser.parse_args()
    at_least = LOCK_TABLES if chosen.lock else 1
    tables = prepare(max(chosen.tables, chosen.human, *chosen.flat, at_least), chosen.seats)
    # Those who watch come from one address here.
    with server(SOCKETS_OF_AN_ADDRESS="100000") as (address, pid):
        if chosen.tables:
            report_full_speed(address, tables[: chosen.tables])
        if chosen.human:
            speed, times = uvloop.run(play(address, tables[: chosen.human], 3.0))
            print(
                f"{chosen.human} tables, a move in 3 s: {speed:.0f} moves/s   {times.line()}",
                flush=True,
            )
        for number in chosen.flat:
            pause = number / MOVES_FOR_FLATNESS
            speed, cost = uvloop.run(cost_of_a_move(address, pid, tables[:number], pause))
            print(
                f"{number} tables at {speed:.0f} moves/s: {cost:.0f} us of the server a move",
                flush=True,
            )
        if chosen.idle:
            print(f"idle socket: {uvloop.run(idle(address, pid, tables[0], chosen.idle)):.1f} KB")
        if chosen.lock:
            calm, disturbed = uvloop.run(with_blocked_row(address, tables[:LOCK_TABLES]))
            print(f"others, undisturbed:        {calm.line()}")
            longest = max(disturbed.acks)
            print(f"others, beside a held row:  {disturbed.line()}   longest {longest:.0f} ms")


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def report_full_speed(address: str, tables: Sequence[Seats]) -> None:
    speeds, floors, times, floor_times = [], [], Times(), Times()
    for _round in range(ROUNDS):
        speed, times = uvloop.run(play(address, tables, 0))
        speeds.append(speed)
        speed, floor_times = uvloop.run(floor(address, tables, 0))
        floors.append(speed)
    ours, bare = statistics.median(speeds), statistics.median(floors)
    print(f"{len(tables)} tables, full speed: {ours:.0f} moves/s   {times.line()}")
    print(f"floor in the same server: {bare:.0f} moves/s   {floor_times.line()}")
    print(f"ratio {ratios(speeds, floors)}", flush=True)


if __name__ == "__main__":
    main()
