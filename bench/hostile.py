"""Players at their tables, alone and beside 200 hostile sockets, in one run.

`bin/bench hostile` prints the players' median and p99 ack of both, and the ratio. The hostile ones
come from addresses of their own (127.0.0.2 …) in a process of the lowest priority: they would have
a machine of their own. They are people without an account who send moves as fast as they may, mixed
rubbish, floods of `hello`, and players at other tables who ask about their hands without end;
whoever is closed comes back. Everything goes to 127.0.0.1, and ends with the run.

The control: the same hostile ones at a second web process of the same site, whose players are
nobody. What the players lose then is the machine's, which all of this shares, and not their
process's. The goal is for the whole of it all the same.
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
from dataclasses import asdict, dataclass
from typing import Any
from uuid import uuid4

import django

django.setup()

import uvloop
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from bench.live import Seats, Times, cpu_seconds, play, prepare, server
from tables.models import Table

TABLES = 10
TABLES_OF_ATTACKERS = 20
HOSTILE = 200
ROUNDS = 4  # of six seconds, each alone and beside
PAUSE = 0.25  # between two moves at a table
SECONDS_TO_BEGIN = 12
SECONDS_OF_ATTACK = SECONDS_TO_BEGIN + 9
LONGEST = 120  # seconds that the hostile ones live at most
PROMISED = (1.3, 150)

Frames = Callable[[], str]


@dataclass(frozen=True)
class Target:
    """The instructions of the hostile process."""

    address: str
    tables: list[int]
    seated: list[tuple[int, str]]  # a table and the session of somebody who sits there


def act() -> str:
    move = {"kind": "draw", "source": "closed"}
    return json.dumps({"type": "act", "id": str(uuid4()), "v": 1, "move": move})


def refused() -> str:
    """Return the refusal of a move that only a seated player may make."""
    return random.choice(  # noqa: S311 - no secret
        [
            act(),
            '{"type":"draft","rev":1,"draft":[["7H.0"]]}',
            '{"type":"say","phrase":"hello","text":""}',
            '{"type":"pre_action","move":{"kind":"drop"},"last_deal":null}',
        ]
    )


def rubbish() -> str:
    return random.choice(  # noqa: S311 - no secret
        [
            "{",
            "[" * 5_000,
            '{"type":"fly"}',
            '{"type":"ping","c":-Infinity}',
            '{"type":"say","phrase":"","text":"\\ud800"}',
            '{"type":"hello","epoch":"\\u0000","v":1}',
            asked({"kind": "judge", "groups": [["7H.0"] * 500]}),
            "x" * 16_000,
        ]
    )


def hello() -> str:
    version = random.choice((0, 1))  # noqa: S311 - no secret
    return json.dumps({"type": "hello", "epoch": "", "v": version})


def question() -> str:
    groups = [["2H.0", "3H.0", "4H.0"]]
    return asked(random.choice(({"kind": "arrange"}, {"kind": "judge", "groups": groups})))  # noqa: S311


def asked(question: dict[str, Any]) -> str:
    return json.dumps({"type": "ask", "id": str(uuid4()), "question": question})


class Attacker:
    """One socket after the other."""

    def __init__(self, target: Target, number: int, counts: Counter[str]) -> None:
        self.target = target
        self.counts = counts
        self.source = f"127.0.{1 + number // 250}.{2 + number % 250}"
        self.session = ""
        self.table_id = target.tables[number % len(target.tables)]
        kind = number % 5
        self.frames, self.pause = [
            (refused, 0.5), (refused, 0.1), (rubbish, 0.1), (hello, 0.1), (question, 0.1),
        ][kind]  # fmt: skip
        if self.frames is question:
            self.table_id, self.session = target.seated[number // 5 % len(target.seated)]

    async def run(self, end: float) -> None:
        while time.monotonic() < end:
            try:
                await self._one_socket(end)
            except ConnectionClosed:
                self.counts["closed"] += 1
            except (InvalidHandshake, OSError):
                self.counts["refused"] += 1
                await asyncio.sleep(0.5)

    async def _one_socket(self, end: float) -> None:
        address = self.target.address
        cookies = {"Cookie": f"sessionid={self.session}"} if self.session else {}
        async with connect(
            f"ws{address.removeprefix('http')}/ws/tables/{self.table_id}/",
            origin=address,  # type: ignore[arg-type]
            additional_headers=cookies,
            proxy=None,
            compression=None,
            ping_interval=None,
            local_addr=(self.source, 0),
        ) as socket:
            self.counts["opened"] += 1
            reading = asyncio.create_task(self._read(socket))
            try:
                await socket.send('{"type":"hello","epoch":"","v":0}')
                while time.monotonic() < end:
                    await socket.send(self.frames())
                    self.counts["sent"] += 1
                    await asyncio.sleep(self.pause)
            finally:
                reading.cancel()

    async def _read(self, socket: object) -> None:
        async for _message in socket:  # type: ignore[attr-defined]
            self.counts["answers"] += 1


async def attack(target: Target, seconds: float) -> Counter[str]:
    counts: Counter[str] = Counter()
    end = time.monotonic() + seconds
    attackers = [Attacker(target, number, counts) for number in range(HOSTILE)]
    await asyncio.gather(*(one.run(end) for one in attackers))
    return counts


def be_hostile() -> None:
    """The process that attacks: a target and a time on its input, what it did on its output."""
    os.nice(19)
    told = json.loads(sys.stdin.readline())
    seated = [(table_id, session) for table_id, session in told["target"]["seated"]]
    target = Target(told["target"]["address"], told["target"]["tables"], seated)
    counts = uvloop.run(attack(target, min(told["seconds"], LONGEST)))
    counts["ms"] = round(1000 * time.process_time())  # of this process
    print(json.dumps(counts))


@contextmanager
def attackers(target: Target, seconds: float, counts: Counter[str]) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, __file__, "--attack"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    told = json.dumps({"target": asdict(target), "seconds": seconds})
    try:
        assert process.stdin is not None  # noqa: S101 - a pipe
        process.stdin.write(told + "\n")
        process.stdin.flush()
        time.sleep(SECONDS_TO_BEGIN)
        yield
        counts.update(json.loads(process.communicate(timeout=LONGEST)[0]))
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(20)


class Way:
    """Players at one web process, and the hostile ones at some or none."""

    def __init__(self, name: str, attacked: tuple[str, int] | None) -> None:
        self.name = name
        self.attacked = attacked
        self.times = Times()
        self.counts: Counter[str] = Counter()
        self.processor: list[float] = []  # of the players' process, in seconds a second

    def measure(
        self, here: tuple[str, int], tables: Sequence[Seats], seated: list[tuple[int, str]]
    ) -> None:
        if self.attacked is None:
            self._play(here, tables)
            return
        target = Target(self.attacked[0], [one.table_id for one in tables], seated)
        with attackers(target, SECONDS_OF_ATTACK, self.counts):
            self._play(here, tables)

    def _play(self, here: tuple[str, int], tables: Sequence[Seats]) -> None:
        address, pid = here
        began, used = time.monotonic(), cpu_seconds(pid)
        self.times.acks += played(address, tables).acks
        self.processor.append((cpu_seconds(pid) - used) / (time.monotonic() - began))

    @property
    def median(self) -> float:
        return statistics.median(self.times.acks)

    def line(self) -> str:
        acks = self.times.acks
        cut = statistics.quantiles(acks, n=100)
        return (
            f"ack p50 {cut[49]:.1f} p95 {cut[94]:.1f} p99 {cut[98]:.1f} ms of {len(acks)} moves;"
            f" their process had {100 * statistics.mean(self.processor):.0f} % of a processor"
        )


def played(address: str, tables: Sequence[Seats]) -> Times:
    return uvloop.run(play(address, tables, PAUSE))[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attack", action="store_true", help="be the hostile process")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    chosen = parser.parse_args()
    if chosen.attack:
        be_hostile()
        return
    tables, others = prepare(TABLES, 2), prepare(TABLES_OF_ATTACKERS, 2)
    Table.objects.update(offers_arrangement=True, offers_verdict=True)
    seated = [(one.table_id, session) for one in others for session in one.sessions]
    with server() as here, server() as elsewhere:
        ways = [Way("players alone", None), Way("beside, elsewhere", elsewhere),
                Way(f"beside {HOSTILE} hostile", here)]  # fmt: skip
        played(here[0], tables)  # everything has been done once
        for number in range(chosen.rounds):
            # Each comes as often right after the one as after the other.
            for way in (ways[0], *ways[1:][:: 1 if number % 2 else -1]):
                way.measure(here, tables, seated)
    alone, control, beside = ways
    for way in ways:
        print(f"{way.name + ':':24}{way.line()}")
    seconds = chosen.rounds * SECONDS_OF_ATTACK
    print(
        f"they sent {beside.counts['sent'] / seconds:.0f} frames/s over {beside.counts['opened']}"
        f" sockets, were closed {beside.counts['closed']} times and refused"
        f" {beside.counts['refused']} times; {beside.counts['ms'] / seconds / 10:.0f} % of a"
        " processor for themselves"
    )
    print(f"control: median {control.median / alone.median:.2f} times as long beside the hostile"
          f" ones at another process; {beside.median / control.median:.2f} times from there to"
          " those at the players' own")  # fmt: skip
    ratio, p99 = beside.median / alone.median, statistics.quantiles(beside.times.acks, n=100)[98]
    held = ratio <= PROMISED[0] and p99 <= PROMISED[1]
    print(f"median {ratio:.2f} times (goal {PROMISED[0]}), p99 {p99:.0f} ms (goal {PROMISED[1]} ms)"
          f" {'held' if held else 'MISSED'}")  # fmt: skip


if __name__ == "__main__":
    main()
