"""deploy/recovery on a real PostgreSQL: a base backup, archived WAL, and point-in-time recovery."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

import psycopg
import pytest
import yaml

from config.monitoring.metrics import WAL_ARCHIVE_FAILING_SECONDS
from config.run.embedded.place import EmbeddedFolders, find_postgres
from config.run.embedded.postgres import DATABASE, Passwords, Postgres
from tests.config.run.embedded.joining import start_joining
from tests.config.run.embedded.migrated import short_folder
from tests.programs import ROOT, run_python
from tests.workers import wait_until

# The tables of which every row must come back.
TABLES = ("accounts_user", "wallet_account", "wallet_transfer", "wallet_entry")
SERVES = """
import django; django.setup()
from django.core.management import call_command
from accounts.models import User
from wallet import api as wallet
call_command("check_ledger")
wallet.grant_welcome_chips(user_id=User.objects.create_user("70@example.com", None, player_name="Keeper 70").pk)
"""


@dataclass
class Server:
    postgres: Postgres
    place: EmbeddedFolders
    passwords: Passwords
    backups: Path

    @classmethod
    def under(cls, var: Path, passwords: Passwords, backups: Path) -> "Server":
        place = EmbeddedFolders.under(var)
        # The machine does not crash in these tests, so fsync is off.
        return cls(Postgres(place, passwords, durable=False), place, passwords, backups)

    @property
    def data(self) -> Path:
        return self.place.postgres / "data"

    def ask(self, question: str) -> list[tuple[object, ...]]:
        """Run a query as PostgreSQL's superuser. Return its rows."""
        with psycopg.connect(
            host=str(self.place.sockets), user="postgres", password=self.passwords.superuser,
            dbname=DATABASE, autocommit=True,
        ) as opened:  # fmt: skip
            cursor = opened.execute(question.encode())
            return cursor.fetchall() if cursor.description else []

    def rows(self) -> dict[str, list[str]]:
        return {
            table: sorted(str(row[0]) for row in self.ask(f"SELECT t::text FROM {table} t"))  # noqa: S608
            for table in TABLES
        }

    @property
    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings.local",
            "DATABASE_OWNER_URL": self.postgres.owner_url,
            "DATABASE_URL": self.postgres.application_url,
        }

    def python(self, *arguments: str, **given: str) -> str:
        environment = {**self.environment, **given}
        return run_python(*arguments, env=environment, check=True).stdout.strip()

    def script(self, name: str, *arguments: str, **given: str) -> subprocess.CompletedProcess[str]:
        """Run a script of deploy/recovery as the user under which PostgreSQL runs."""
        programs = self.place.make_readable(find_postgres()) / "bin"
        return self.place.servant.run(
            [str(self.backups.parent / "recovery" / name), *arguments],
            env={
                "PATH": f"{programs}:{os.environ['PATH']}",
                "BACKUPS": str(self.backups),
                "PGHOST": str(self.place.sockets),
                "PGUSER": "postgres",
                "PGPASSWORD": self.passwords.superuser,
                **given,
            },
        )

    def archive_from_now_on(self) -> None:
        """Switch archiving on with the settings of compose.yaml, and restart the server."""
        for name, value in read_archive_settings().items():
            command = value.replace(
                "/srv/recovery", f"BACKUPS={self.backups} {self.backups.parent}/recovery"
            )
            self.ask(f"ALTER SYSTEM SET {name} = '{command}'")
        self.postgres.stop()
        self.postgres.start()

    def list_kept(self) -> set[str]:
        return {path.name for path in (self.backups / "wal").iterdir()}


def read_archive_settings() -> dict[str, str]:
    service = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]["postgres"]
    settings = dict(word.split("=", 1) for word in service["command"] if "=" in word)
    return {name: value for name, value in settings.items() if name.startswith("archive_")}


@pytest.fixture(scope="module")
def running(migrated):
    """A server whose database is migrated."""
    with short_folder() as folder:
        passwords = migrated.copy_to(folder)
        server = Server.under(folder, passwords, folder)
        try:
            yield server
        finally:
            server.postgres.stop()


@pytest.fixture
def servers(running):
    """The running server with empty backups, and a second server's folders, into which it is recovered."""
    folder = Path(tempfile.mkdtemp(dir=running.backups))
    folder.chmod(0o755)
    backups = folder / "backups"
    shutil.copytree(ROOT / "deploy/recovery", folder / "recovery")
    first = replace(running, backups=backups)
    second = Server.under(folder / "b", running.passwords, backups)
    for made in (backups, backups / "wal", backups / "base"):
        made.mkdir(mode=0o700)
        os.chown(made, first.place.servant.uid, first.place.servant.gid)
    try:
        first.postgres.start()
        first.ask("SELECT pg_stat_reset_shared('archiver')")
        yield first, second
    finally:
        second.postgres.stop()


def test_recovery_restores_exactly_the_rows_of_a_moment(servers):
    first, second = servers
    first.archive_from_now_on()
    with start_joining(first.environment) as join:
        join(0, 20)
        base = first.script("base.sh")
        assert base.returncode == 0, base.stderr
        time.sleep(1.1)  # a base backup is named after the second in which it ended
        join(20, 50)
        expected = first.rows()
        assert len(expected["wallet_transfer"]) == 50
        [[moment]] = first.ask("SELECT clock_timestamp()::text")
        join(50, 60)  # the mistake that recovery must undo
    [[last]] = first.ask("SELECT pg_walfile_name(pg_switch_wal())")
    wait_until(lambda: f"{last}.gz" in first.list_kept())

    recovered = second.script("recover.sh", str(second.data), str(moment))
    assert recovered.returncode == 0, recovered.stderr
    first.postgres.stop()  # the server is lost
    second.postgres.start()
    wait_until(lambda: second.ask("SELECT pg_is_in_recovery()") == [(False,)])
    assert second.rows() == expected
    assert second.ask("SELECT sum(amount)::bigint FROM wallet_entry") == [(0,)]
    # The recovered server accepts writes, and archives them on a new timeline.
    assert "The ledger balances." in second.python("-c", SERVES)
    assert second.ask("SELECT count(*) FROM wallet_transfer") == [(51,)]
    [[last]] = second.ask("SELECT pg_walfile_name(pg_switch_wal())")
    assert str(last).startswith("00000002")
    wait_until(lambda: f"{last}.gz" in second.list_kept())


def test_recovery_does_not_overwrite_a_folder(servers):
    first, _second = servers
    assert first.script("base.sh").returncode == 0
    first.postgres.stop()
    before = {path: path.stat().st_mtime_ns for path in first.data.rglob("*.conf")}
    refused = first.script("recover.sh", str(first.data), "2099-11-21 17:53:01")
    assert refused.returncode == 1
    assert "is not empty" in refused.stderr
    assert {path: path.stat().st_mtime_ns for path in first.data.rglob("*.conf")} == before


def test_recovery_needs_an_earlier_base_backup(servers):
    first, second = servers
    refused = first.script("recover.sh", str(second.data), "2020-01-01")
    assert refused.returncode == 1
    assert "no base backup" in refused.stderr
    assert not second.data.exists()


def test_recovery_refuses_while_the_server_of_its_folder_runs(servers):
    """`systemctl stop postgresql` returns before the cluster has stopped, so its folder may be moved too early."""
    first, _second = servers
    moved = first.data.with_name("moved")
    refusals = []
    for aside in ([str(moved)], []):
        refusals.append(first.script("recover.sh", str(first.data), "2026-11-21 17:53:01", *aside))
        if moved.exists():
            break
        first.data.rename(moved)
    try:
        assert not first.data.exists()
    finally:
        moved.rename(first.data)
    for refused in refusals:
        assert refused.returncode == 1
        assert "still runs" in refused.stderr
    assert len(refusals) == 2
    assert first.ask("SELECT 1") == [(1,)]


def recover_in_place(server, moment, **given):
    aside = server.data.with_name(f"aside-{time.monotonic_ns()}")
    recovered = server.script("recover.sh", str(server.data), str(moment), str(aside), **given)
    assert recovered.returncode == 0, recovered.stderr
    server.postgres.start()
    wait_until(lambda: server.ask("SELECT pg_is_in_recovery()") == [(False,)])
    return aside


def test_the_folder_set_aside_is_archived_first_and_still_starts(servers):
    first, _second = servers
    first.archive_from_now_on()
    assert first.script("base.sh").returncode == 0
    time.sleep(1.1)
    first.ask("CREATE TABLE kept AS SELECT 1 AS answer")
    [[moment]] = first.ask("SELECT clock_timestamp()::text")
    first.ask("DROP TABLE kept")
    # The backup disk is missing while the server stops, so the last WAL segments are not archived.
    away = (first.backups / "wal").rename(first.backups / "away")
    first.postgres.stop()
    ready = {path.stem for path in (first.data / "pg_wal/archive_status").glob("*.ready")}
    assert ready
    moved = first.data.with_name("moved")
    refused = first.script("recover.sh", str(first.data), str(moment), str(moved))
    assert refused.returncode == 1
    assert "could not be archived" in refused.stderr
    assert not moved.exists()

    away.rename(first.backups / "wal")
    aside = recover_in_place(first, moment)
    assert {f"{name}.gz" for name in ready} <= first.list_kept()
    assert not list((aside / "pg_wal/archive_status").glob("*.ready"))
    assert first.ask("SELECT answer FROM kept") == [(1,)]
    # Nothing is lost: the replaced data folder still starts, with the table dropped.
    first.postgres.stop()
    first.data.rename(aside.with_name("recovered"))
    aside.rename(first.data)
    first.postgres.start()
    assert first.ask("SELECT to_regclass('kept')") == [(None,)]


def test_a_crashed_server_comes_back_up_to_its_last_second_and_a_second_try_is_free(servers):
    first, _second = servers
    first.archive_from_now_on()
    assert first.script("base.sh").returncode == 0
    time.sleep(1.1)
    moments = []
    [[timeline]] = first.ask("SELECT timeline_id::text FROM pg_control_checkpoint()")
    for number in (1, 2):
        first.ask(f"CREATE TABLE kept{number} ()")
        first.ask("SELECT pg_sleep(0.01)")
        moments += first.ask("SELECT clock_timestamp()::text")[0]
    first.ask("CREATE TABLE after ()")
    first.ask("CHECKPOINT")  # without fsync, commits are not written at once
    os.kill(int((first.data / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
    wait_until(lambda: "postgres" not in processes_in(first.data))

    def tables():
        return [
            name for name in ("kept1", "kept2", "after")
            if first.ask(f"SELECT to_regclass('{name}')") != [(None,)]
        ]  # fmt: skip

    crashed = recover_in_place(first, moments[0])
    assert tables() == ["kept1"]
    # That moment was wrong. The server is now on a new timeline; the later moment is on the original one.
    first.postgres.stop()
    shutil.rmtree(first.data)
    crashed.rename(first.data)
    recover_in_place(first, moments[1], TIMELINE=timeline)
    assert tables() == ["kept1", "kept2"]


def processes_in(folder):
    """Return the names of the processes whose working directory is this folder."""
    names = set()
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (process / "cwd").readlink() == folder:
                names.add((process / "comm").read_text().strip())
    return names


def test_an_archived_wal_file_is_not_replaced(servers):
    first, _second = servers
    part = first.backups / "part"
    for content, status in (("one", 0), ("one", 0), ("two", 1)):
        part.write_text(content)
        part.chmod(0o644)
        os.chown(first.backups, first.place.servant.uid, first.place.servant.gid)
        kept = first.script("archive.sh", str(part), "000000010000000000000001")
        assert kept.returncode == status
    assert first.list_kept() == {"000000010000000000000001.gz"}
    missing = first.script("archive.sh", str(part.with_name("none")), "000000010000000000000002")
    assert missing.returncode != 0
    assert "000000010000000000000002.gz" not in first.list_kept()


def test_old_base_backups_are_deleted_with_their_wal(servers):
    first, _second = servers
    first.archive_from_now_on()
    made = []
    for _ in range(3):
        said = first.script("base.sh", "2")
        assert said.returncode == 0, said.stderr
        made.append(Path(said.stdout.strip()).name)
        time.sleep(1.1)
    assert {path.name for path in (first.backups / "base").iterdir()} == set(made[1:])
    label = (first.backups / "base" / made[1] / "backup_label").read_text()
    needed = label.partition("(file ")[2].partition(")")[0]
    parts = {name for name in first.list_kept() if len(name) == len(f"{needed}.gz")}
    assert min(parts) == f"{needed}.gz"


def test_a_failing_archive_is_measured_until_it_works(servers):
    first, _second = servers
    asked = f"SELECT {WAL_ARCHIVE_FAILING_SECONDS}::float"

    def write(table):
        first.ask(f"CREATE TABLE {table} ()")
        first.ask("SELECT pg_switch_wal()")

    assert first.ask(asked) == [(0,)]  # archiving is still off
    first.archive_from_now_on()
    write("one")
    wait_until(first.list_kept)
    assert first.ask(asked) == [(0,)]
    away = (first.backups / "wal").rename(first.backups / "away")
    write("two")
    wait_until(lambda: first.ask(asked) > [(0,)])
    away.rename(first.backups / "wal")
    write("three")
    wait_until(lambda: first.ask(asked) == [(0,)])
