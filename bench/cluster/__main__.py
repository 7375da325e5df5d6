"""Several machines under play, one after another killed: `bin/bench cluster`.

Two web hosts on addresses of their own behind nginx (deploy/nginx.conf), two PostgreSQL machines under
Patroni (deploy/patroni.yml) with one etcd, a Valkey, with --nats three servers of NATS. 200 tables are
played by real sockets through nginx, each player from an address of their own. Commits first wait for
the standby and then do not, in turns: what that costs a move. Then one host is killed with all its
processes, Valkey and one server of NATS. All processes of the standby are stopped with SIGSTOP for a while,
then those of the primary, until Patroni has promoted the standby. Printed: how long players were
away, how far the standby was behind, who read what, whether people saw their own writes, whether the old
primary acknowledged a write when it went on; and after the end, from the promoted database alone,
whether each acknowledged move is stored once, replays lead to the stored states and the ledger
balances. Exit status 1 if anything is wrong. Needs nginx, Patroni and etcd.
"""

import argparse
import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.cluster.course import Cluster
from bench.cluster.patroni import Machine, running_machines, url_of
from bench.cluster.site import HOSTS, ROOT, Hints, Site
from tests.core.sockets.hubs import running_nats

if TYPE_CHECKING:
    from bench.chaos.players import Player
    from bench.cluster.course import Record

MOST_SECONDS_AWAY = 5


def main() -> None:
    options = arguments()
    var = Path(tempfile.mkdtemp(prefix="orc-"))
    var.chmod(0o755)  # root's PostgreSQL runs as another user, who has to reach it
    with contextlib.ExitStack() as at_the_end:
        at_the_end.callback(shutil.rmtree, var, ignore_errors=True)
        primary, standby = at_the_end.enter_context(running_machines(var))
        hints = at_the_end.enter_context(Hints.running(var / "v"))
        nats = at_the_end.enter_context(running_nats(3 if options.nats else 0))
        os.environ.update(
            DATABASE_OWNER_URL=url_of("openrummy", primary, standby, sessions="read-write"),
            DATABASE_URL=url_of("openrummy_app", primary, standby, sessions="read-write"),
            REDIS_URL=hints.valkey.url,
            CHANNEL_LAYER="nats" if nats else "redis",
            NATS_URLS=",".join(server.url for server in nats),
            DJANGO_SETTINGS_MODULE="config.settings.local",
            SECRET_KEY="only for this run",  # noqa: S106 - likewise
            METRICS_TOKEN="only for this run",  # noqa: S106
            OPENRUMMY_VAR=str(var),
        )
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
            cwd=ROOT, env={**os.environ, "DATABASE_AS_OWNER": "1"}, check=True,
        )  # fmt: skip
        del os.environ["DATABASE_OWNER_URL"]
        site = Site(var, environment_of_hosts(primary, standby))
        at_the_end.callback(site.stop)
        site.start_host(HOSTS[0], BEAT_PROCESSES="0")
        site.start_host(HOSTS[1])
        site.await_hosts()
        site.start_nginx()
        wrong = play(Cluster(site, primary, standby, hints, nats), options)
        if options.keep_logs:
            for log in var.glob("**/*.log"):
                shutil.copy(log, options.keep_logs)
    print("\n".join(wrong) or "nothing is wrong")
    sys.exit(1 if wrong else 0)


def environment_of_hosts(primary: Machine, standby: Machine) -> dict[str, str]:
    return {
        **os.environ,
        "DATABASE_REPLICA_URL": url_of("openrummy_app", primary, standby, sessions="standby"),
        "WEB_PROCESSES": "1", "MAILER_PROCESSES": "0", "SLOW_PROCESSES": "0",
        "COACH_PROCESSES": "0", "WORKER_CONCURRENCY": "1", "LOG_LEVEL": "WARNING",
    }  # fmt: skip


def play(cluster: Cluster, options: Any) -> list[str]:
    """Return the faults found, as sentences."""
    os.environ["DATABASE_POOL"] = "0"
    import django  # noqa: PLC0415 - where the servers are is known only now

    django.setup()
    from bench.chaos.checks import check  # noqa: PLC0415 - needs the settings
    from bench.cluster.course import run  # noqa: PLC0415
    from bench.cluster.report import away_of  # noqa: PLC0415
    from bench.cluster.seating import seat_players, seat_readers  # noqa: PLC0415

    readers = seat_readers(cluster.site.address, options.readers)
    players = seat_players(
        cluster.site.address, options.tables, (options.pause * 2 / 3, options.pause * 4 / 3)
    )
    print(f"{options.tables} tables, {len(players)} players, {len(readers)} readers", flush=True)
    record = asyncio.run(run(cluster, players, readers, options))

    print_times(record, players)
    figures = cluster.site.figures(HOSTS[1])
    reads = {
        source: figures.get(f'openrummy_replica_reads_total{{from="{source}"}}', 0)
        for source in ("replica", "primary")
    }
    print(
        f"own writes: {sum(reader.seen for reader in readers)} read at once and seen,"
        f" {sum(reader.unanswered for reader in readers)} not acknowledged; at {HOSTS[1]}"
        f" {reads['replica']:.0f} pages read from the replica, {reads['primary']:.0f} from the primary"
    )
    acked = sum(len(player.acked) for player in players)
    refused = sum((Counter(player.refused) for player in players), Counter())
    found = check(players)
    lost = [one for one in found if one.startswith(("lost", "doubled"))]
    off = [one for one in found if one.startswith("ledger")]
    print(
        f"{acked} moves acknowledged, {len(lost)} of them lost or doubled; refused: {dict(refused)}"
    )
    print(f"the ledger's check: {len(off)} findings")
    late = [
        f"{fault.what}: somebody was away for {longest:.1f} s after it was over"
        for fault in record.faults
        if (longest := max(away_of(players, fault), default=0) - fault.lasted) > MOST_SECONDS_AWAY
    ]
    gone = [f"{player.user_id} never came back" for player in players if player.lost_at is not None]
    print(f"at the end, as Patroni says: {cluster.primary.members()}")
    return [
        *found,
        *late,
        *gone,
        *record.wrong,
        *(one for reader in readers for one in reader.wrong),
    ]


def print_times(record: "Record", players: "list[Player]") -> None:
    from bench.cluster.report import line_of, moves_of  # noqa: PLC0415 - needs the settings

    for is_synchronous in (False, True):
        phases = [phase for phase in record.phases if phase.is_synchronous is is_synchronous]
        how = (
            "commits wait for the standby" if is_synchronous else "commits wait for the disk alone"
        )
        print(f"{how}: {moves_of(players, phases)}")
    for fault in record.faults:
        print(line_of(players, fault))
    sizes, seconds = (sorted(values) for values in zip(*record.lags, strict=True))
    print(
        f"standby behind by p50 {sizes[len(sizes) // 2]} bytes, p95 {sizes[int(len(sizes) * 0.95)]},"
        f" most {sizes[-1]}; longest {1000 * seconds[-1]:.0f} ms ({len(sizes)} looks)"
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--nats", action="store_true", help="NATS tells the sockets")
    parser.add_argument("--readers", type=int, default=10)
    parser.add_argument(
        "--pause", type=float, default=5.0, help="seconds before a move, on average"
    )
    parser.add_argument("--calm", type=float, default=15.0, help="seconds of each calm phase")
    parser.add_argument("--after", type=float, default=20.0, help="seconds after each fault")
    parser.add_argument("--keep-logs", help="a folder to copy the hosts' logs to")
    return parser.parse_args()


if __name__ == "__main__":
    main()
