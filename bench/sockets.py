"""Tables whose players are WebSocket clients of a web process, for the benches of play.

A web process of these benches also has `/ws/floor/<table>/` (bench/live_app.py), where the same clients play
without rules, views and checks.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import django

django.setup()

from websockets.asyncio.client import ClientConnection, connect

from bench.chaos.players import address_of
from bench.figures import spread
from bench.processes import ROOT, answers, wait_until
from bench.sitting import begin_anew, open_tables, people_at
from tests.ports import find_free_port
from tests.tables.socket_client import session_of

SECONDS_BETWEEN_PINGS = 2.5  # as browsers do
SECONDS_TO_START = 60
# A deal starts over after this many moves, about as many as in people's deals.
MOVES_OF_A_DEAL = 60
DRAW = {"kind": "draw", "source": "closed"}
HELLO = '{"type":"hello","epoch":"","v":0}'
TABLE, FLOOR = "/ws/tables/{}/", "/ws/floor/{}/"


@dataclass
class Times:
    """Times of moves, in milliseconds: until the ack, and until every seat has seen the move."""

    acks: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        return f"ack {spread(self.acks)}, all have seen it {spread(self.seen)}"


@dataclass(frozen=True)
class Seats:
    """A table and the sessions of its players, in the order of their seats."""

    table_id: int
    sessions: list[str]


def prepare(tables: int, seats: int) -> list[Seats]:
    return [
        Seats(table.pk, [session_of(user) for user in people_at(table)])
        for table in open_tables(tables, seats, "Live")
    ]


def act(move: dict[str, Any], version: int) -> str:
    """Return the frame of a move."""
    return json.dumps({"type": "act", "id": str(uuid4()), "v": version, "move": move})


class Room:
    """The sockets of one table, all at the same version."""

    def __init__(self, seats: Seats, sockets: list[ClientConnection]) -> None:
        self.seats = seats
        self.sockets = sockets
        self.version = self.turn = 0

    async def hello(self) -> None:
        for one in self.sockets:
            await one.send(HELLO)
            while (message := await _receive(one))["type"] != "snap":
                pass
            self.version = message["v"]

    async def play_until(self, end: float, times: Times, pause: float) -> None:
        """Draw a card and discard it again, pausing for `pause` seconds after each move."""
        moves = 0
        while time.perf_counter() < end:
            drawn = await self._act(DRAW, times)
            await asyncio.sleep(pause)
            discard = {"kind": "discard", "card": drawn["you"]["drawn"]}
            self.turn = (await self._act(discard, times))["patch"]["game"]["turn"]
            await asyncio.sleep(pause)
            moves += 2
            if moves % MOVES_OF_A_DEAL == 0:
                await _deal_again(self.seats)
                self.turn = 0

    async def _act(self, move: dict[str, Any], times: Times) -> dict[str, Any]:
        """Play a move and wait until everybody has seen it. Return the mover's change."""
        began = time.perf_counter()
        mine = self.sockets[self.turn]
        others = [one for one in self.sockets if one is not mine]
        await mine.send(act(move, self.version))
        self.version += 1
        acked = self._follow(mine, times, ack_since=began)
        change, *_ = await asyncio.gather(acked, *(self._follow(one, times) for one in others))
        times.seen.append(1000 * (time.perf_counter() - began))
        return change

    async def _follow(
        self, one: ClientConnection, times: Times, ack_since: float | None = None
    ) -> dict[str, Any]:
        """Wait for the change of this version, and for the ack if one is due."""
        change: dict[str, Any] | None = None
        while change is None or ack_since is not None:
            message = await _receive(one)
            if message["type"] == "ack" and ack_since is not None:
                times.acks.append(1000 * (time.perf_counter() - ack_since))
                ack_since = None
            elif message["type"] in ("rej", "error"):
                raise RuntimeError(message)
            for found in message.get("changes", ()):
                if found["v"] == self.version:
                    change = found
        return change


async def _receive(one: ClientConnection) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(await asyncio.wait_for(one.recv(), 60))
    return message


# A thread that keeps its connection: a new one for each deal would be a fifth of what moves cost PostgreSQL.
_dealer = ThreadPoolExecutor(1)


async def _deal_again(seats: Seats) -> None:
    """Restart the table's deal."""
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(_dealer, begin_anew, seats.table_id, len(seats.sessions))


@asynccontextmanager
async def open_sockets(
    address: str, path: str, sessions: Sequence[str]
) -> AsyncIterator[list[ClientConnection]]:
    """Connect these players, each from an address of their own, because the site limits rates by address."""
    sockets = [
        await connect(
            f"ws{address.removeprefix('http')}{path}",
            origin=address,  # type: ignore[arg-type]
            additional_headers={"Cookie": f"sessionid={session}"},
            proxy=None,
            compression=None,
            ping_interval=None,
            open_timeout=60,
            local_addr=(address_of(session), 0),
        )
        for session in sessions
    ]
    try:
        yield sockets
    finally:
        await asyncio.gather(*(one.close() for one in sockets))


@asynccontextmanager
async def rooms_of(
    addresses: Sequence[str], tables: Sequence[Seats], *, path: str = TABLE, together: bool = False
) -> AsyncIterator[list[Room]]:
    """Connect everybody to their tables, at the start of a deal.

    The players of a table are spread over the web processes, or with `together` connected to the same one.
    """
    async with AsyncExitStack() as stack:
        rooms = []
        for number, seats in enumerate(tables):
            await _deal_again(seats)
            sockets = []
            for seat, session in enumerate(seats.sessions):
                address = addresses[(number if together else seat) % len(addresses)]
                own = open_sockets(address, path.format(seats.table_id), [session])
                sockets += await stack.enter_async_context(own)
            rooms.append(Room(seats, sockets))
            await rooms[-1].hello()  # at once: a silent socket is closed after ten seconds
        yield rooms


async def play(rooms: Sequence[Room], times: Times, pause: float, seconds: float) -> float:
    """Play at all tables independently. Return the moves per second."""
    began = time.perf_counter()
    starts = [pause * number / len(rooms) for number in range(len(rooms))]

    async def run(room: Room, start: float) -> None:
        await asyncio.sleep(start)
        await room.play_until(began + seconds, times, pause)

    await asyncio.gather(*(run(room, start) for room, start in zip(rooms, starts, strict=True)))
    return len(times.seen) / (time.perf_counter() - began - sum(starts) / len(starts))


async def play_at(
    address: str, tables: Sequence[Seats], pause: float, seconds: float, path: str = TABLE
) -> tuple[float, Times]:
    """Connect, play and disconnect. Return the moves per second and the times of the moves."""
    times = Times()
    async with rooms_of([address], tables, path=path) as rooms:
        pinging = asyncio.create_task(ping_from(rooms)) if pause else None
        speed = await play(rooms, times, pause, seconds)
        if pinging is not None:
            pinging.cancel()
    return speed, times


async def ping_from(rooms: Sequence[Room]) -> None:
    """Send pings from every socket, each at its own time."""
    sockets = [one for room in rooms for one in room.sockets]
    while True:
        for one in sockets:
            await one.send('{"type":"ping","c":0}')
            await asyncio.sleep(SECONDS_BETWEEN_PINGS / len(sockets))


@contextmanager
def web_server(root: Path = ROOT, **environment: str) -> Iterator[tuple[str, int]]:
    """Run a web process of a checkout as the Procfile does. Yield its address and process id."""
    port = find_free_port()
    serve = "from config.run.web import serve; serve('bench.live_app:application')"
    process = subprocess.Popen(
        [sys.executable, "-c", serve],
        cwd=root,
        env={**os.environ, "PORT": str(port), "TABLES_AT_ONCE": "1000", **environment},
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until(lambda: answers(f"{address}/healthz"), SECONDS_TO_START)
        yield address, process.pid
    finally:
        process.terminate()
        process.wait(20)
