"""The course of a run: while people play, one machine after another is killed."""

import argparse
import asyncio
import contextlib
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import psycopg

from bench.chaos.players import Player
from bench.cluster.patroni import Machine
from bench.cluster.readers import Reader
from bench.cluster.report import Fault, Phase
from bench.cluster.site import HOSTS, Hints, Site
from bench.processes import SiteError, wait_until
from tests.core.sockets.hubs import NatsHub

SECONDS_BETWEEN_SAMPLES = 0.2
# Of each way to commit, one after the other, so that both see the same weather.
ROUNDS = 2
_LAG = """
SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::bigint,
       coalesce(extract(epoch FROM replay_lag), 0)::float8
  FROM pg_stat_replication"""
# How long the standby stands still; its commits wait for as long as Patroni waits for it.
SECONDS_WITHOUT_STANDBY = 10.0
SECONDS_TO_FAIL_OVER = 60.0
SECONDS_TO_REJOIN = 120.0
SECONDS_TO_CONNECT = 120.0


@dataclass
class Cluster:
    """The machines to kill."""

    site: Site
    primary: Machine
    standby: Machine
    hints: Hints
    nats: Sequence[NatsHub] = ()
    # A write that reaches the primary while it stands still.
    _pending: "psycopg.Connection[tuple[Any, ...]] | None" = None

    def wait_for_standby(self, is_synchronous: bool) -> None:  # noqa: FBT001 - a switch
        self.primary.configure(synchronous_mode=is_synchronous)
        self.primary.await_standby(self.standby, "sync_standby" if is_synchronous else "replica")

    def stop_standby(self) -> None:
        self.standby.freeze()
        time.sleep(SECONDS_WITHOUT_STANDBY)
        self.standby.thaw()
        self.primary.await_standby(self.standby)

    def fail_over(self) -> None:
        """Stop the primary and wait for Patroni; nobody promotes anything by hand."""
        self._pending = self.primary.connect()
        self.primary.freeze()
        self._pending.pgconn.send_query(b"CREATE TABLE pending ()")
        log = self.standby.log.read_text
        wait_until(lambda: self.standby.role == "primary", SECONDS_TO_FAIL_OVER, log)
        self.primary, self.standby = self.standby, self.primary

    def rejoin(self) -> int:
        """Let the old primary go on until it follows. Returns the writes that it acknowledged."""
        began, acknowledged = time.monotonic(), 0
        self.standby.thaw()
        while self.primary.members().get(self.standby.name) != "sync_standby":
            if time.monotonic() > began + SECONDS_TO_REJOIN:
                raise SiteError(self.standby.log.read_text()[-2000:])
            with contextlib.suppress(psycopg.Error):
                self.standby.ask("CREATE TABLE written ()")
                acknowledged += 1
            time.sleep(0.05)
        print(f"  the old primary follows after {time.monotonic() - began:.1f} s", flush=True)
        assert self._pending is not None  # noqa: S101 - fail_over() was called
        while result := self._pending.pgconn.get_result():
            acknowledged += result.status == psycopg.pq.ExecStatus.COMMAND_OK
        return acknowledged


@dataclass
class Record:
    phases: list[Phase] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    # Bytes and seconds that the standby was behind.
    lags: list[tuple[int, float]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


async def run(
    cluster: Cluster,
    players: Sequence[Player],
    readers: Sequence[Reader],
    options: argparse.Namespace,
) -> Record:
    record, over = Record(), asyncio.Event()
    acting = [asyncio.create_task(_begin(player, over)) for player in players]
    acting += [asyncio.create_task(reader.go_on(over)) for reader in readers]
    sampling = asyncio.create_task(_sample_lag(cluster, record))
    await _until_all_play(players)
    for round_ in range(2 * ROUNDS):
        is_synchronous = bool(round_ % 2)
        await asyncio.to_thread(cluster.wait_for_standby, is_synchronous)
        await asyncio.sleep(1)
        began = time.monotonic()
        await asyncio.sleep(options.calm)
        record.phases.append(Phase(is_synchronous, began, time.monotonic()))
    sampling.cancel()
    for what, fault in (
        (f"web host {HOSTS[0]} killed", lambda: _kill_host(cluster.site)),
        *[(f"NATS killed (1 of {len(cluster.nats)})", one.kill) for one in cluster.nats[:1]],
        ("Valkey killed", cluster.hints.kill),
        ("standby stopped", cluster.stop_standby),
        ("primary stopped, standby promoted by Patroni", cluster.fail_over),
    ):
        await _hit(record, what, fault, options.after)
    if acknowledged := await asyncio.to_thread(cluster.rejoin):
        record.wrong.append(f"the old primary acknowledged {acknowledged} writes")
    over.set()
    await asyncio.gather(*acting)
    return record


async def _begin(player: Player, over: asyncio.Event) -> None:
    await asyncio.sleep(random.uniform(0, 10))  # noqa: S311 - no secret
    await player.play(over)


async def _until_all_play(players: Sequence[Player]) -> None:
    await asyncio.to_thread(
        wait_until,
        lambda: all(player.heard for player in players),
        SECONDS_TO_CONNECT,
        lambda: "not everybody is connected",
    )


async def _hit(record: Record, what: str, fault: Callable[[], object], after: float) -> None:
    began = time.monotonic()
    print(f"{time.strftime('%X')} {what}", flush=True)
    await asyncio.to_thread(fault)
    done = time.monotonic()
    await asyncio.sleep(after)
    record.faults.append(Fault(what, began, done, time.monotonic()))


def _kill_host(site: Site) -> None:
    print(f"  {site.kill_host(HOSTS[0])} processes ended", flush=True)


async def _sample_lag(cluster: Cluster, record: Record) -> None:
    while True:
        record.lags += await asyncio.to_thread(cluster.primary.ask, _LAG)
        await asyncio.sleep(SECONDS_BETWEEN_SAMPLES)
