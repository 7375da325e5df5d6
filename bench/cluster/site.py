"""Web hosts on addresses of their own. Every process has the mark of this run in its environment."""

import contextlib
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from bench.processes import (
    ROOT,
    answers,
    descendants,
    json_of,
    names_of,
    processes_with,
    send_signal,
    wait_until,
)
from tests.nginx import run_nginx

HOSTS = ("127.0.0.2", "127.0.0.3")
PORT = 8000
SECONDS_TO_START = 120
MARK = "OPENRUMMY_CLUSTER"


@dataclass
class Site:
    """The machines of one run, in a folder. nginx before them has `address`."""

    var: Path
    environment: dict[str, str]
    address: str = ""
    _supervisors: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @contextmanager
    def run(self) -> Iterator[None]:
        """Run a host with beat, one without, and deploy/nginx.conf with the changes of docs/scaling.md."""
        servers = " ".join(f"server {host}:{PORT};" for host in HOSTS)
        changes = [("set $web web:8000;", "set $web hosts;"), ("server web:8000 resolve;", servers)]
        try:
            self._start_host(HOSTS[0], BEAT_PROCESSES="0")
            self._start_host(HOSTS[1])
            for host in HOSTS:
                page, log = f"http://{host}:{PORT}/healthz", self.var / f"{host}.log"
                wait_until(partial(answers, page), SECONDS_TO_START, log.read_text)
            with run_nginx(self.var, changes, http=f"upstream hosts {{ {servers} }}") as port:
                self.address = f"https://127.0.0.1:{port}"
                yield
        finally:
            for running in self._supervisors.values():
                running.terminate()
            for running in self._supervisors.values():
                with contextlib.suppress(subprocess.TimeoutExpired):
                    running.wait(30)
            send_signal(signal.SIGKILL, processes_with(MARK, str(self.var)))

    def _start_host(self, host: str, **processes: str) -> None:
        """Start a supervisor with the processes of a machine."""
        with (self.var / f"{host}.log").open("ab") as log:
            self._supervisors[host] = subprocess.Popen(
                [sys.executable, "-m", "config.run.supervisor"], cwd=ROOT, stdout=log, stderr=log,
                env={
                    **self.environment, MARK: str(self.var), "HOST": host, "PORT": str(PORT),
                    "FORWARDED_ALLOW_IPS": "127.0.0.1", **processes,
                },
            )  # fmt: skip

    def kill_host(self, host: str) -> None:
        """Kill every process of this machine at one moment."""
        supervisor = self._supervisors[host]
        send_signal(signal.SIGKILL, [supervisor.pid, *descendants(supervisor.pid)])
        supervisor.wait(10)

    def replace_hosts(self) -> None:
        """Replace every process, machine by machine, as `bin/restart` does after an upgrade."""
        for host, running in self._supervisors.items():
            before = set(descendants(running.pid))
            running.send_signal(signal.SIGUSR1)
            is_replaced = partial(_none_of, before, running.pid)
            wait_until(is_replaced, SECONDS_TO_START, f"{host}: not all were replaced".__str__)

    def memory(self) -> Counter[str]:
        """Return the bytes of the hosts' processes by kind; what processes share counts once."""
        total: Counter[str] = Counter()
        for supervisor in self._supervisors.values():
            names = names_of(supervisor)
            for pid in [supervisor.pid, *descendants(supervisor.pid)]:
                with contextlib.suppress(psutil.Error):  # it has just ended
                    process = psutil.Process(pid)
                    name = names.get(pid) or names.get(process.ppid()) or "supervisor"
                    total[name.partition(".")[0]] += process.memory_full_info().pss
        return total

    def faults(self, host: str) -> dict[str, str]:
        """Return what /readyz says is wrong; the whole host if it does not answer within 5 s."""
        said = json_of(f"http://{host}:{PORT}/readyz", 5) or {host: "no answer"}
        return {part: state for part, state in said.items() if state != "ok"}


def _none_of(before: set[int], parent: int) -> bool:
    return before.isdisjoint(descendants(parent))
