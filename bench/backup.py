"""A rehearsal: everything is lost, and comes back from a dump and from a base backup with its WAL.

`bin/bench backup` fills a server of its own, dumps and restores it, then takes a base backup while
money moves, streams the WAL aside, and brings a second server to the moment before the last
transfers. Each restored database must pass `manage.py check_ledger` and hold exactly the transfers
of its moment. The commands are those of docs/operations.md.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

from config.run.embedded.place import Place, postgres_programs
from config.run.embedded.postgres import DATABASE, Passwords, Postgres

ROOT = Path(__file__).resolve().parents[1]
PLAYERS = 2_000
FILL = """
import django; django.setup()
from accounts.models import User
from wallet import api as wallet
for number in range({first}, {last}):
    name = f"backup{{number}}"
    user = User.objects.create_user(f"{{name}}@example.com", None, player_name=name)
    wallet.grant_welcome_chips(user_id=user.pk)
"""


class Server:
    """One cluster in a folder of its own."""

    def __init__(self, folder: Path, passwords: Passwords) -> None:
        self.place = Place.under(folder)
        self.postgres = Postgres(self.place, passwords)
        self.passwords = passwords

    def url(self, database: str) -> str:
        password = quote(self.passwords.superuser)
        return f"postgresql://postgres:{password}@/{database}?host={self.place.sockets}"

    def environment(self, database: str) -> dict[str, str]:
        owner, application = self.postgres.owner_url, self.postgres.application_url
        return {
            **os.environ,
            "DATABASE_OWNER_URL": owner.replace(f"/{DATABASE}?", f"/{database}?"),
            "DATABASE_URL": application.replace(f"/{DATABASE}?", f"/{database}?"),
        }

    def ask(self, question: str, database: str = "postgres") -> str:
        with psycopg.connect(self.url(database), autocommit=True) as opened:
            row = opened.execute(question.encode()).fetchone()
            return str(row[0]) if row else ""

    def transfers(self, database: str) -> int:
        return int(self.ask("SELECT count(*) FROM wallet_transfer", database))


def python(environment: dict[str, str], *arguments: str) -> str:
    finished = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    if finished.returncode:
        sys.exit(f"{arguments[0]} {arguments[1][:40]}: {finished.stdout}{finished.stderr}")
    return finished.stdout.strip()


def as_servant(server: Server, *command: str) -> None:
    finished = server.place.servant.run(list(command), env=dict(os.environ))
    if finished.returncode:
        sys.exit(f"{command[0]}: {finished.stderr}")


def fill(server: Server, first: int, last: int) -> None:
    python(server.environment(DATABASE), "-c", FILL.format(first=first, last=last))


def check(server: Server, database: str, expected: int) -> str:
    found = server.transfers(database)
    if found != expected:
        sys.exit(f"{database}: {found} transfers instead of {expected}")
    return python(server.environment(database), "manage.py", "check_ledger")


def rehearse_dump(server: Server, folder: Path, tool: Path) -> None:
    expected, dump = server.transfers(DATABASE), folder / "openrummy.dump"
    began = time.perf_counter()
    as_servant(server, str(tool / "pg_dump"), "-Fc", "-f", str(dump), server.url(DATABASE))
    dumped = time.perf_counter()
    with psycopg.connect(server.url("postgres"), autocommit=True) as opened:
        opened.execute("CREATE DATABASE restored OWNER openrummy")
    as_servant(
        server, str(tool / "pg_restore"), "--exit-on-error", "-j", "2", "-d",
        server.url("restored"), str(dump),
    )  # fmt: skip
    restored = time.perf_counter()
    said = check(server, "restored", expected)
    print(
        f"dump {dumped - began:.1f} s, {dump.stat().st_size / 1e6:.1f} MB; restore"
        f" {restored - dumped:.1f} s; {expected} transfers are there; check_ledger: {said}"
    )


@contextmanager
def receiving(server: Server, wal: Path, tool: Path) -> Iterator[None]:
    """Stream the WAL aside, as another machine would."""
    who = server.place.servant
    identity: dict[str, Any] = (
        {"user": who.uid, "group": who.gid, "extra_groups": []} if who.is_other else {}
    )
    command = [str(tool / "pg_receivewal"), "-D", str(wal), "-d", server.url("postgres")]
    receiver = subprocess.Popen(command, cwd="/", **identity)
    try:
        yield
    finally:
        receiver.terminate()
        receiver.wait()


def rehearse_base_backup(server: Server, folder: Path, tool: Path) -> None:
    wal, second = folder / "wal", Server(folder / "b", server.passwords)
    base = second.place.postgres / "data"
    as_servant(server, "mkdir", str(wal))
    with receiving(server, wal, tool):
        began = time.perf_counter()
        as_servant(
            server, str(tool / "pg_basebackup"), "-D", str(base), "-X", "none",
            "--checkpoint=fast", "-d", server.url("postgres"),
        )  # fmt: skip
        seconds = time.perf_counter() - began
        fill(server, PLAYERS, PLAYERS + 200)
        expected = server.transfers(DATABASE)
        moment = server.ask("SELECT clock_timestamp()::text")
        time.sleep(1)
        fill(server, PLAYERS + 200, PLAYERS + 300)  # the mistake that is to be undone
        wait_for(wal / server.ask("SELECT pg_walfile_name(pg_switch_wal())"))
    print(f"base backup {seconds:.1f} s")
    recover(server, second, f"cp {wal}/%f %p", moment)
    try:
        said = check(second, DATABASE, expected)
        later = server.transfers(DATABASE) - expected
        print(f"{expected} transfers, without the {later} made later; check_ledger: {said}")
    finally:
        second.postgres.stop()


def recover(server: Server, second: Server, restore_command: str, moment: str) -> None:
    """Bring the base backup in the second server's folder to this moment."""
    base = second.place.postgres / "data"
    lines = (
        f"restore_command = '{restore_command}'",
        f"recovery_target_time = '{moment}'",
        "recovery_target_action = 'promote'",
    )
    for line in lines:
        as_servant(server, "sh", "-c", f'echo "{line}" >>{base}/postgresql.auto.conf')
    as_servant(server, "touch", f"{base}/recovery.signal")
    began = time.perf_counter()
    second.postgres.start()
    while second.ask("SELECT pg_is_in_recovery()") == "True":
        time.sleep(0.1)
    print(f"back at {moment[:19]} in {time.perf_counter() - began:.1f} s")


def wait_for(path: Path) -> None:
    for _ in range(300):
        if path.exists():
            return
        time.sleep(0.1)
    sys.exit(f"{path.name} was not received")


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="orb-"))
    folder.chmod(0o755)
    server = Server(folder / "a", Passwords.fresh())
    server.postgres.start()
    try:
        shutil.chown(folder, server.place.servant.uid, server.place.servant.gid)
        server.postgres.make_roles()
        environment = {**server.environment(DATABASE), "DATABASE_AS_OWNER": "1"}
        python(environment, "manage.py", "migrate", "--verbosity", "0")
        fill(server, 0, PLAYERS)
        rehearse_dump(server, folder, postgres_programs())
        rehearse_base_backup(server, folder, postgres_programs())
    finally:
        server.postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
