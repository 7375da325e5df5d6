"""The files that one discard enters, from its frame to the other player's: `bin/bench discard`.

Two sockets of the table page's own consumer sit at one table. A first turn warms every cache; then each
function call of the process is noted while the second player discards, on the event loop and on the threads
of the database. `bin/bench discard gin` does the same for another game.
"""

import asyncio
import json
import os
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any
from uuid import uuid4

import django

os.environ["GAMES_OFFERED"] = "indian,gin"
django.setup()

from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.contrib.sessions.backends.db import SessionStore

from accounts.models import User
from bench.moves import OPENING
from bench.sitting import begin_anew, open_tables, people_at
from config.sockets.consumers import OwnNews
from tables.live.consumers import TableConsumer

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = (ROOT / ".venv", ROOT / "bench")


class Profile:
    """The functions of this project that are called while it is on, by file."""

    def __init__(self) -> None:
        self.calls: Counter[Path] = Counter()
        self.is_on = False

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        if not self.is_on or event != "call":
            return
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(ROOT) and not any(path.is_relative_to(other) for other in OUTSIDE):
            self.calls[path.relative_to(ROOT)] += 1


class Player:
    """One socket, as the handshake would hand it to the consumer."""

    def __init__(self, table_id: int, user: User) -> None:
        scope = {
            "type": "websocket",
            "path": f"/ws/tables/{table_id}/",
            "query_string": b"",
            "client": ("127.0.0.1", 0),
            "user": user,
            "session": SessionStore(),
            "url_route": {"kwargs": {"table_id": table_id}},
        }
        self._socket: Any = ApplicationCommunicator(TableConsumer.as_asgi(news=OwnNews), scope)  # type: ignore[no-untyped-call]
        self.version = 0
        self.you: dict[str, Any] = {}

    async def connect(self) -> None:
        await self._socket.send_input({"type": "websocket.connect"})
        await self._socket.receive_output()  # it is accepted
        await self.send({"type": "hello", "epoch": "", "v": 0})
        await self.until("snap")

    async def send(self, frame: dict[str, Any]) -> None:
        await self._socket.send_input({"type": "websocket.receive", "text": json.dumps(frame)})

    async def until(self, kind: str) -> None:
        """Read frames until one of this kind has come."""
        while True:
            frame = json.loads((await self._socket.receive_output(timeout=10))["text"])
            if frame["type"] == "snap":
                self.version, self.you = frame["v"], frame["state"]["you"]
            elif frame["type"] == "ev":
                for change in frame["changes"]:
                    self.version = change["v"]
                    self.you |= change.get("you", {})
            if frame["type"] == "rej":
                raise AssertionError(frame)
            if frame["type"] == kind:
                return

    async def play(self, move: dict[str, Any], others: Sequence["Player"]) -> None:
        """Play a move, and wait until everybody has it."""
        act = {"type": "act", "id": str(uuid4()), "v": self.version, "move": move}
        await self.send(act)
        await self.until("ev")
        for other in others:
            await other.until("ev")

    async def leave(self) -> None:
        await self._socket.send_input({"type": "websocket.disconnect", "code": 1000})
        await self._socket.wait()


async def discard(table_id: int, users: Sequence[User], game: str, profile: Profile) -> None:
    players = [Player(table_id, user) for user in users]
    for player in players:
        await player.connect()
    turn = 0
    for move in OPENING[game]:
        await players[turn].play(move, [players[1 - turn]])
        turn = 1 - turn
    for is_measured in (False, True):
        player, other = players[turn], players[1 - turn]
        await player.play({"kind": "draw", "source": "closed"}, [other])
        profile.is_on = is_measured
        await player.play({"kind": "discard", "card": player.you["drawn"]}, [other])
        profile.is_on = False
        turn = 1 - turn
    for player in players:
        await player.leave()


async def main(game: str) -> None:
    profile = Profile()
    threading.setprofile(profile)  # before the first thread of the database begins
    [table] = await sync_to_async(open_tables)(1, 2, "Discard", game)
    await sync_to_async(begin_anew)(table.pk)
    users = await sync_to_async(people_at)(table)
    sys.setprofile(profile)
    await discard(table.pk, users, game, profile)
    sys.setprofile(None)
    for path, calls in sorted(profile.calls.items()):
        print(f"{calls:6}  {path}")
    apart = sum(path.parts[0] == "games" for path in profile.calls)
    print(
        f"{game}: {len(profile.calls)} files of the project, {apart} of them in games/, "
        f"{profile.calls.total()} calls"
    )


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "indian"))
