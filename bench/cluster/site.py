"""Web hosts on addresses of their own, nginx before them, and the Valkey they share.

Every process has the mark of this run in its environment; only such processes are ever ended.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from bench.processes import (
    ROOT,
    SiteError,
    answers,
    descendants,
    processes_with,
    send_signal,
    wait_until,
)
from config.run.embedded.place import Place
from config.run.embedded.valkey import Valkey
from tests.ports import free_port

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/bin")
HOSTS = ("127.0.0.2", "127.0.0.3")
PORT = 8000
SECONDS_TO_START = 120
MARK = "OPENRUMMY_CLUSTER"
# Words of their commands.
KINDS = ("config.run.web", "clock", "beat", "live", "mail", "slow", "coach")


@dataclass
class Hints:
    """The Valkey of all hosts."""

    valkey: Valkey
    pid_file: Path

    @classmethod
    @contextlib.contextmanager
    def running(cls, var: Path) -> Iterator["Hints"]:
        place = Place.under(var)
        valkey = Valkey(place)
        valkey.start()
        try:
            yield cls(valkey, place.var / "valkey/valkey.pid")
        finally:
            valkey.stop()

    def kill(self) -> None:
        os.kill(int(self.pid_file.read_text()), signal.SIGKILL)


@dataclass
class Site:
    """The machines of one run, in a folder."""

    var: Path
    environment: dict[str, str]
    port: int = 0
    _running: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _supervisors: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def address(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    def start_host(self, host: str, **processes: str) -> None:
        """Start a supervisor with the processes of a machine."""
        with (self.var / f"{host}.log").open("ab") as log:
            running = subprocess.Popen(
                [sys.executable, "-m", "config.run.supervisor"], cwd=ROOT, stdout=log, stderr=log,
                env={
                    **self.environment, MARK: str(self.var), "HOST": host, "PORT": str(PORT),
                    "FORWARDED_ALLOW_IPS": "127.0.0.1", **processes,
                },
            )  # fmt: skip
        self._running.append(running)
        self._supervisors[host] = running

    def await_hosts(self) -> None:
        for host in HOSTS:
            page, log = f"http://{host}:{PORT}/healthz", self.var / f"{host}.log"
            wait_until(partial(answers, page), SECONDS_TO_START, log.read_text)

    def kill_host(self, host: str) -> int:
        """Kill every process of this machine at one moment. Returns their number."""
        supervisor = self._supervisors[host]
        doomed = [supervisor.pid, *descendants(supervisor.pid)]
        send_signal(signal.SIGKILL, doomed)
        supervisor.wait(10)
        return len(doomed)

    def replace_host(self, host: str) -> None:
        """Replace every process of this machine, as `bin/restart` does after an upgrade."""
        supervisor = self._supervisors[host].pid
        before = set(descendants(supervisor))
        os.kill(supervisor, signal.SIGUSR1)
        wait_until(
            lambda: not before & set(descendants(supervisor)),
            SECONDS_TO_START,
            lambda: f"{host}: a process was not replaced",
        )

    def memory(self) -> Counter[str]:
        """Return the bytes of the hosts' processes by kind; what processes share counts once."""
        total: Counter[str] = Counter()
        for supervisor in self._supervisors.values():
            for pid in descendants(supervisor.pid):
                with contextlib.suppress(psutil.Error):  # it has just ended
                    process = psutil.Process(pid)
                    command = " ".join(process.cmdline())
                    kind = next((one for one in KINDS if one in command), "others")
                    total[kind] += process.memory_full_info().pss
        return total

    def faults(self, host: str) -> dict[str, str]:
        """Return what /readyz says is wrong; the whole host if it does not answer within 5 s."""
        try:
            with urllib.request.urlopen(f"http://{host}:{PORT}/readyz", timeout=5) as answer:
                said = json.load(answer)
        except urllib.error.HTTPError as error:
            try:
                said = json.load(error)
            except ValueError:
                said = {host: str(error)}
        except (OSError, ValueError):
            said = {host: "no answer"}
        return {part: state for part, state in said.items() if state != "ok"}

    def start_nginx(self) -> None:
        """deploy/nginx.conf with two hosts behind it, on a port of this machine."""
        if NGINX is None:
            raise SiteError("there is no nginx on this machine (Debian: nginx-light)")
        plain, self.port = free_port(), free_port()
        subprocess.run(
            ["openssl", "req",  # noqa: S607 - the PATH's
             "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-subj", "/CN=localhost",
             "-keyout", self.var / "privkey.pem", "-out", self.var / "fullchain.pem", "-days", "2"],
            check=True, capture_output=True,
        )  # fmt: skip
        (self.var / "site.conf").write_text(self._proxy_configuration(plain))
        # Who starts it as root: the folder is root's alone.
        user = "user root; " if os.geteuid() == 0 else ""
        (self.var / "nginx.conf").write_text(
            f"{user}daemon off; pid {self.var}/nginx.pid; error_log {self.var}/nginx.log;\n"
            "events { worker_connections 4096; }\n"
            f"http {{ include /etc/nginx/mime.types; access_log off; include {self.var}/site.conf; }}\n"
        )
        self._running.append(
            subprocess.Popen(
                [NGINX, "-p", str(self.var), "-c", str(self.var / "nginx.conf")],
                env={**os.environ, MARK: str(self.var)},
                stderr=subprocess.DEVNULL,
            )
        )
        wait_until(
            lambda: answers(f"{self.address}/healthz"), 10, (self.var / "nginx.log").read_text
        )

    def _proxy_configuration(self, plain: int) -> str:
        """Return deploy/nginx.conf with the changes of docs/scaling.md, and this run's ports."""
        shipped = (ROOT / "deploy/nginx.conf").read_text()
        servers = " ".join(f"server {host}:{PORT};" for host in HOSTS)
        for said, here in (
            ("set $web web:8000;", "set $web hosts;"),
            ("server web:8000 resolve;", servers),
            ("/etc/nginx/certificates", str(self.var)),
            (":80;", f":{plain};"),
            ("listen 80;", f"listen {plain};"),
            ("443 ssl", f"{self.port} ssl"),
            ("http2 on;", ""),  # nginx before 1.25.1
            ("root /srv;", f"root {self.var};"),
        ):
            if said not in shipped:
                raise SiteError(f"deploy/nginx.conf has no {said!r}")
            shipped = shipped.replace(said, here)
        return f"upstream hosts {{ {servers} }}\n{shipped}"

    def figures(self, host: str) -> dict[str, float]:
        """Return the figures of this host's /metrics; empty if it does not answer."""
        request = urllib.request.Request(
            f"http://{host}:{PORT}/metrics",
            headers={"Authorization": f"Bearer {self.environment['METRICS_TOKEN']}"},
        )
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310 - likewise
                text = answer.read().decode()
        except (urllib.error.URLError, OSError):
            return {}
        return {
            name: float(value) for name, value in re.findall(r"^(openrummy_\S+) (\S+)$", text, re.M)
        }

    def stop(self) -> None:
        for running in reversed(self._running):
            if running.poll() is None:
                running.terminate()
        for running in self._running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                running.wait(30)
        send_signal(signal.SIGKILL, processes_with(MARK, str(self.var)))
