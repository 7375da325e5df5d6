"""The whole cluster of a run: servers, hosts and nginx, each started once the one before answers."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.cluster.course import Cluster
from bench.cluster.patroni import Machine, running_machines, url_of
from bench.cluster.site import HOSTS, Hints, Site
from bench.processes import ROOT
from tests.core.sockets.hubs import running_nats


@contextlib.contextmanager
def running_cluster(
    *, nats: int = 0, keep_logs: str | None = None, **environment: str
) -> Iterator[Cluster]:
    """Yield a cluster; `environment` is that of its hosts besides. This process gets its addresses, too."""
    var = Path(tempfile.mkdtemp(prefix="orc-"))
    var.chmod(0o755)  # root's PostgreSQL runs as another user, who has to reach it
    with contextlib.ExitStack() as at_the_end:
        at_the_end.callback(shutil.rmtree, var, ignore_errors=True)
        if keep_logs:
            at_the_end.callback(_copy_logs, var, Path(keep_logs))
        primary, standby = at_the_end.enter_context(running_machines(var))
        hints = at_the_end.enter_context(Hints.running(var / "v"))
        hubs = at_the_end.enter_context(running_nats(nats))
        os.environ.update(
            DATABASE_OWNER_URL=url_of("openrummy", primary, standby, sessions="read-write"),
            DATABASE_URL=url_of("openrummy_app", primary, standby, sessions="read-write"),
            REDIS_URL=hints.valkey.url,
            CHANNEL_LAYER="nats" if hubs else "redis",
            NATS_URLS=",".join(server.url for server in hubs),
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
        site = Site(var, {**_environment_of_hosts(primary, standby), **environment})
        at_the_end.callback(site.stop)
        site.start_host(HOSTS[0], BEAT_PROCESSES="0")
        site.start_host(HOSTS[1])
        site.await_hosts()
        site.start_nginx()
        os.environ["DATABASE_POOL"] = "0"
        yield Cluster(site, primary, standby, hints, hubs)


def _environment_of_hosts(primary: Machine, standby: Machine) -> dict[str, str]:
    return {
        **os.environ,
        "DATABASE_REPLICA_URL": url_of("openrummy_app", primary, standby, sessions="standby"),
        "WEB_PROCESSES": "1", "MAILER_PROCESSES": "0", "SLOW_PROCESSES": "0",
        "COACH_PROCESSES": "0", "WORKER_CONCURRENCY": "1", "LOG_LEVEL": "WARNING",
    }  # fmt: skip


def _copy_logs(var: Path, folder: Path) -> None:
    for log in var.glob("**/*.log"):
        shutil.copy(log, folder)
