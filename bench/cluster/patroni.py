"""Two PostgreSQL machines under Patroni (deploy/patroni.yml), each on an address of its own, and one etcd.

Only processes started here are ever frozen or ended.
"""

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.processes import (
    ROOT,
    SiteError,
    descendants,
    json_of,
    read_changed,
    send_signal,
    server_of,
    wait_until,
)
from config.run.embedded.place import find_postgres_programs
from config.run.embedded.postgres import DATABASE, Passwords
from tests.core.stores.databases import Database
from tests.ports import find_free_port

ADDRESSES = ("127.0.0.4", "127.0.0.5")
PORT, API_PORT = 5432, 8008
SECONDS_TO_START = 60
SECONDS_TO_REJOIN = 90


def _program(name: str, hint: str) -> str:
    found = os.environ.get(name.upper()) or shutil.which(name)
    if found is None:
        raise SiteError(f"there is no {name} on this machine; {hint}")
    return found


@contextlib.contextmanager
def run_etcd(var: Path) -> Iterator[str]:
    """Yield the address of an etcd server."""
    program = _program("etcd", "install it (Debian: etcd-server)")
    client, peer = (f"127.0.0.1:{find_free_port()}" for _ in range(2))
    with (var / "etcd.log").open("ab") as log:
        etcd = subprocess.Popen(
            [
                program, f"--data-dir={var / 'etcd'}",
                f"--listen-client-urls=http://{client}", f"--advertise-client-urls=http://{client}",
                f"--listen-peer-urls=http://{peer}", f"--initial-advertise-peer-urls=http://{peer}",
                f"--initial-cluster=default=http://{peer}",
            ],
            stdout=log, stderr=log,
        )  # fmt: skip
    try:
        yield client
    finally:
        etcd.kill()
        etcd.wait()


@dataclass
class Machine(Database):
    """Patroni and its PostgreSQL."""

    name: str = ""
    address: str = ""
    etcd: str = ""
    _patroni: subprocess.Popen[bytes] | None = None
    _frozen: list[int] = field(default_factory=list)

    @property
    def log(self) -> Path:
        return self.place.var / f"{self.name}.log"

    def start(self) -> None:
        """Start Patroni, which makes the database or copies it from the primary."""
        program = _program(
            "patroni", "install it (Debian: patroni) or name a newer one of PyPI in PATRONI"
        )
        configuration = self.place.postgres / "patroni.yml"
        configuration.write_text(read_changed("deploy/patroni.yml", [
            ("unix_socket_directories: /var/run/postgresql", f"unix_socket_directories: {self.place.sockets}"),
            ("local all all peer", "local all all scram-sha-256"),
            ("/srv/recovery", str(ROOT / "deploy/recovery")),
            ("/srv/backups", str(self.place.var.parent / "backups")),
        ]))  # fmt: skip
        who = self.place.servant
        identity = {"user": who.uid, "group": who.gid, "extra_groups": []} if who.is_other else {}
        # This user must be able to read PostgreSQL's programs.
        programs = self.place.make_readable(find_postgres_programs().parent) / "bin"
        with self.log.open("ab") as log:
            self._patroni = subprocess.Popen(
                [program, str(configuration)], cwd="/", stdout=log, stderr=log,
                env={**self._environment(), "PATRONI_POSTGRESQL_BIN_DIR": str(programs)},
                **identity,  # type: ignore[call-overload]
            )  # fmt: skip

    def _environment(self) -> dict[str, str]:
        """The environment of each machine by docs/replica.md."""
        return {
            "PATH": os.environ["PATH"],
            "PATRONI_NAME": self.name,
            "PATRONI_ETCD3_HOSTS": self.etcd,
            "PATRONI_RESTAPI_LISTEN": f"{self.address}:{API_PORT}",
            "PATRONI_RESTAPI_CONNECT_ADDRESS": f"{self.address}:{API_PORT}",
            "PATRONI_RESTAPI_USERNAME": "patroni",
            "PATRONI_RESTAPI_PASSWORD": self.passwords.superuser,
            "PATRONI_POSTGRESQL_LISTEN": f"{self.address}:{PORT}",
            "PATRONI_POSTGRESQL_CONNECT_ADDRESS": f"{self.address}:{PORT}",
            "PATRONI_POSTGRESQL_DATA_DIR": str(self.data),
            "PATRONI_POSTGRESQL_PGPASS": str(self.place.postgres / "pgpass"),
            "PATRONI_SUPERUSER_USERNAME": "postgres",
            "PATRONI_SUPERUSER_PASSWORD": self.passwords.superuser,
            "PATRONI_REPLICATION_USERNAME": "replicator",
            "PATRONI_REPLICATION_PASSWORD": self.passwords.superuser,
        }

    # --- questions --------------------------------------------------------------------------------

    @property
    def role(self) -> str:
        """Return Patroni's word: `primary`, `replica`; empty if it does not answer or run yet."""
        said = self._api("patroni")
        return str(said["role"]) if said.get("state") == "running" else ""

    def members(self) -> dict[str, str]:
        """Return the role of each machine as this one sees it: `leader`, `sync_standby`, `replica`."""
        return {one["name"]: one["role"] for one in self._api("cluster").get("members", [])}

    def _api(self, path: str) -> Any:
        """Return what Patroni says, which a replica does with a 503; empty without an answer."""
        return json_of(f"http://{self.address}:{API_PORT}/{path}", 2) or {}

    def await_standby(self, other: "Machine") -> None:
        """Wait until this primary waits for the other one."""
        wait_until(
            lambda: self.members().get(other.name) == "sync_standby",
            SECONDS_TO_REJOIN,
            other.log.read_text,
        )

    # --- what is done to it -----------------------------------------------------------------------

    def freeze(self) -> None:
        """Stop every process of this machine: nothing answers, yet all connections stay open."""
        while new := [pid for pid in self._processes() if pid not in self._frozen]:
            send_signal(signal.SIGSTOP, new)
            self._frozen += new

    def thaw(self) -> None:
        send_signal(signal.SIGCONT, self._frozen)
        self._frozen = []

    def kill(self) -> None:
        send_signal(signal.SIGKILL, self._processes())
        if self._patroni is not None:
            self._patroni.wait(10)

    def _processes(self) -> list[int]:
        """Return Patroni, the postmaster, which is no child of it, and their children."""
        found = []
        if self._patroni is not None and self._patroni.poll() is None:
            found.append(self._patroni.pid)
        if postmaster := server_of(self.data / "postmaster.pid", str(self.data)):
            found.append(postmaster)
        return [*found, *(child for one in found for child in descendants(one))]


@contextlib.contextmanager
def run_machines(var: Path) -> Iterator[tuple[Machine, Machine]]:
    """Yield a primary with the roles of the site, and its synchronous standby."""
    archive = var / "backups/wal"
    archive.mkdir(parents=True)
    archive.chmod(0o777)  # PostgreSQL may run as another user
    passwords = Passwords.fresh()
    with contextlib.ExitStack() as at_the_end:
        etcd = at_the_end.enter_context(run_etcd(var))
        primary, standby = (Machine.under(var / name, passwords) for name in "ab")
        for machine, address in zip((primary, standby), ADDRESSES, strict=True):
            machine.name, machine.address, machine.etcd = machine.place.var.name, address, etcd
            at_the_end.callback(machine.kill)
        primary.start()
        wait_until(lambda: primary.role == "primary", SECONDS_TO_START, primary.log.read_text)
        primary.postgres.make_roles()
        standby.start()
        primary.await_standby(standby)
        yield primary, standby


def url_of(role: str, *machines: Machine, sessions: str) -> str:
    """Name every machine; libpq takes the first with such sessions (`read-write`, `standby`)."""
    passwords = machines[0].passwords
    password = {"openrummy": passwords.owner, "openrummy_app": passwords.application}[role]
    hosts = ",".join(f"{one.address}:{PORT}" for one in machines)
    return f"postgresql://{role}:{password}@{hosts}/{DATABASE}?target_session_attrs={sessions}"
