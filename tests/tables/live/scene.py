"""A match at a live site, and the sockets of its players and watchers."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from accounts.models import User
from tables.models import Change, Table
from tests.given import require
from tests.tables.socket_client import TableSocket


@dataclass
class Scene:
    """Users of a live table by seat number. "watcher" is a user without a seat, None a browser without a session."""

    address: str
    table: Table
    people: Mapping[Any, User]
    sessions: Mapping[Any, str]

    def socket(self, who: int | str | None, **how: Any) -> TableSocket:
        return TableSocket(self.address, self.table.pk, self.sessions.get(who), **how)

    @asynccontextmanager
    async def connect(self, *people: int | str | None) -> AsyncIterator[list[TableSocket]]:
        """Open a socket for each of these people, and let each exchange hellos with the server."""
        async with AsyncExitStack() as stack:
            sockets = [await stack.enter_async_context(self.socket(who)) for who in people]
            for socket in sockets:
                await socket.hello()
            yield sockets


def read_record(table: Table) -> Any:
    """Return the stored parts of a table that a refused frame must leave unchanged."""
    row = Table.objects.values("version", "state", "client_seeds").get(pk=table.pk)
    changes = Change.objects.filter(table=table).count()
    return row["version"], bytes(require(row["state"])), row["client_seeds"], changes


async def play_turn(mover: TableSocket, *others: TableSocket) -> int:
    """Draw a card and discard it. Return the new version, which all the sockets have received."""
    assert (await mover.act(kind="draw", source="closed"))["type"] == "ack"
    answer = await mover.act(kind="discard", card=mover.state["you"]["drawn"])
    version: int = answer["v"]
    for socket in others:
        await socket.receive_until_version(version)
    return version


async def await_here(socket: TableSocket, seats: list[int], **fields: Any) -> None:
    """Wait until the socket is told that exactly these seats are connected."""
    while (await socket.receive()) != {"type": "here", "seats": seats, **fields}:
        pass


async def wait_for(holds: Callable[[], bool]) -> None:
    """Poll until the condition holds. It must be about this process."""
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.02)
