"""A day of 2,000 players in 20 minutes, with what goes wrong in it: `bin/bench day`.

The cluster of `bin/bench cluster` (two hosts, two PostgreSQL under Patroni, one Valkey), with workers and
mailers. Each 50 seconds are an hour. Tables of two move as often, all together, as those of so many players do
in that hour (`HOUR_BY_HOUR`; tables of four, a move in 3 s). In the night all processes are replaced, then
the disk of the WAL archive is full until the alarm is heard, at noon the broker is down for a minute, in
the evening the primary stands still until Patroni replaces it, and at night all processes are replaced again.

Printed: how long players were away, when each alarm was heard (by the webhook of docs/watch.md, or at
/readyz), the memory of the site's processes hour by hour; after the end, whether each acknowledged move is
stored once, the ledger balances and the WAL is archived without a gap. Exit status 1 if anything is
wrong. Needs root, for a full disk, nginx, Patroni and etcd.
"""

import argparse
import asyncio
import contextlib
import json
import statistics
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

from bench.chaos.course import Course
from bench.cluster.running import FAIL_OVER, Cluster, run_cluster
from bench.cluster.site import HOSTS
from bench.processes import SiteError, wait_until
from tests.stand_in import serve

HOURS = 24
# Players by hour, relative to the busiest hour; evenings are full.
HOUR_BY_HOUR = (
    .26, .18, .13, .10, .09, .11, .15, .21, .28, .35, .41, .46,
    .51, .54, .52, .50, .52, .58, .67, .80, .93, 1., .84, .48,
)  # fmt: skip
SEATS, SECONDS_OF_A_MOVE = 4, 3
ARCHIVE_ALARM, BROKER_ALARM = "WAL archive fails for", "broker"
# Until the old primary follows, there is no standby.
EXPECTED = {ARCHIVE_ALARM, "Replica of the database behind by"}
# An alert turns red after five minutes; the job checks every minute and reports what lasted one.
SECONDS_TO_HEAR = 480
SECONDS_TO_SEE = 15  # at /readyz
SECONDS_WITHOUT_BROKER = 60
SECONDS_TO_ARCHIVE = 180
# Both between the replacements, with about as many players.
COMPARED_HOURS = (slice(12, 16), slice(18, 21))
MOST_GROWTH = 1.1


class Told(BaseHTTPRequestHandler):
    """The alerts that the site has posted, with their times."""

    alerts: ClassVar[list[tuple[float, str, str]]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        for alert in body["alerts"]:
            self.alerts.append((time.monotonic(), alert["what"], alert["state"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_words: Any) -> None:
        """Say nothing."""

    @classmethod
    def has(cls, what: str, state: str) -> bool:
        return any((one, said) == (what, state) for _at, one, said in list(cls.alerts))


@dataclass
class Day:
    cluster: Cluster
    course: Course
    hour_seconds: float
    began: float = 0.0
    memory: list[Counter[str]] = field(default_factory=list)

    @property
    def archive(self) -> Path:
        return self.cluster.site.var / "backups/wal"

    # --- what goes wrong --------------------------------------------------------------------------

    def fill_archive(self) -> None:
        """Lay a full file system over the archive until its alarm is heard, then take it away."""
        with full_disk(self.archive):
            is_told = partial(Told.has, ARCHIVE_ALARM, "running")
            self._hear(is_told, SECONDS_TO_HEAR, ARCHIVE_ALARM)
        self._hear(partial(Told.has, ARCHIVE_ALARM, "over"), SECONDS_TO_ARCHIVE, "its end")

    def stop_broker(self) -> None:
        began = time.monotonic()
        self.cluster.kill_hints()
        self._hear(lambda: BROKER_ALARM in self._read_faults(), SECONDS_TO_SEE, BROKER_ALARM)
        time.sleep(max(0, began + SECONDS_WITHOUT_BROKER - time.monotonic()))
        self.cluster.hints.start()
        self._hear(lambda: BROKER_ALARM not in self._read_faults(), SECONDS_TO_SEE, "its return")

    def fail_over(self) -> None:
        def sees() -> bool:
            return not {"database", HOSTS[1]}.isdisjoint(self._read_faults())

        seeing = threading.Thread(target=self._hear, args=(sees, SECONDS_TO_SEE, "database"))
        seeing.start()
        self.cluster.fail_over()
        seeing.join()

    def _read_faults(self) -> dict[str, str]:
        return self.cluster.site.faults(HOSTS[1])

    def _hear(self, holds: Callable[[], bool], seconds: float, what: str) -> None:
        began = time.monotonic()
        try:
            wait_until(holds, seconds, pause=0.5)
        except SiteError:
            self.course.note(f"not heard within {seconds:.0f} s: {what}")
        else:
            print(f"  {what}: heard after {time.monotonic() - began:.0f} s", flush=True)

    # --- the day ----------------------------------------------------------------------------------

    async def run(self, players: int) -> None:
        self.began = time.monotonic()
        async with self.course.play(begins_within=10):
            events = asyncio.create_task(self._go_wrong())
            await self._let_hours_pass(players)
            await events

    async def _let_hours_pass(self, players: int) -> None:
        from bench.sitting import bring_more  # noqa: PLC0415 - needs the settings

        tables = len(self.course.players) / 2
        for hour, share in enumerate(HOUR_BY_HOUR):
            pause = tables * SEATS * SECONDS_OF_A_MOVE / (players * share)
            for player in self.course.players:
                player.pace = (pause * 2 / 3, pause * 4 / 3)
            await self._wait_until(hour + 1)
            self.memory.append(await asyncio.to_thread(self.cluster.site.memory))
            with contextlib.suppress(Exception):  # while the database is away nobody needs chips
                await asyncio.to_thread(bring_more, self.course.players)

    async def _wait_until(self, hour: int) -> None:
        await asyncio.sleep(self.began + hour * self.hour_seconds - time.monotonic())

    async def _go_wrong(self) -> None:
        for hour, what, act in (
            (2, "all processes replaced", self.cluster.site.replace_hosts),
            (3, "archive's disk full", self.fill_archive),
            (15, "broker down", self.stop_broker),
            (18, FAIL_OVER, self.fail_over),
            (20, "the old primary goes on", self.cluster.rejoin),
            (22, "all processes replaced again", self.cluster.site.replace_hosts),
        ):
            await self._wait_until(hour)
            await self.course.hit(what, act)

    def judge(self) -> None:
        """Record the problems: alerts, memory and the archive."""
        for at, what, state in Told.alerts:
            print(f"hour {(at - self.began) / self.hour_seconds:4.1f}: {what} ({state})")
        unexpected = {what for _at, what, _state in Told.alerts} - EXPECTED
        self.course.note(*(f"an alarm that nothing explains: {what}" for what in unexpected))
        for kind in sorted({kind for hour in self.memory for kind in hour}):
            print(f"MB of {kind}:", *(round(hour[kind] / 1e6) for hour in self.memory))
            early, late = (
                statistics.mean(one[kind] for one in self.memory[hours]) for hours in COMPARED_HOURS
            )
            if late > early * MOST_GROWTH:
                self.course.note(f"{kind} grew from {early / 1e6:.0f} to {late / 1e6:.0f} MB")
        self._judge_archive()

    def _judge_archive(self) -> None:
        primary = self.cluster.primary
        waiting = "SELECT count(*) FROM pg_ls_archive_statusdir() WHERE name LIKE '%.ready'"
        wait_until(
            lambda: primary.ask(waiting) == [(0,)], SECONDS_TO_ARCHIVE, primary.log.read_text
        )
        kept: dict[str, list[int]] = {}
        for name in sorted(one.name for one in self.archive.glob("?" * 24 + ".gz")):
            kept.setdefault(name[:8], []).append(int(name[8:16], 16) * 256 + int(name[16:24], 16))
        print("parts of the WAL archived, by timeline:", *(len(one) for one in kept.values()))
        for timeline, numbers in kept.items():
            if numbers != list(range(numbers[0], numbers[-1] + 1)):
                self.course.note(f"the archive of timeline {timeline} has a gap")


@contextlib.contextmanager
def full_disk(folder: Path) -> Iterator[None]:
    """Lay a file system without room over the folder."""
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k,mode=777", "tmpfs", str(folder)],  # noqa: S607
        check=True,
    )
    try:
        with contextlib.suppress(OSError):
            (folder / "filler").write_bytes(bytes(1 << 20))
        yield
    finally:
        # The archiver may be using it at this moment.
        subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S607


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--players", type=int, default=2000, help="whose pace is played")
    parser.add_argument("--tables", type=int, default=100, help="that play it, of two")
    parser.add_argument("--keep-logs", help="a folder to copy the hosts' logs to")
    options = parser.parse_args()
    receiver = ThreadingHTTPServer(("127.0.0.1", 0), Told)
    with (
        serve(receiver),
        run_cluster(
            options.tables, 10, keep_logs=options.keep_logs,
            ALERT_WEBHOOK_URL=f"http://127.0.0.1:{receiver.server_port}/", MAILER_PROCESSES="1",
            SLOW_PROCESSES="1", COACH_PROCESSES="1",
        ) as cluster,
    ):  # fmt: skip
        day = Day(cluster, cluster.course, options.minutes * 60 / HOURS)
        asyncio.run(day.run(options.players))
        day.judge()
    cluster.conclude()


if __name__ == "__main__":
    main()
