"""Debian machines with systemd on this host: they are made and booted by systemd-nspawn, and their power is cut.

It needs root.
"""

import os
import platform
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from rehearsals.network import BRIDGE, GATEWAY

MACHINES = Path(os.environ.get("REHEARSAL_MACHINES", "/var/tmp/openrummy-machines"))  # noqa: S108 - root's
NEEDED = ("systemd-nspawn", "mmdebstrap", "nsenter", "iptables")
# The packages of a new machine: Debian's smallest system, with systemd and a network.
INCLUDED = "systemd,systemd-sysv,dbus,ca-certificates,iproute2"
SECONDS_TO_BOOT, SECONDS_TO_STOP = 60, 60
# A machine needs this host's settings for reaching Debian's archive and the package index.
OF_THIS_HOST = ("etc/ssl/certs/ca-certificates.crt", "etc/pip.conf")
HALT = signal.SIGRTMIN + 4


class MachineError(Exception):
    """A machine did not do what a rehearsal requires. The message says what went wrong."""


def missing_programs() -> list[str]:
    """Return the requirements that this host lacks: programs, or root's rights."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    return [*missing, *(["the rights of root"] if os.geteuid() else [])]


def taken_ports(ports: Iterable[int]) -> list[int]:
    """Return which of these ports are in use on this host."""
    taken = []
    for port in ports:
        with socket.socket() as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                tried.bind(("127.0.0.1", port))
            except OSError:
                taken.append(port)
    return taken


class Machine:
    """A machine with a folder of its own. It uses this host's network, or has an address in a network of machines."""

    def __init__(self, name: str, address: str = "") -> None:
        self.name = name
        self.address = address
        self.root = MACHINES / name
        self._boot: subprocess.Popen[bytes] | None = None

    def make(self, suite: str) -> None:
        """Replace the machine with a fresh Debian of this suite (`bookworm`, `trixie`)."""
        self.remove()
        base = MACHINES / f".base-{suite}"
        if not base.exists():
            _make_base(base, suite)
        self.copy(base)
        # As Debian's installer writes it.
        (self.root / "etc/hosts").write_text(f"127.0.0.1 localhost\n127.0.1.1 {self.name}\n")

    def copy(self, source: Path) -> None:
        """Replace the machine with a copy of the folder of another one, which is stopped."""
        self.remove()
        subprocess.run(["cp", "-a", "--reflink=auto", source, self.root], check=True)
        (self.root / "etc/hostname").write_text(f"{self.name}\n")

    def remove(self) -> None:
        self.cut()
        self._end_what_was_left()
        subprocess.run(["rm", "-rf", "--one-file-system", self.root], check=True)

    def _end_what_was_left(self) -> None:
        """Kill the machine's processes that an interrupted rehearsal has left running."""
        for process in psutil.process_iter(["cmdline"]):
            command = process.info["cmdline"] or []
            if command[:1] == ["systemd-nspawn"] and str(self.root) in command:
                for init in process.children():
                    init.kill()  # the machine's other processes end with it
                process.wait(SECONDS_TO_STOP)

    def start(self, *options: str) -> None:
        """Boot the machine, with additional options of systemd-nspawn."""
        if self.address:
            options += (f"--network-bridge={BRIDGE}", "--resolv-conf=copy-host")
            self._write_address()
        with (MACHINES / f"{self.name}.log").open("wb") as log:
            self._boot = subprocess.Popen(
                ["systemd-nspawn", "-q", "-D", str(self.root), f"--machine={self.name}",
                 "--register=no", "--keep-unit", *options, "-b"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        until = time.monotonic() + SECONDS_TO_BOOT
        while time.monotonic() < until:
            time.sleep(0.2)
            if self._init and self.state() in ("running", "degraded"):
                return
        raise MachineError(f"{self.name} did not boot: {MACHINES / self.name}.log")

    def _write_address(self) -> None:
        self.write(
            "/etc/systemd/network/10-machines.network",
            f"[Match]\nName=host0\n[Network]\nAddress={self.address}/24\nGateway={GATEWAY}\n",
        )
        unit = self.root / "etc/systemd/system/multi-user.target.wants/systemd-networkd.service"
        unit.unlink(missing_ok=True)
        unit.symlink_to("/lib/systemd/system/systemd-networkd.service")

    def state(self) -> str:
        """Return systemd's state of the whole machine: `running`, `degraded`, `starting` …"""
        return self.run("systemctl is-system-running", check=False).strip()

    def reboot(self) -> None:
        self.stop()
        self.start()

    def stop(self) -> None:
        """Shut the machine down, as `systemctl poweroff` does."""
        if self._init:
            os.kill(self._init, HALT)
            self._await_end()

    def cut(self) -> None:
        """Cut the machine's power: every process is killed at once, without a warning.

        Nothing more is written.
        """
        if self._init:
            if self.address:
                subprocess.run(["ip", "link", "set", f"vb-{self.name}", "down"], check=True)
            os.kill(self._init, signal.SIGKILL)
            self._await_end()

    def _await_end(self) -> None:
        try:
            self._boot.wait(SECONDS_TO_STOP) if self._boot else None
        except subprocess.TimeoutExpired:
            raise MachineError(f"{self.name} did not end within {SECONDS_TO_STOP} s") from None
        self._boot = None

    @property
    def _init(self) -> int | None:
        """The id, on this host, of the machine's first process, or None if the machine is stopped."""
        if self._boot is None or self._boot.poll() is not None:
            return None
        children = Path(f"/proc/{self._boot.pid}/task/{self._boot.pid}/children")
        with suppress(OSError, ValueError, IndexError):
            return int(children.read_text().split()[0])
        return None

    def entering(self, *command: str) -> list[str]:
        """Return the command line that runs a command in the machine, as root and with root's environment."""
        if self._init is None:
            raise MachineError(f"{self.name} does not run")
        return [
            *("nsenter", "-t", str(self._init), "-a", "env", "-i", "HOME=/root", "LANG=C.UTF-8"),
            "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            *command,
        ]

    def run(self, script: str, *, check: bool = True, timeout: float = 600) -> str:
        """Run a shell script in the machine as root, and return its output."""
        finished = subprocess.run(
            self.entering("bash", "-c", script),
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout, check=False,
        )  # fmt: skip
        if check and finished.returncode:
            said = (finished.stdout + finished.stderr)[-2000:]
            raise MachineError(f"exit status {finished.returncode} of `{script}`:\n{said}")
        return finished.stdout

    def write(self, path: str, text: str) -> None:
        place = self.root / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def read(self, path: str) -> str:
        return (self.root / path.lstrip("/")).read_text()

    def processes(self, pattern: str) -> Sequence[int]:
        """Return the process ids, as the machine sees them, of processes whose name and command line match."""
        found = []
        for line in self.run("for p in /proc/[0-9]*; do echo -n ${p#/proc/} $(cat $p/comm) ''; "
                             "tr '\\0' ' ' <$p/cmdline; echo; done 2>/dev/null").splitlines():  # fmt: skip
            number, _, command = line.partition(" ")
            if re.search(pattern, command):
                found.append(int(number))
        return found


def _make_base(base: Path, suite: str) -> None:
    MACHINES.mkdir(parents=True, exist_ok=True)
    unfinished = base.with_suffix(".new")
    subprocess.run(["rm", "-rf", unfinished], check=True)
    subprocess.run(
        ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={INCLUDED}", suite,
         str(unfinished), find_archive()],
        check=True,
    )  # fmt: skip
    for path in OF_THIS_HOST:
        if Path("/", path).exists():
            shutil.copy(Path("/", path), unfinished / path)
    unfinished.rename(base)


def find_archive() -> str:
    """Return the address of Debian's archive. On a Debian host it is the one from which that installs packages."""
    if platform.freedesktop_os_release().get("ID") == "debian":
        for path in sorted(Path("/etc/apt").glob("sources.list*/*.sources")):
            if found := re.search(r"^URIs:\s*(\S+)", path.read_text(), re.MULTILINE):
                return found[1]
    return "http://deb.debian.org/debian"
