"""The course of a run: while people play, one machine after another is killed."""

import argparse
import asyncio
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bench.chaos.players import Player
from bench.cluster.databases import Database, ReplicationError
from bench.cluster.readers import Reader
from bench.cluster.report import Fault, Phase
from bench.cluster.site import HOSTS, Hints, Site
from tests.core.sockets.hubs import NatsHub

SECONDS_BETWEEN_SAMPLES = 0.2
# Of each way to commit, one after the other, so that both see the same weather.
ROUNDS = 2
_LAG = """
SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::bigint,
       coalesce(extract(epoch FROM replay_lag), 0)::float8
  FROM pg_stat_replication WHERE application_name = 'replica'"""


@dataclass
class Cluster:
    """The machines to kill."""

    site: Site
    primary: Database
    replica: Database
    hints: Hints
    nats: Sequence[NatsHub] = ()


@dataclass
class Record:
    phases: list[Phase] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    # Bytes and seconds that the replica was behind.
    lags: list[tuple[int, float]] = field(default_factory=list)


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
        name = ("", "replica")[round_ % 2]
        await asyncio.to_thread(_wait_for, cluster.primary, name)
        await asyncio.sleep(1)
        began = time.monotonic()
        await asyncio.sleep(options.calm)
        record.phases.append(Phase(bool(name), began, time.monotonic()))
    for what, fault in (
        (f"web host {HOSTS[0]} killed", lambda: _kill_host(cluster.site)),
        *[(f"NATS killed (1 of {len(cluster.nats)})", one.kill) for one in cluster.nats[:1]],
        ("Valkey killed", cluster.hints.kill),
        ("primary killed, replica promoted", lambda: _promote(cluster, sampling, options.notice)),
    ):
        await _hit(record, what, fault, options.after)
    over.set()
    await asyncio.gather(*acting)
    sampling.cancel()
    return record


async def _begin(player: Player, over: asyncio.Event) -> None:
    await asyncio.sleep(random.uniform(0, 10))  # noqa: S311 - no secret
    await player.play(over)


async def _until_all_play(players: Sequence[Player]) -> None:
    until = time.monotonic() + 120
    while not all(player.heard for player in players):
        if time.monotonic() > until:
            raise ReplicationError("not everybody is connected")
        await asyncio.sleep(0.5)


async def _hit(record: Record, what: str, fault: Callable[[], object], after: float) -> None:
    began = time.monotonic()
    print(f"{time.strftime('%X')} {what}", flush=True)
    await asyncio.to_thread(fault)
    done = time.monotonic()
    await asyncio.sleep(after)
    record.faults.append(Fault(what, began, done, time.monotonic()))


def _kill_host(site: Site) -> None:
    print(f"  {site.kill_host(HOSTS[0])} processes ended", flush=True)


def _promote(cluster: Cluster, sampling: "asyncio.Task[None]", notice: float) -> None:
    """As docs/replica.md says: what is left is told to take writes, and to wait for nobody."""
    cluster.primary.kill()
    sampling.get_loop().call_soon_threadsafe(sampling.cancel)
    time.sleep(notice)
    _wait_for(cluster.replica, "")
    cluster.replica.promote()


def _wait_for(database: Database, name: str) -> None:
    """Commits wait for the copy of this name; empty: for none."""
    database.ask(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'")
    database.ask("SELECT pg_reload_conf()")


async def _sample_lag(cluster: Cluster, record: Record) -> None:
    while True:
        record.lags += await asyncio.to_thread(cluster.primary.ask, _LAG)
        await asyncio.sleep(SECONDS_BETWEEN_SAMPLES)
