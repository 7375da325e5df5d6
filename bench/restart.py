"""Every process replaced while people play: `bin/bench restart` prints what the players noticed.

The supervisor runs two web processes, a clock, a worker and a beat on the benchmark's own servers;
tables are played by real WebSocket clients at human pace. After SIGUSR1 each process is replaced by
its successor. Printed: how long each client was away, and whether every move that was acknowledged
is stored once.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import django

django.setup()

import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from bench.live import Seats, prepare
from bench.sitting import begin_anew
from tables.models import Change, Table

ROOT = Path(__file__).resolve().parents[1]
# As static/js/table/io does it: at once, each at a moment of its own.
LONGEST_WAIT = 0.3
SECONDS_BEFORE, SECONDS_AFTER = 5, 5


class Guest:
    """One player's browser: comes back by itself, and sends again what was not answered."""

    def __init__(self, address: str, table_id: int, session: str) -> None:
        self._address, self._table_id, self._session = address, table_id, session
        self._socket: ClientConnection | None = None
        self.epoch, self.version = "", 0
        self.turn: int | None = None
        self.drawn: str | None = None
        self.acked: list[str] = []
        self.seconds_away: list[float] = []

    async def come(self) -> None:
        while True:
            try:
                self._socket = await connect(
                    f"ws{self._address.removeprefix('http')}/ws/tables/{self._table_id}/",
                    origin=self._address,  # type: ignore[arg-type]
                    additional_headers={"Cookie": f"sessionid={self._session}"},
                    proxy=None, compression=None, ping_interval=None,
                )  # fmt: skip
                await self._send(type="hello", epoch=self.epoch, v=self.version)
                await self._until("snap", "ev")
            except (ConnectionClosed, InvalidHandshake, OSError):
                await asyncio.sleep(random.uniform(0, LONGEST_WAIT))  # noqa: S311 - no secret
            else:
                return

    async def leave(self) -> None:
        if self._socket is not None:
            await self._socket.close()

    async def act(self, **move: str) -> int:
        """Play a move, however often it has to be sent; the version that it made."""
        move_id = str(uuid4())
        while True:
            try:
                await self._send(type="act", id=move_id, v=self.version, move=move)
                answer = await self._until("ack", "rej")
            except ConnectionClosed:
                await self._come_back()
                continue
            if answer["type"] == "rej":
                raise RuntimeError(answer)
            self.acked.append(move_id)
            await self.see(answer["v"])
            return int(answer["v"])

    async def see(self, version: int) -> None:
        while self.version < version:
            try:
                await self._until("ev", "snap")
            except ConnectionClosed:
                await self._come_back()

    async def _come_back(self) -> None:
        began = time.perf_counter()
        await asyncio.sleep(random.uniform(0, LONGEST_WAIT))  # noqa: S311 - no secret
        await self.come()
        self.seconds_away.append(time.perf_counter() - began)

    async def _send(self, **message: Any) -> None:
        assert self._socket is not None  # noqa: S101 - come() was called
        await self._socket.send(json.dumps(message))

    async def _until(self, *types: str) -> dict[str, Any]:
        assert self._socket is not None  # noqa: S101 - come() was called
        while True:
            message: dict[str, Any] = json.loads(await self._socket.recv())
            self._note(message)
            if message["type"] in types:
                return message

    def _note(self, message: dict[str, Any]) -> None:
        if message["type"] == "snap":
            self.epoch, self.version = message["epoch"], message["v"]
            self._note_state(message["state"]["game"], message["state"]["you"])
        for change in message.get("changes", ()):
            self.version = change["v"]
            self._note_state(change["patch"].get("game", {}), change.get("you", {}))

    def _note_state(self, game: dict[str, Any], you: dict[str, Any]) -> None:
        self.turn = game.get("turn", self.turn)
        self.drawn = you.get("drawn", self.drawn)


async def play(guests: Sequence[Guest], pause: float, over: asyncio.Event) -> None:
    await asyncio.sleep(random.uniform(0, pause))  # noqa: S311 - no secret
    while not over.is_set():
        turn = guests[0].turn
        if turn is None:
            raise RuntimeError("the deal is over")
        mine = guests[turn]
        await mine.act(kind="draw", source="closed")
        await asyncio.sleep(pause)
        version = await mine.act(kind="discard", card=str(mine.drawn))
        await asyncio.gather(*(guest.see(version) for guest in guests))
        await asyncio.sleep(pause)


async def run(address: str, tables: Sequence[Seats], pause: float, supervisor: int) -> list[Guest]:
    rooms = [[Guest(address, one.table_id, name) for name in one.sessions] for one in tables]
    guests = [guest for room in rooms for guest in room]
    for guest in guests:
        await guest.come()
    over = asyncio.Event()
    playing = [asyncio.create_task(play(room, pause, over)) for room in rooms]
    await asyncio.sleep(SECONDS_BEFORE)
    old = processes_of(supervisor)
    began = time.perf_counter()
    os.kill(supervisor, signal.SIGUSR1)
    while processes_of(supervisor) & old:  # noqa: ASYNC110 - other processes tell us nothing
        await asyncio.sleep(0.2)
    print(f"{len(old)} processes replaced in {time.perf_counter() - began:.1f} s")
    await asyncio.sleep(SECONDS_AFTER)
    over.set()
    await asyncio.gather(*playing)
    await asyncio.gather(*(guest.leave() for guest in guests))
    return guests


def processes_of(supervisor: int) -> set[int]:
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == supervisor:
            found.add(int(stat.parent.name))
    return found


def report(guests: Sequence[Guest], tables: Sequence[Seats]) -> None:
    away = sorted(seconds for guest in guests for seconds in guest.seconds_away)
    print(
        f"{len(guests)} clients came back {len(away)} times: p50 {statistics.median(away):.2f} s,"
        f" longest {away[-1]:.2f} s"
    )
    acked = [move_id for guest in guests for move_id in guest.acked]
    stored = Change.objects.filter(move_id__in=acked).count()
    playing = Table.objects.filter(
        pk__in=[one.table_id for one in tables], status="PLAYING"
    ).count()
    print(f"{len(acked)} moves acknowledged, {stored} of them stored, each once")
    print(f"{playing} of {len(tables)} matches go on")
    if stored != len(acked) or playing != len(tables):
        sys.exit("something was lost")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds before each move")
    chosen = parser.parse_args()
    tables = prepare(chosen.tables, 2)
    for one in tables:
        begin_anew(one.table_id, 2)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "PORT": str(port), "WEB_PROCESSES": "2", "TABLES_AT_ONCE": "1000"}
    running = subprocess.Popen(
        [sys.executable, "-m", "config.run.supervisor"], cwd=ROOT, env=environment
    )
    try:
        address = f"http://127.0.0.1:{port}"
        guests = uvloop.run(run(address, tables, chosen.pause, running.pid))
        report(guests, tables)
    finally:
        running.terminate()
        running.wait(60)


if __name__ == "__main__":
    main()
