"""The whole cluster of a run: servers, hosts and nginx, each started once the one before answers."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import psycopg

from bench.chaos.course import Course
from bench.cluster.patroni import Machine, run_machines, url_of
from bench.cluster.site import Site
from bench.processes import ROOT, SiteError, wait_until
from tests.core.sockets.hubs import NatsHub, RedisHub, run_nats
from tests.core.stores.valkeys import run_valkey

# How long the standby is stopped; commits wait as long as Patroni waits for it.
SECONDS_WITHOUT_STANDBY = 10.0
SECONDS_TO_FAIL_OVER = 60.0
SECONDS_TO_REJOIN = 120.0
# As often as browsers ping.
PING_SECONDS = 2.5
FAIL_OVER = "primary stopped, standby promoted by Patroni"
STANDBY_STOPPED = "standby stopped"
MOST_SECONDS_AWAY = 5
# A failover counts from the moment the primary fell silent. Commits wait for a silent standby, but continue
# before it is back.
MOST_SECONDS_AWAY_AFTER = {FAIL_OVER: 10, STANDBY_STOPPED: SECONDS_WITHOUT_STANDBY}


@dataclass
class Cluster:
    """The machines with their players, and faults of the machines."""

    course: Course
    site: Site
    primary: Machine
    standby: Machine
    hints: RedisHub
    nats: Sequence[NatsHub] = ()
    # A write that reaches the primary while it is stopped.
    _pending: "psycopg.Connection[tuple[Any, ...]] | None" = None

    def kill_hints(self) -> None:
        os.kill(self.hints.pid, signal.SIGKILL)

    def stop_standby(self) -> None:
        self.standby.freeze()
        time.sleep(SECONDS_WITHOUT_STANDBY)
        self.standby.thaw()
        self.primary.await_standby(self.standby)

    def fail_over(self) -> None:
        """Stop the primary and wait for Patroni, without promoting a standby by hand."""
        self._pending = self.primary.connect()
        self.primary.freeze()
        self._pending.pgconn.send_query(b"CREATE TABLE pending ()")
        log = self.standby.log.read_text
        wait_until(lambda: self.standby.role == "primary", SECONDS_TO_FAIL_OVER, log)
        self.primary, self.standby = self.standby, self.primary

    def rejoin(self) -> None:
        """Let the old primary go on until it follows. Raises SiteError if it acknowledges a write."""
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
        if acknowledged:
            raise SiteError(f"the old primary acknowledged {acknowledged} writes")

    def conclude(self) -> NoReturn:
        """Print the report, with players who were away for too long. Exits with 1 if anything is wrong."""
        for fault in self.course.faults:
            longest = max(self.course.seconds_away(fault), default=0)
            if longest > MOST_SECONDS_AWAY_AFTER.get(fault.what, MOST_SECONDS_AWAY):
                self.course.note(f"{fault.what}: somebody was away for {longest:.1f} s")
        print(self.course.report())
        sys.exit(1 if self.course.wrong else 0)


@contextlib.contextmanager
def run_cluster(
    tables: int, pause: float, *, nats: int = 0, keep_logs: str | None = None, **environment: str
) -> Iterator[Cluster]:
    """Yield a cluster with players at tables; `environment` is that of its hosts besides.

    This process can use its database, too.
    """
    with contextlib.ExitStack() as at_the_end:
        folder = TemporaryDirectory(prefix="orc-", ignore_cleanup_errors=True)
        var = Path(at_the_end.enter_context(folder))
        var.chmod(0o755)  # root's PostgreSQL runs as another user, who has to reach it
        if keep_logs:
            at_the_end.callback(
                lambda: [shutil.copy(log, keep_logs) for log in var.glob("**/*.log")]
            )
        primary, standby = at_the_end.enter_context(run_machines(var))
        hints = RedisHub(at_the_end.enter_context(run_valkey()))
        hubs = at_the_end.enter_context(run_nats(nats))
        os.environ.update(
            DATABASE_OWNER_URL=url_of("openrummy", primary, standby, sessions="read-write"),
            DATABASE_URL=url_of("openrummy_app", primary, standby, sessions="read-write"),
            REDIS_URL=hints.valkey.url,
            CHANNEL_LAYER="nats" if hubs else "redis",
            NATS_URLS=",".join(server.url for server in hubs),
            DJANGO_SETTINGS_MODULE="config.settings.local",
            SECRET_KEY="only for this run",  # noqa: S106 - likewise
            OPENRUMMY_VAR=str(var),
        )
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
            cwd=ROOT, env={**os.environ, "DATABASE_AS_OWNER": "1"}, check=True,
        )  # fmt: skip
        del os.environ["DATABASE_OWNER_URL"]
        replica = url_of("openrummy_app", primary, standby, sessions="standby")
        site = Site(var, {
            **os.environ, "DATABASE_REPLICA_URL": replica, "WEB_PROCESSES": "1",
            "MAILER_PROCESSES": "0", "SLOW_PROCESSES": "0", "COACH_PROCESSES": "0",
            "WORKER_CONCURRENCY": "1", "LOG_LEVEL": "WARNING", **environment,
        })  # fmt: skip
        at_the_end.enter_context(site.run())
        os.environ["DATABASE_POOL"] = "0"
        import django  # noqa: PLC0415 - where the servers are is known only now

        django.setup()
        from bench.sitting import seat_players  # noqa: PLC0415 - needs the settings

        pace = (pause * 2 / 3, pause * 4 / 3)
        players = seat_players(site.address, tables, pace=pace, ping_seconds=PING_SECONDS)
        yield Cluster(Course(players), site, primary, standby, hints, hubs)
