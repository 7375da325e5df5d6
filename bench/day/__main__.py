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
import random
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.cluster.course import Cluster
from bench.cluster.report import Fault
from bench.cluster.running import running_cluster
from bench.cluster.site import HOSTS
from bench.processes import SiteError, wait_until
from tests.ports import free_port

if TYPE_CHECKING:
    from bench.chaos.players import Player

HOURS = 24
# Of the most players at once, by hour; evenings are full.
HOUR_BY_HOUR = (
    .26, .18, .13, .10, .09, .11, .15, .21, .28, .35, .41, .46,
    .51, .54, .52, .50, .52, .58, .67, .80, .93, 1., .84, .48,
)  # fmt: skip
SEATS, SECONDS_OF_A_MOVE = 4, 3
ARCHIVE_ALARM, BROKER_ALARM = "WAL archive fails for", "broker"
# Until the old primary follows, there is no standby.
EXPECTED = {ARCHIVE_ALARM, "Replica of the database behind by"}
# Failing for five minutes is red; the job looks every minute and tells what lasts one.
SECONDS_TO_HEAR = 480
SECONDS_TO_SEE = 15  # at /readyz
SECONDS_WITHOUT_BROKER = 60
SECONDS_OF_OLD_PRIMARY = 30
SECONDS_TO_ARCHIVE = 180
MOST_SECONDS_AWAY = 5
# Both between the replacements, when about as many play.
COMPARED_HOURS = (slice(12, 16), slice(18, 21))
MOST_GROWTH = 1.1


@dataclass
class Told:
    """The alerts that the site has posted, with their times."""

    alerts: list[tuple[float, str, str]] = field(default_factory=list)

    def has(self, what: str, state: str) -> bool:
        return any((one, said) == (what, state) for _at, one, said in list(self.alerts))


@dataclass
class Day:
    cluster: Cluster
    players: "Sequence[Player]"
    told: Told
    hour_seconds: float
    began: float = 0.0
    faults: list[Fault] = field(default_factory=list)
    memory: list[Counter[str]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def archive(self) -> Path:
        return self.cluster.site.var / "backups/wal"

    # --- what goes wrong --------------------------------------------------------------------------

    def replace_all(self) -> None:
        for host in HOSTS:
            self.cluster.site.replace_host(host)

    def fill_archive(self) -> None:
        """Lay a full file system over the archive until its alarm is heard, then take it away."""
        with full_disk(self.archive):
            self._hear(
                lambda: self.told.has(ARCHIVE_ALARM, "running"), SECONDS_TO_HEAR, ARCHIVE_ALARM
            )
        self._hear(lambda: self.told.has(ARCHIVE_ALARM, "over"), SECONDS_TO_ARCHIVE, "its end")

    def stop_broker(self) -> None:
        began = time.monotonic()
        self.cluster.hints.kill()
        self._hear(lambda: BROKER_ALARM in self._seen(), SECONDS_TO_SEE, BROKER_ALARM)
        time.sleep(max(0, began + SECONDS_WITHOUT_BROKER - time.monotonic()))
        self.cluster.hints.valkey.start()
        self._hear(lambda: BROKER_ALARM not in self._seen(), SECONDS_TO_SEE, "its return")

    def fail_over(self) -> None:
        seeing = threading.Thread(
            target=self._hear,
            args=(
                lambda: not {"database", HOSTS[1]}.isdisjoint(self._seen()),
                SECONDS_TO_SEE,
                "database",
            ),
        )
        seeing.start()
        self.cluster.fail_over()
        seeing.join()

    def rejoin(self) -> None:
        if acknowledged := self.cluster.rejoin():
            self.wrong.append(f"the old primary acknowledged {acknowledged} writes")

    def _seen(self) -> dict[str, str]:
        return self.cluster.site.faults(HOSTS[1])

    def _hear(self, holds: Callable[[], bool], seconds: float, what: str) -> None:
        began = time.monotonic()
        try:
            wait_until(holds, seconds, pause=0.5)
        except SiteError:
            self.wrong.append(f"not heard within {seconds:.0f} s: {what}")
        else:
            print(f"  {what}: heard after {time.monotonic() - began:.0f} s", flush=True)

    # --- the day ----------------------------------------------------------------------------------

    async def run(self, players: int) -> None:
        over = asyncio.Event()
        self.began = time.monotonic()
        playing = [asyncio.create_task(_begin(player, over)) for player in self.players]
        events = asyncio.create_task(self._go_wrong())
        await self._let_hours_pass(players)
        await events
        over.set()
        await asyncio.gather(*playing)

    async def _let_hours_pass(self, players: int) -> None:
        from bench.chaos.seating import bring_more  # noqa: PLC0415 - needs the settings

        tables = len(self.players) / 2
        for hour, share in enumerate(HOUR_BY_HOUR):
            pause = tables * SEATS * SECONDS_OF_A_MOVE / (players * share)
            for player in self.players:
                player.pace = (pause * 2 / 3, pause * 4 / 3)
            await asyncio.sleep(self.began + (hour + 1) * self.hour_seconds - time.monotonic())
            self.memory.append(await asyncio.to_thread(self.cluster.site.memory))
            with contextlib.suppress(Exception):  # while the database is away nobody needs chips
                await asyncio.to_thread(bring_more, self.players)

    async def _go_wrong(self) -> None:
        for hour, what, act in (
            (2, "all processes replaced", self.replace_all),
            (3, "archive's disk full", self.fill_archive),
            (15, "broker down", self.stop_broker),
            (18, "primary stopped, standby promoted by Patroni", self.fail_over),
            (20, "the old primary goes on", self.rejoin),
            (22, "all processes replaced again", self.replace_all),
        ):
            await asyncio.sleep(max(0, self.began + hour * self.hour_seconds - time.monotonic()))
            began = time.monotonic()
            print(f"hour {(began - self.began) / self.hour_seconds:4.1f}: {what}", flush=True)
            await asyncio.to_thread(act)
            done = time.monotonic()
            self.faults.append(Fault(what, began, done, done))

    def judge(self) -> list[str]:
        """Print the report. Returns the faults found, as sentences."""
        from bench.chaos.checks import check  # noqa: PLC0415 - needs the settings
        from bench.cluster.report import away_of, line_of  # noqa: PLC0415

        for fault in self.faults:
            print(line_of(self.players, fault))
            away = max(away_of(self.players, fault), default=0)
            waited = fault.lasted if "promoted" in fault.what else 0
            if away - waited > MOST_SECONDS_AWAY:
                self.wrong.append(f"{fault.what}: somebody was away for {away:.1f} s")
        for at, what, state in self.told.alerts:
            print(f"hour {(at - self.began) / self.hour_seconds:4.1f}: {what} ({state})")
        self._judge_memory()
        unexpected = {what for _at, what, _state in self.told.alerts} - EXPECTED
        self.wrong += [f"an alarm that nothing explains: {what}" for what in unexpected]
        waits = sorted(
            1000 * (until - since) for player in self.players for since, until in player.waits
        )
        found = check(self.players)
        lost = sum(one.startswith(("lost", "doubled")) for one in found)
        print(
            f"{len(waits)} moves answered, p50 {waits[len(waits) // 2]:.0f}"
            f" p99 {waits[int(0.99 * len(waits))]:.0f} ms;"
            f" {sum(len(player.acked) for player in self.players)} acknowledged, {lost} of them"
            f" lost or doubled; the ledger's check:"
            f" {sum(one.startswith('ledger') for one in found)} findings"
        )
        gone = [f"{one.user_id} never came back" for one in self.players if one.lost_at is not None]
        return [*found, *gone, *self.wrong, *self._archive_gaps()]

    def _judge_memory(self) -> None:
        for kind in sorted({kind for hour in self.memory for kind in hour}):
            print(f"MB of {kind}:", *(round(hour[kind] / 1e6) for hour in self.memory))
            early, late = (
                statistics.mean(one[kind] for one in self.memory[hours]) for hours in COMPARED_HOURS
            )
            if late > early * MOST_GROWTH:
                self.wrong.append(f"{kind} grew from {early / 1e6:.0f} to {late / 1e6:.0f} MB")

    def _archive_gaps(self) -> list[str]:
        primary = self.cluster.primary
        waiting = "SELECT count(*) FROM pg_ls_archive_statusdir() WHERE name LIKE '%.ready'"
        wait_until(
            lambda: primary.ask(waiting) == [(0,)], SECONDS_TO_ARCHIVE, primary.log.read_text
        )
        kept: dict[str, list[int]] = {}
        for name in sorted(one.name for one in self.archive.glob("?" * 24 + ".gz")):
            kept.setdefault(name[:8], []).append(int(name[8:16], 16) * 256 + int(name[16:24], 16))
        print("parts of the WAL archived, by timeline:", *(len(one) for one in kept.values()))
        return [
            f"the archive of timeline {timeline} has a gap"
            for timeline, numbers in kept.items()
            if numbers != list(range(numbers[0], numbers[-1] + 1))
        ]


async def _begin(player: "Player", over: asyncio.Event) -> None:
    await asyncio.sleep(random.uniform(0, 10))  # noqa: S311 - no secret
    await player.play(over)


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
        # The archiver may be in it at this moment.
        subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S607


@contextlib.contextmanager
def alert_receiver(told: Told) -> Iterator[str]:
    """Yield the address to post alerts to."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            for alert in body["alerts"]:
                told.alerts.append((time.monotonic(), alert["what"], alert["state"]))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_words: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", free_port()), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--players", type=int, default=2000, help="whose pace is played")
    parser.add_argument("--tables", type=int, default=100, help="that play it, of two")
    parser.add_argument("--keep-logs", help="a folder to copy the hosts' logs to")
    options = parser.parse_args()
    told = Told()
    with (
        alert_receiver(told) as address,
        running_cluster(
            keep_logs=options.keep_logs,
            ALERT_WEBHOOK_URL=address, MAILER_PROCESSES="1", SLOW_PROCESSES="1",
            COACH_PROCESSES="1",
        ) as cluster,
    ):  # fmt: skip
        import django  # noqa: PLC0415 - where the servers are is known only now

        django.setup()
        from bench.cluster.seating import seat_players  # noqa: PLC0415 - needs the settings

        players = seat_players(cluster.site.address, options.tables, (5, 10))
        day = Day(cluster, players, told, options.minutes * 60 / HOURS)
        asyncio.run(day.run(options.players))
        wrong = day.judge()
    print("\n".join(wrong) or "nothing is wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
