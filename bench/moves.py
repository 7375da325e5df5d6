"""Moves per second through play_move, against the same SQL in pgbench, in one run.

`bin/bench moves` prints the ratio. Moves run as consumers run them: on the bounded pool of threads,
with the connection pool, rules, views, the change and the commit included; sockets are not.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import django

django.setup()

from django.conf import settings
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from config.embedded.postgres import programs
from tables.games.registry import get_game
from tables.locks import Step
from tables.models import Change, Table
from tables.services.deadlines import act_on_table
from tables.services.opening import TableWish, open_table
from tables.services.play import MoveRequest, play_move
from tables.services.seating import take_seat
from tables.threads import in_thread
from wallet import services as wallet

TABLES = 32
SECONDS = 5
ROUNDS = 5
# Deals begin anew after this many moves: about as long as people's deals are.
MOVES_OF_A_DEAL = 60

# The statements of tables/locks.py with the sizes of a typical move.
SCRIPT = r"""
\set table {first} + random(0, {last})
BEGIN;
SELECT t.game, t.status, t.version AS version, t.turn_version, t.state, t.match_id AS match,
       t.next_seed,
       t.bot_seats, (extract(epoch FROM t.deadline_at) * 1000)::bigint,
       (extract(epoch FROM t.bot_due_at) * 1000)::bigint,
       (SELECT s.number FROM tables_seat s
         WHERE s.table_id = t.id AND s.user_id = 1 AND s.left_at IS NULL),
       (extract(epoch FROM clock_timestamp()) * 1000)::bigint
  FROM tables_table t WHERE t.id = :table FOR NO KEY UPDATE OF t \gset
WITH saved AS (
  UPDATE tables_table
     SET state = decode(repeat('ab', {state}), 'hex'), version = :version + 1,
         turn_version = :version,
         deadline_at = now() + interval '90 s', bot_due_at = NULL
   WHERE id = :table)
INSERT INTO tables_change
  (table_id, match_id, version, kind, seat, move, move_id, at_ms, events, patch, private)
VALUES (:table, :match, :version + 1, 'MOVE', 0, '{move}'::jsonb, gen_random_uuid(),
        1790000000000, '{events}'::jsonb, '{patch}'::jsonb, '{private}'::jsonb);
COMMIT;
"""


def prepare() -> list[Table]:
    wallet.set_starting_fees(valid_from=timezone.now())
    tables = []
    for number in range(TABLES):
        table = open_table(TableWish(name=f"Bench {number}", max_seats=2, point_value=1))
        for seat in range(2):
            user = User.objects.create_user(
                f"b{number}-{seat}@example.com", None, player_name=f"Bench {number} {seat}"
            )
            wallet.grant_welcome_chips(user_id=user.pk)
            take_seat(table_id=table.pk, user_id=user.pk, amount=800, number=seat)
        Table.objects.filter(pk=table.pk).update(deadline_at=Now())
        act_on_table(table.pk)
        tables.append(table)
    return tables


class Player:
    """Plays both seats of one table: draw from the closed deck, throw the card away."""

    def __init__(self, table: Table) -> None:
        self.table_id = table.pk
        self.users = {s.number: s.user_id for s in table.sittings.all()}
        self.turn = 0
        begin_anew(table.pk)

    async def play_until(self, end: float) -> int:
        moves = 0
        while time.perf_counter() < end:
            step = await self._move({"kind": "draw", "source": "closed"})
            drawn = str(step.private[str(self.turn)]["drawn"])
            await self._move({"kind": "discard", "card": drawn})
            self.turn = 1 - self.turn
            moves += 2
            if moves % MOVES_OF_A_DEAL == 0:
                await in_thread(begin_anew, self.table_id)
                self.turn = 0
        return moves

    async def _move(self, move: dict[str, str]) -> Step:
        request = MoveRequest(self.table_id, self.users[self.turn], move)
        played = await in_thread(play_move, request)
        if played.refusal is not None:
            raise played.refusal
        return played.steps[0]


async def moves_per_second(players: list[Player]) -> float:
    began = time.perf_counter()
    done = await asyncio.gather(*(p.play_until(began + SECONDS) for p in players))
    return sum(done) / (time.perf_counter() - began)


def floor_per_second(tables: list[Table], script: Path) -> float:
    sample = Change.objects.filter(kind="MOVE", move__kind="discard").latest("pk")
    state = bytes(Table.objects.get(pk=tables[0].pk).state or b"")

    def text(value: object) -> str:
        # The blank keeps pgbench from reading ":2" as a variable.
        return json.dumps(value, separators=(",", ": ")).replace("'", "''")

    script.write_text(
        SCRIPT.format(
            first=tables[0].pk,
            last=TABLES - 1,
            state=len(state),
            move=text(sample.move),
            events=text(sample.events),
            patch=text(sample.patch),
            private=text(sample.private),
        )
    )
    database = settings.DATABASES["default"]
    command = [
        str(programs() / "pgbench"), "-n", "-M", "prepared", "-c", "8", "-j", "2",
        "-T", str(SECONDS), "-f", str(script),
        "-h", database["HOST"], "-U", database["USER"], database["NAME"],
    ]  # fmt: skip
    environment = {**os.environ, "PGPASSWORD": database["PASSWORD"]}
    out = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    line = next(line for line in out.stdout.splitlines() if line.startswith("tps"))
    return float(line.split()[2])


def main() -> None:
    tables = prepare()
    ratios, ours, floors = [], [], []
    asyncio.run(moves_per_second([Player(table) for table in tables]))  # warm up
    with tempfile.TemporaryDirectory() as folder:
        for _round in range(ROUNDS):
            ours.append(asyncio.run(moves_per_second([Player(table) for table in tables])))
            floors.append(floor_per_second(tables, Path(folder) / "move.sql"))
            ratios.append(ours[-1] / floors[-1])
    print(f"play_move      {statistics.median(ours):8.0f} moves/s  (8 threads, 1 process)")
    print(f"pgbench floor  {statistics.median(floors):8.0f} moves/s  (8 clients)")
    print(f"ratio          {statistics.median(ratios):8.2f}  {[round(r, 2) for r in ratios]}")


def begin_anew(table_id: int) -> None:
    game = get_game("indian")
    rules = game.preset("points")
    state, _events = game.start(rules=rules, seats=(0, 1), toss=False, seed=bytes(32), now=0)
    state = game.postpone(state, by_ms=int(time.time() * 1000))
    Table.objects.filter(pk=table_id).update(
        state=game.dump(state), deadline_at=timezone.now() + timedelta(days=1)
    )


if __name__ == "__main__":
    main()
