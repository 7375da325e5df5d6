"""What it takes to let many players in again at once, as after a lost host: `bin/bench comeback`.

So many players (400, two at a table) open a socket to one web process within half a second, say what
they have seen and, as pages do, ask what concerns themselves, and wait until they are told what they
missed; then all go, and come again. Printed:
after how many seconds they were back, and the processor time of each socket in the web process,
PostgreSQL and Valkey; and the same of the floor in the same server (bench/live_app.py), which
knows nobody and tells nothing. Clients share the machine.
"""

import argparse
import asyncio
import json
import random
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack

import uvloop
from websockets.asyncio.client import ClientConnection

from bench.live import Seats, opened, prepare, server
from bench.units import Meter, Spent
from tables.models import Table

ROUNDS = 3
SEATS = 2
# As static/js/table/io does it: each at a moment of its own.
WITHIN_SECONDS = 0.5
SECONDS_TO_SETTLE = 2

Coming = Callable[[ClientConnection], Awaitable[None]]


async def come_back(
    address: str, path: str, tables: Sequence[Seats], coming: Sequence[Coming]
) -> list[float]:
    """Seconds of each player until they were back; all have gone again after it."""
    async with AsyncExitStack() as stack:

        async def one(table_id: int, session: str, told: Coming) -> float:
            await asyncio.sleep(random.uniform(0, WITHIN_SECONDS))  # noqa: S311 - no secret
            began = time.perf_counter()
            sockets = await stack.enter_async_context(
                opened(address, path.format(table_id), [session])
            )
            await told(sockets[0])
            return time.perf_counter() - began

        return await asyncio.gather(
            *(
                one(seats.table_id, session, told)
                for seats, told in zip(tables, coming, strict=True)
                for session in seats.sessions
            )
        )


def knows(epoch: str, version: int) -> Coming:
    """Says what it has seen, and waits for what it has missed."""

    async def told(socket: ClientConnection) -> None:
        await socket.send(json.dumps({"type": "hello", "epoch": epoch, "v": version}))
        await socket.send(json.dumps({"type": "me"}))
        while json.loads(await socket.recv())["type"] not in ("snap", "ev"):
            pass

    return told


async def nothing(_socket: ClientConnection) -> None:
    """The floor is back as soon as it is open."""


async def measure(
    address: str, meter: Meter, tables: Sequence[Seats]
) -> dict[str, tuple[list[float], Spent]]:
    known = {
        pk: (epoch, version) for pk, epoch, version in
        [row async for row in Table.objects.values_list("pk", "epoch", "version")]
    }  # fmt: skip
    kinds: dict[str, tuple[str, Sequence[Coming]]] = {
        "floor": ("/ws/floor/{}/", [nothing] * len(tables)),
        "table": ("/ws/tables/{}/", [knows(*known[seats.table_id]) for seats in tables]),
    }
    found = {}
    for kind in ("table", *list(kinds) * ROUNDS):  # the first time nothing is warm
        path, coming = kinds[kind]
        before = meter.read()
        seconds = await come_back(address, path, tables, coming)
        spent = meter.read().since(before)
        found[kind] = (sorted(seconds), spent.each(len(seconds)))
        await asyncio.sleep(SECONDS_TO_SETTLE)
        print(line(kind, *found[kind]), flush=True)
    return found


def line(kind: str, seconds: Sequence[float], spent: Spent) -> str:
    return (
        f"{kind}: {len(seconds)} back after p50 {statistics.median(seconds):.2f},"
        f" longest {seconds[-1]:.2f} s; each: web {1e3 * spent.web:.1f},"
        f" PostgreSQL {1e3 * spent.postgres:.1f}, Valkey {1e3 * spent.valkey:.2f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=400)
    chosen = parser.parse_args()
    tables = prepare(chosen.players // SEATS, SEATS)
    with server() as (address, pid):
        found = uvloop.run(measure(address, Meter([pid]), tables))
    web = {kind: spent.web for kind, (_seconds, spent) in found.items()}
    print(
        f"a player's socket costs the web process {web['table'] / web['floor']:.1f} times the floor's"
    )


if __name__ == "__main__":
    main()
