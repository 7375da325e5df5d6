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
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from bench.cluster.course import Cluster
from bench.cluster.running import running_cluster
from bench.cluster.site import HOSTS

if TYPE_CHECKING:
    from bench.chaos.players import Player
    from bench.cluster.course import Record

MOST_SECONDS_AWAY = 5


def main() -> None:
    options = arguments()
    with running_cluster(nats=3 if options.nats else 0, keep_logs=options.keep_logs) as cluster:
        wrong = play(cluster, options)
    print("\n".join(wrong) or "nothing is wrong")
    sys.exit(1 if wrong else 0)


def play(cluster: Cluster, options: Any) -> list[str]:
    """Return the faults found, as sentences."""
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
