"""Web hosts on addresses of their own, nginx before them, and the Valkey they share.

Every process has the mark of this run in its environment; only such processes are ever ended.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from config.run.embedded.place import Place
from config.run.embedded.valkey import Valkey
from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/bin")
HOSTS = ("127.0.0.2", "127.0.0.3")
PORT = 8000
SECONDS_TO_START = 120
MARK = "OPENRUMMY_CLUSTER"
# Words of their commands.
KINDS = ("config.run.web", "clock", "beat", "live", "mail", "slow", "coach")


class SiteError(Exception):
    """A part of the site does not come up; the message says which."""


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
        """A supervisor with the processes of a machine, as `python -m config.run.supervisor`."""
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
        until = time.monotonic() + SECONDS_TO_START
        for host in HOSTS:
            while not _answers(f"http://{host}:{PORT}/healthz"):
                if time.monotonic() > until or self._supervisors[host].poll() is not None:
                    raise SiteError(f"{host}: {(self.var / f'{host}.log').read_text()[-2000:]}")
                time.sleep(0.2)

    def kill_host(self, host: str) -> int:
        """Every process of this machine at one moment, as if its plug were pulled; how many."""
        supervisor = self._supervisors[host]
        doomed = [supervisor.pid, *descendants(supervisor.pid)]
        for pid in doomed:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        supervisor.wait(10)
        return len(doomed)

    def replace_host(self, host: str) -> None:
        """Replace every process of this machine, as `bin/restart` does after an upgrade."""
        supervisor = self._supervisors[host].pid
        before = set(descendants(supervisor))
        os.kill(supervisor, signal.SIGUSR1)
        until = time.monotonic() + SECONDS_TO_START
        while before & set(descendants(supervisor)):
            if time.monotonic() > until:
                raise SiteError(f"{host}: a process was not replaced")
            time.sleep(0.5)

    def memory(self) -> Counter[str]:
        """Return the bytes of the hosts' processes by kind; what processes share counts once."""
        total: Counter[str] = Counter()
        for supervisor in self._supervisors.values():
            for pid in descendants(supervisor.pid):
                with contextlib.suppress(OSError):  # it has just ended
                    command = Path(f"/proc/{pid}/cmdline").read_bytes().decode()
                    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
                    kind = next((one for one in KINDS if one in command), "others")
                    total[kind] += 1024 * int(re.findall(r"^Pss:\s+(\d+)", rollup, re.M)[0])
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
        until = time.monotonic() + 10
        while not _answers(f"{self.address}/healthz"):
            if time.monotonic() > until:
                raise SiteError(f"nginx: {(self.var / 'nginx.log').read_text()[-2000:]}")
            time.sleep(0.1)

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
        for pid in self._marked():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _marked(self) -> list[int]:
        mark = f"{MARK}={self.var}".encode()
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                environment = (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue  # it has ended, or is somebody else's
            if mark in environment and int(folder.name) != os.getpid():
                found.append(int(folder.name))
        return found


def anyone() -> ssl.SSLContext:
    """Takes the certificate that was made a moment ago."""
    return ssl._create_unverified_context()  # noqa: S323, SLF001 - our own site


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=3, context=anyone()):  # noqa: S310 - ours
            return True
    except (urllib.error.URLError, OSError):
        return False


def descendants(of: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        parents.setdefault(parent, []).append(int(stat.parent.name))
    found, new = [], parents.get(of, [])
    while new:
        found += new
        new = [child for one in new for child in parents.get(one, [])]
    return found
