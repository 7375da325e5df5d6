"""Players at their tables, alone and beside 200 hostile sockets, in one run.

`bin/bench hostile` prints the players' median and p99 ack of both, and the ratio. The hostile ones
come from addresses of their own (127.0.1.2 …) in a process of the lowest priority: they would have
a machine of their own. They are people without an account who send moves as fast as they may, mixed
rubbish, floods of `hello`, and players at other tables who ask about their hands without end;
a socket that is closed is opened again. Everything goes to 127.0.0.1, and ends with the run.

The control: the same hostile ones at a second web process of the same site, which has no players.
What the players lose then is the machine's, which all of this shares, and not their process's. The
goal is for the whole of it all the same.
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import uuid4

import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from bench.figures import compute_percentile, spread
from bench.processes import ROOT, cpu_seconds
from bench.sockets import DRAW, HELLO, Seats, act, play_at, prepare, web_server
from tables.models import Table

TABLES = 10
TABLES_OF_ATTACKERS = 20
HOSTILE = 200
ROUNDS = 4  # of six seconds, each alone and beside
SECONDS = 6
PAUSE = 0.25  # between two moves at a table
SECONDS_TO_BEGIN = 12
SECONDS_OF_ATTACK = SECONDS_TO_BEGIN + 9
RATIO_GOAL, P99_GOAL_MS = 1.3, 150

chance = random.Random()  # noqa: S311 - no secret


@dataclass(frozen=True)
class Target:
    """The instructions of the hostile process. `seated`: tables and sessions of their players."""

    address: str
    tables: list[int]
    seated: list[tuple[int, str]]


def question_of(question: dict[str, Any]) -> str:
    return json.dumps({"type": "ask", "id": str(uuid4()), "question": question})


def players_frame() -> str:
    """Return a frame that only a seated player may send."""
    return chance.choice(
        [
            act(DRAW, 1),
            '{"type":"draft","rev":1,"draft":[["7H.0"]]}',
            '{"type":"say","phrase":"hello","text":""}',
            '{"type":"pre_action","move":{"kind":"drop"},"last_deal":null}',
        ]
    )


def make_rubbish() -> str:
    return chance.choice(
        [
            "{",
            "[" * 5_000,
            '{"type":"fly"}',
            '{"type":"ping","c":-Infinity}',
            '{"type":"say","phrase":"","text":"\\ud800"}',
            '{"type":"hello","epoch":"\\u0000","v":1}',
            question_of({"kind": "judge", "groups": [["7H.0"] * 500]}),
            "x" * 16_000,
        ]
    )


def hello() -> str:
    return json.dumps({"type": "hello", "epoch": "", "v": chance.choice((0, 1))})


def question() -> str:
    groups = [["2H.0", "3H.0", "4H.0"]]
    return question_of(chance.choice(({"kind": "arrange"}, {"kind": "judge", "groups": groups})))


# Frames and the seconds between them, by kind of attacker.
ATTACKS: tuple[tuple[Callable[[], str], float], ...] = (
    (players_frame, 0.5),
    (players_frame, 0.1),
    (make_rubbish, 0.1),
    (hello, 0.1),
    (question, 0.1),
)


async def attack(target: Target, number: int, counts: Counter[str], end: float) -> None:
    """Use one socket after the other."""
    source = f"127.0.{1 + number // 250}.{2 + number % 250}"
    table_id, session = target.tables[number % len(target.tables)], ""
    frame, pause = ATTACKS[number % len(ATTACKS)]
    if frame is question:
        table_id, session = target.seated[number // len(ATTACKS) % len(target.seated)]
    while time.monotonic() < end:
        try:
            async with connect(
                f"ws{target.address.removeprefix('http')}/ws/tables/{table_id}/",
                origin=target.address,  # type: ignore[arg-type]
                additional_headers={"Cookie": f"sessionid={session}"} if session else {},
                proxy=None, compression=None, ping_interval=None, local_addr=(source, 0),
            ) as socket:  # fmt: skip
                counts["opened"] += 1
                reading = asyncio.create_task(count_answers(socket, counts))
                try:
                    await socket.send(HELLO)
                    while time.monotonic() < end:
                        await socket.send(frame())
                        counts["sent"] += 1
                        await asyncio.sleep(pause)
                finally:
                    reading.cancel()
        except ConnectionClosed:
            counts["closed"] += 1
        except (InvalidHandshake, OSError):
            counts["refused"] += 1
            await asyncio.sleep(0.5)


async def count_answers(socket: ClientConnection, counts: Counter[str]) -> None:
    async for _message in socket:
        counts["answers"] += 1


async def attack_together(target: Target) -> Counter[str]:
    counts: Counter[str] = Counter()
    end = time.monotonic() + SECONDS_OF_ATTACK
    await asyncio.gather(*(attack(target, number, counts, end) for number in range(HOSTILE)))
    counts["ms"] = round(1000 * time.process_time())
    return counts


def be_hostile() -> None:
    """Read a target from the input, attack it and write what was done."""
    os.nice(19)
    target = Target(**json.loads(sys.stdin.readline()))
    print(json.dumps(uvloop.run(attack_together(target))))


@contextmanager
def attack_target(target: Target, counts: Counter[str]) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.hostile", "--attack"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdin is not None  # noqa: S101 - a pipe
        process.stdin.write(json.dumps(asdict(target)) + "\n")
        process.stdin.flush()
        time.sleep(SECONDS_TO_BEGIN)
        yield
        counts.update(json.loads(process.communicate(timeout=120)[0]))
    finally:
        process.kill()
        process.wait(20)


@dataclass
class Way:
    """Players at one web process, and hostile sockets at some process or none."""

    name: str
    target: Target | None = None
    acks: list[float] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    processor: list[float] = field(default_factory=list)  # seconds a second of the players' process

    def measure(self, web: tuple[str, int], tables: Sequence[Seats]) -> None:
        if self.target is None:
            self._play(*web, tables)
            return
        with attack_target(self.target, self.counts):
            self._play(*web, tables)

    def _play(self, address: str, pid: int, tables: Sequence[Seats]) -> None:
        began, used = time.monotonic(), cpu_seconds([pid])
        self.acks += uvloop.run(play_at(address, tables, PAUSE, SECONDS))[1].acks
        self.processor.append((cpu_seconds([pid]) - used) / (time.monotonic() - began))

    @property
    def median(self) -> float:
        return statistics.median(self.acks)

    def __str__(self) -> str:
        return (
            f"{self.name + ':':24}ack {spread(self.acks, digits=1)} of {len(self.acks)} moves;"
            f" their process had {100 * statistics.mean(self.processor):.0f} % of a processor"
        )


def report(alone: Way, control: Way, beside: Way, seconds: float) -> None:
    counts, ratio = beside.counts, beside.median / alone.median
    p99 = compute_percentile(beside.acks, 99)
    is_held = ratio <= RATIO_GOAL and p99 <= P99_GOAL_MS
    print(
        f"{alone}\n{control}\n{beside}\n"
        f"they sent {counts['sent'] / seconds:.0f} frames/s over {counts['opened']} sockets, were"
        f" closed {counts['closed']} times and refused {counts['refused']} times;"
        f" {counts['ms'] / seconds / 10:.0f} % of a processor for themselves\n"
        f"control: median {control.median / alone.median:.2f} times as long beside the hostile ones"
        f" at another process; {beside.median / control.median:.2f} times from there to those at"
        " the players' own\n"
        f"median {ratio:.2f} times (goal {RATIO_GOAL}), p99 {p99:.0f} ms (goal {P99_GOAL_MS} ms)"
        f" {'held' if is_held else 'MISSED'}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attack", action="store_true", help="be the hostile process")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of some 50 s")
    chosen = parser.parse_args()
    if chosen.attack:
        be_hostile()
        return
    tables, others = prepare(TABLES, 2), prepare(TABLES_OF_ATTACKERS, 2)
    Table.objects.update(offers_arrangement=True, offers_verdict=True)
    ids = [one.table_id for one in tables]
    seated = [(one.table_id, session) for one in others for session in one.sessions]
    with web_server() as web, web_server() as elsewhere:
        alone = Way("players alone")
        control = Way("beside, elsewhere", Target(elsewhere[0], ids, seated))
        beside = Way(f"beside {HOSTILE} hostile", Target(web[0], ids, seated))
        uvloop.run(play_at(web[0], tables, PAUSE, SECONDS))  # warm up
        for number in range(chosen.rounds):
            # Alternate the order, so that each follows the other equally often.
            for way in (alone, *(control, beside)[:: 1 if number % 2 else -1]):
                way.measure(web, tables)
    report(alone, control, beside, chosen.rounds * SECONDS_OF_ATTACK)


if __name__ == "__main__":
    main()
