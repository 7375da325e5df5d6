"""Moves per second through play_move, against the same SQL in pgbench, in one run.

`bin/bench moves` prints the ratios, `bin/bench moves indian` those of one game alone. Moves run as
consumers run them: on the bounded pool of threads with its connections, rules, views, the change
and the commit included; sockets are not. They run in one process, and in as many as pgbench has
threads, which is how a machine with two cores is run.
"""

import asyncio
import json
import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

import django

os.environ["GAMES_OFFERED"] = "indian,gin"
django.setup()

import uvloop

from bench.figures import ratios
from bench.pgbench import Pgbench
from bench.sitting import begin_anew, open_tables
from core.threads import in_thread
from tables.models import Change as StoredChange
from tables.models import Seat, Table
from tables.play.change import Change
from tables.play.move import MoveRequest, play_move

TABLES = 32
PROCESSES = 2
SECONDS = 5
ROUNDS = 5
# Deals begin anew after this many moves: about as long as people's deals are.
MOVES_OF_A_DEAL = {"indian": 60, "gin": 50}
# What comes before the first turn.
OPENING = {"indian": [], "gin": [{"kind": "pass"}, {"kind": "pass"}]}

# The statements of tables/play/lock.py, with the values of a typical move as parameters.
SCRIPT = r"""
\set table random(:first, :last)
BEGIN;
SELECT t.game, t.status, t.version AS version, t.turn_version, t.state, t.match_id AS match,
       t.next_seed, t.client_seeds,
       t.bot_seats, t.deferred_moves, (extract(epoch FROM t.deadline_at) * 1000)::bigint,
       (extract(epoch FROM t.bot_due_at) * 1000)::bigint,
       (SELECT s.number FROM tables_seat s
         WHERE s.table_id = t.id AND s.user_id = 1 AND s.left_at IS NULL),
       (extract(epoch FROM clock_timestamp()) * 1000)::bigint
  FROM tables_table t WHERE t.id = :table FOR NO KEY UPDATE OF t \gset
WITH saved AS (
  UPDATE tables_table
     SET state = :state::bytea, version = :version + 1,
         turn_version = :version,
         deadline_at = now() + interval '90 s', bot_due_at = NULL
   WHERE id = :table)
INSERT INTO tables_change
  (table_id, match_id, version, kind, seat, move, move_id, at_ms, events, patch, private)
VALUES (:table, :match, :version + 1, 'MOVE', 0, :move::jsonb, gen_random_uuid(),
        1790000000000, :events::jsonb, :patch::jsonb, :private::jsonb);
COMMIT;
"""


class Player:
    """Plays both seats of one table: draw from the closed deck, throw the card away."""

    def __init__(self, table_id: int) -> None:
        self.table_id = table_id
        sittings = Seat.objects.filter(table_id=table_id)
        self.users = dict(sittings.values_list("number", "user_id"))
        self.game = Table.objects.values_list("game", flat=True).get(pk=table_id)
        self.turn = 0

    async def play_until(self, end: float) -> int:
        moves = await self._begin_anew()
        while time.perf_counter() < end:
            step = await self._move({"kind": "draw", "source": "closed"})
            drawn = str(step.private[str(self.turn)]["drawn"])
            await self._move({"kind": "discard", "card": drawn})
            self.turn = 1 - self.turn
            moves += 2
            if moves % MOVES_OF_A_DEAL[self.game] == 0:
                moves += await self._begin_anew()
        return moves

    async def _begin_anew(self) -> int:
        """Begin a deal again. Returns the number of moves until the first turn."""
        await in_thread(begin_anew, self.table_id)
        self.turn = 0
        for move in OPENING[self.game]:
            await self._move(move)
            self.turn = 1 - self.turn
        return len(OPENING[self.game])

    async def _move(self, move: dict[str, str]) -> Change:
        request = MoveRequest(self.table_id, self.users[self.turn], move)
        played = await in_thread(play_move, request)
        if played.refusal is not None:
            raise played.refusal
        return played.changes[0]


async def moves_per_second(players: Sequence[Player]) -> float:
    began = time.perf_counter()
    done = await asyncio.gather(*(p.play_until(began + SECONDS) for p in players))
    return sum(done) / (time.perf_counter() - began)


def play_when_told(orders: Connection, table_ids: Sequence[int]) -> None:
    """A process of its own: plays its tables for every order, and answers with moves/s."""
    players = [Player(table_id) for table_id in table_ids]
    orders.send("ready")
    while orders.recv() == "play":
        orders.send(uvloop.run(moves_per_second(players)))


class Processes:
    """A number of processes, each with its share of the tables."""

    def __init__(self, number: int, table_ids: Sequence[int]) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._orders = []
        for first in range(number):
            ours, theirs = spawn.Pipe()
            share = table_ids[first::number]
            spawn.Process(target=play_when_told, args=(theirs, share), daemon=True).start()
            ours.recv()
            self._orders.append(ours)

    def moves_per_second(self) -> float:
        for orders in self._orders:
            orders.send("play")
        return sum(float(orders.recv()) for orders in self._orders)

    def stop(self) -> None:
        for orders in self._orders:
            orders.send("stop")


def floor_per_second(tables: list[Table], pgbench: Pgbench) -> float:
    sample = StoredChange.objects.filter(kind="MOVE", move__kind="discard").latest("pk")
    state = bytes(Table.objects.get(pk=tables[0].pk).state or b"")
    values = {
        "first": tables[0].pk,
        "last": tables[-1].pk,
        "state": rf"\x{state.hex()}",
        "move": json.dumps(sample.move),
        "events": json.dumps(sample.events),
        "patch": json.dumps(sample.patch),
        "private": json.dumps(sample.private),
    }
    return pgbench.run(SCRIPT, clients=8, seconds=SECONDS, values=values)


def main() -> None:
    games = sys.argv[1:] or list(MOVES_OF_A_DEAL)
    runs: dict[tuple[str, int], Processes] = {}
    tables: list[Table] = []
    for game in games:
        tables = open_tables(TABLES, 2, f"Moves {game}", game)
        ids = [table.pk for table in tables]
        runs |= {(game, number): Processes(number, ids) for number in (1, PROCESSES)}
    speeds: dict[tuple[str, int], list[float]] = {key: [] for key in runs}
    floors = []
    for processes in runs.values():
        processes.moves_per_second()  # warm up
    with tempfile.TemporaryDirectory() as folder:
        for _round in range(ROUNDS):
            for key, processes in runs.items():
                speeds[key].append(processes.moves_per_second())
            floors.append(floor_per_second(tables, Pgbench(Path(folder))))
    print(f"pgbench floor {statistics.median(floors):6.0f} moves/s  (8 clients, 2 threads)")
    for key, processes in runs.items():
        game, number = key
        processes.stop()
        print(
            f"{game:7}       {statistics.median(speeds[key]):6.0f} moves/s  "
            f"(processes: {number}, 8 threads each)  "
            f"ratio {ratios(speeds[key], floors)}"
        )


if __name__ == "__main__":
    main()
