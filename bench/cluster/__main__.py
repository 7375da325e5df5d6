"""Several machines under play, one after another killed: `bin/bench cluster`.

Two web hosts on addresses of their own behind nginx (deploy/nginx.conf), two PostgreSQL machines under
Patroni (deploy/patroni.yml) with one etcd, a Valkey, with --nats three servers of NATS. 200 tables are
played by real sockets through nginx, each player from an address of their own. One host is killed with all its
processes, Valkey and one server of NATS. All processes of the standby are stopped with SIGSTOP for a while,
then those of the primary, until Patroni has promoted the standby. Printed: how long players were
away, whether the old primary acknowledged a write when it went on; and after the end, from the promoted
database alone, whether each acknowledged move is stored once, replays lead to the stored states and the
ledger balances. Exit status 1 if anything is wrong. Needs nginx, Patroni and etcd.
"""

import argparse
import asyncio
from functools import partial
from typing import Any

from bench.cluster.running import FAIL_OVER, STANDBY_STOPPED, Cluster, run_cluster
from bench.cluster.site import HOSTS


async def run(cluster: Cluster, calm: float) -> None:
    faults: dict[str, Any] = {
        f"web host {HOSTS[0]} killed": partial(cluster.site.kill_host, HOSTS[0]),
        **{f"NATS killed (1 of {len(cluster.nats)})": one.kill for one in cluster.nats[:1]},
        "Valkey killed": cluster.kill_hints,
        STANDBY_STOPPED: cluster.stop_standby,
        FAIL_OVER: cluster.fail_over,
        "the old primary goes on": cluster.rejoin,
    }
    async with cluster.course.play(begins_within=10):
        for what, fault in faults.items():
            await asyncio.sleep(calm)
            await cluster.course.hit(what, fault)
        await asyncio.sleep(calm)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--nats", action="store_true", help="NATS tells the sockets")
    parser.add_argument("--pause", type=float, default=5, help="seconds before a move, on average")
    parser.add_argument("--calm", type=float, default=15, help="seconds before each fault")
    parser.add_argument("--keep-logs", help="a folder to copy the hosts' logs to")
    options = parser.parse_args()
    with run_cluster(
        options.tables, options.pause, nats=3 if options.nats else 0, keep_logs=options.keep_logs
    ) as cluster:
        asyncio.run(run(cluster, options.calm))
        print(f"at the end, as Patroni says: {cluster.primary.members()}")
    cluster.conclude()


if __name__ == "__main__":
    main()
