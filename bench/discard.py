"""List the files that one discard enters, from its frame to the other player's: `bin/bench discard [game]`.

Two players sit at a table of a web server in this process. A first turn warms every cache; then each
function call is counted while the second player discards, on the event loop and on the threads of the
database.
"""

import asyncio
import os
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import django

os.environ["GAMES_OFFERED"] = "indian,gin"
django.setup()

from bench.processes import ROOT
from bench.sitting import begin_anew, open_tables, people_at
from tests.live_site import serve
from tests.tables.socket_client import TableSocket, session_of

# Moves before the first turn.
OPENING = {"gin": [{"kind": "pass"}, {"kind": "pass"}]}
OUTSIDE = tuple(ROOT / name for name in (".venv", "bench", "tests"))


class Profile:
    """The calls of this project's functions while it is on, by file."""

    def __init__(self) -> None:
        self.calls: Counter[Path] = Counter()
        self.is_on = False

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if not self.is_on or event != "call" or not path.is_relative_to(ROOT):
            return
        if not any(path.is_relative_to(other) for other in OUTSIDE):
            self.calls[path.relative_to(ROOT)] += 1


async def play(players: Sequence[TableSocket], move: dict[str, Any]) -> None:
    """Play a move of the player at turn, and wait until everybody has it."""
    answer = await players[players[0].state["game"]["turn"]].act(**move)
    for player in players:
        await player.receive_until_version(answer["v"])


async def discard(
    address: str, table_id: int, sessions: Sequence[str], opening: Any, profile: Profile
) -> None:
    async with (
        TableSocket(address, table_id, sessions[0]) as first,
        TableSocket(address, table_id, sessions[1]) as second,
    ):
        players = [first, second]
        for player in players:
            await player.hello()
        for move in opening:
            await play(players, move)
        for is_measured in (False, True):
            mover = players[first.state["game"]["turn"]]
            await play(players, {"kind": "draw", "source": "closed"})
            profile.is_on = is_measured
            await play(players, {"kind": "discard", "card": mover.state["you"]["drawn"]})
            profile.is_on = False


def main(game: str) -> None:
    [table] = open_tables(1, 2, "Discard", game)
    begin_anew(table.pk)
    sessions = [session_of(user) for user in people_at(table)]
    profile = Profile()
    threading.setprofile(profile)  # before the first thread of the server begins
    with serve() as address:
        asyncio.run(discard(address, table.pk, sessions, OPENING.get(game, ()), profile))
    for path, calls in sorted(profile.calls.items()):
        print(f"{calls:6}  {path}")
    apart = sum(path.parts[0] == "games" for path in profile.calls)
    print(
        f"{game}: {len(profile.calls)} files of the project, {apart} of them in games/, "
        f"{profile.calls.total()} calls"
    )


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "indian")
