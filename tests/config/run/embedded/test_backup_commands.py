"""The backup and restore commands in docs/restore.md, run as they are printed there."""

import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from config.run.embedded.beside import run_beside
from tests.config.run.embedded.joining import Join, start_joining
from tests.config.run.embedded.migrated import Migrated
from tests.given import require
from tests.programs import ROOT, Finished, run_program, run_python

TEXT = (ROOT / "docs/restore.md").read_text()
GOOD = {"documents: all 1", "migrations: those of this code", "The ledger balances."}
COUNT = "SELECT count(*), sum(amount) FROM wallet_transfer"
OTHERS = {"DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "SECRET_KEY", "OPENRUMMY_VAR"}


def blocks_after(heading: str) -> list[str]:
    """Return the command blocks of the document that follow this heading."""
    _before, found, after = TEXT.partition(heading)
    assert found, heading
    return re.findall(r"^```(?:sh)?\n(.*?)^```$", after, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def site(migrated: Migrated) -> Iterator[tuple[Path, Join]]:
    """A folder like a clone in which `bin/run` has been started, with five players; and the function to add more."""
    folder = Path(tempfile.mkdtemp(prefix="orbk-"))
    folder.chmod(0o755)
    clone(folder)
    migrated.copy_to(folder / "var")
    with ExitStack() as until_the_end:
        with run_beside(folder / "var") as environment:
            join = until_the_end.enter_context(start_joining(environment))
            join(0, 5)
        yield folder, join
    shutil.rmtree(folder)


@pytest.fixture
def checkout(site: tuple[Path, Join]) -> Path:
    return site[0]


def clone(folder: Path) -> None:
    """Fill a folder like a clone: copies of `bin` and `config`, which locate the data, and links to all else."""
    own = {"bin", "config"}
    for entry in ROOT.iterdir():
        if entry.name not in {*own, "var"}:
            (folder / entry.name).symlink_to(entry)
    for name in own:
        shutil.copytree(ROOT / name, folder / name)


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in OTHERS}


def bash(commands: str, folder: Path, environment: dict[str, str]) -> str:
    words = ("/bin/bash", "-euo", "pipefail", "-c", commands)
    return run_program(*words, cwd=folder, env=environment, check=True).stdout


def python(environment: dict[str, str], *arguments: str) -> str:
    return bash(f"python {shlex.join(arguments)}", ROOT, environment)


def migrate(environment: dict[str, str]) -> None:
    as_owner = {**environment, "DATABASE_AS_OWNER": "1"}
    python(as_owner, "manage.py", "migrate", "--verbosity", "0")


def count_rows(environment: dict[str, str], database: str) -> tuple[object, ...]:
    options = f"host={environment['PGHOST']} user=postgres dbname={database}"
    with psycopg.connect(options, password=environment["PGPASSWORD"]) as opened:
        return require(opened.execute(COUNT).fetchone())


@dataclass
class Deployment:
    """A deployment without Docker: its settings, its folders and its backup script."""

    checkout: Path
    running: dict[str, str]
    work: Path

    @property
    def nightly(self) -> Path:
        return self.work / "backups/nightly"

    def set_up(self) -> None:
        self.work.mkdir(mode=0o755)
        (self.work / "private/identity").mkdir(parents=True)
        (self.work / "private/identity/passport.png").write_bytes(b"a passport")
        python_folder = Path(sys.executable).parent
        self.settings.write_text(
            f"SECRET_KEY={self.running['SECRET_KEY']}\nEMAIL_HOST_PASSWORD='a password'\nSITE_NAME=A Club\n"
            f"DATABASE_URL='{self.running['DATABASE_URL']}'\nBACKUPS={self.work}/backups\n"
            f"PRIVATE_FILES={self.work}/private\nPATH={python_folder}:$PATH\n"
        )
        (self.work / "owner.env").write_text(
            f"DATABASE_OWNER_URL='{self.running['DATABASE_OWNER_URL']}'\n"
        )

    @property
    def settings(self) -> Path:
        return self.work / "site.env"

    def script(self, *arguments: str, check: bool = False, **given: str) -> Finished:
        environment = {
            **self.running,
            "SETTINGS": str(self.settings),
            "OWNER": str(self.work / "owner.env"),
            "BACKUP_ADMIN": "env",
            "DATABASE_POOL": "0",
            **given,
        }
        script = self.checkout / "deploy/backup.sh"
        return run_program(script, *arguments, env=environment, check=check)

    def ask(self, statement: str, database: str = "openrummy") -> list[tuple[object, ...]]:
        options = f"host={self.running['PGHOST']} user=postgres dbname={database}"
        with psycopg.connect(options, password=self.running["PGPASSWORD"]) as opened:
            cursor = opened.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def has_database_of_a_check(self) -> bool:
        return bool(self.ask("SELECT 1 FROM pg_database WHERE datname = 'openrummy_check'"))

    def backups(self) -> set[str]:
        return {path.name for path in self.nightly.iterdir()} - {"lock"}


def test_a_local_run_is_restored_in_its_folder_and_in_a_new_one(site: tuple[Path, Join]) -> None:
    """In its own folder the servers are running; in the new folder each command starts and stops them."""
    checkout, join = site
    back_up, restore = blocks_after("## A local run")[:2]
    environment = clean_environment()
    private = checkout / "var/private"
    private.mkdir(mode=0o700)
    (private / "passport.jpg").write_bytes(b"a passport")
    with run_beside(checkout / "var") as running:
        bash(back_up, checkout, environment)
        before = count_rows(running, "openrummy")
        join(5, 9)  # the restore undoes this
        assert count_rows(running, "openrummy")[0] == 9
        (private / "passport.jpg").unlink()
        assert "The ledger balances." in bash(restore, checkout, environment)
        assert count_rows(running, "openrummy") == before == (5, before[1])
        # The application still works with its existing roles.
        join(20, 21)
        assert count_rows(running, "openrummy")[0] == 6
    assert (private / "passport.jpg").read_bytes() == b"a passport"

    new = checkout.with_name(f"{checkout.name}-new")
    new.mkdir(mode=0o755)
    try:
        clone(new)
        shutil.copy(checkout / "openrummy.dump", new)
        shutil.copy(checkout / "private.tar", new)
        assert "The ledger balances." in bash(restore, new, environment)
        with run_beside(new / "var") as running:
            assert count_rows(running, "openrummy") == before
    finally:
        shutil.rmtree(new)


def test_a_deployment_is_restored(checkout: Path) -> None:
    """A nightly backup is restored on the same server, with the logins from the installation guide."""
    [restore] = blocks_after("## Restore without Docker")[:1]
    with ExitStack() as until_the_end:
        running = until_the_end.enter_context(run_beside(checkout / "var"))
        bash(_MAKE_OWNER, checkout, running)
        host = running["PGHOST"]
        owner = f"postgresql://openrummy_owner:of-the-owner@/openrummy_play?host={host}"
        play = f"postgresql://openrummy_play:of-the-play@/openrummy_play?host={host}"
        live = {**running, "DATABASE_OWNER_URL": owner, "DATABASE_URL": play}
        migrate(live)
        join = until_the_end.enter_context(start_joining(live))
        join(0, 3)
        before = count_rows(running, "openrummy_play")
        deployed = Deployment(checkout, live, checkout / "work")
        deployed.set_up()
        made = deployed.script(check=True)
        join(3, 5)
        passport = deployed.work / "private/identity/passport.png"
        passport.unlink()
        # Use this test's folder and database, and leave out the lines for systemd and Redis.
        own_lines = [
            line for line in restore.splitlines() if not line.startswith(("systemctl ", "(set -a"))
        ]
        assert len(own_lines) == len(restore.splitlines()) - 3
        placed = (
            "\n".join(own_lines)
            .replace("runuser -u postgres -- ", "")
            .replace("/srv/private", str(deployed.work / "private"))
            .replace("DATABASE openrummy ", "DATABASE openrummy_play ")
            .replace("RENAME TO openrummy'", "RENAME TO openrummy_play'")
        )
        bash(f"backup={made.stdout.strip()}\n{placed}", deployed.work, running)
        assert count_rows(running, "openrummy_play") == before == (3, before[1])
        assert passport.read_bytes() == b"a passport"
        assert "The ledger balances." in python(live, "manage.py", "check_ledger")
        join(6, 7)
        assert count_rows(running, "openrummy_play")[0] == 4


_MAKE_OWNER = """
dropdb --if-exists replaced
psql -d postgres -c "CREATE ROLE openrummy_owner LOGIN CREATEROLE PASSWORD 'of-the-owner'"
psql -d postgres -c "GRANT openrummy_app TO openrummy_owner WITH ADMIN OPTION"
createdb --owner openrummy_owner openrummy_play
"""


# --- deploy/backup.sh -----------------------------------------------------------------------------


@pytest.fixture
def deployment(checkout: Path, tmp_path: Path) -> Iterator[Deployment]:
    with run_beside(checkout / "var") as running:
        made = Deployment(checkout, running, checkout / f"deployed-{tmp_path.name}")
        made.set_up()
        yield made


PASSPORT = """
INSERT INTO accounts_identity_check
  (user_id, full_name, born_on, document_kind, document_number, state, reason, submitted_at)
  SELECT min(id), 'Asha', '1990-01-01', 'PASSPORT', '7', 'SUBMITTED', '', now() FROM accounts_user;
INSERT INTO accounts_identity_document (identity_check_id, side, stored_as, content_type)
  SELECT max(id), 'FRONT', 'identity/passport.png', 'image/png' FROM accounts_identity_check
"""


def test_the_nightly_backup_is_restored_and_checked(deployment: Deployment) -> None:
    deployment.ask(PASSPORT)
    for old in ("2020-01-01T031700Z", "2020-01-02T031700Z"):
        (deployment.nightly / old).mkdir(parents=True)
    made = deployment.script(check=True)
    backup = Path(made.stdout.strip())
    assert deployment.backups() == {backup.name}  # backups that are too old have been deleted
    assert "EMAIL_HOST_PASSWORD" in (backup / "settings").read_text()
    assert "a password" not in (backup / "settings").read_text()
    assert backup.stat().st_mode & 0o077 == 0
    [recorded] = deployment.ask("SELECT name, size_bytes > 1000, checked_at FROM core_backup")
    assert recorded == (backup.name, True, None)

    deployment.settings.write_text(deployment.settings.read_text() + "SUPPORT_EMAIL=new@x.y\n")
    checked = deployment.script("check", check=True)
    told = checked.stdout.splitlines()
    [[transfers]] = deployment.ask("SELECT count(*) FROM wallet_transfer")
    assert f"{transfers} transfers" in told[0]
    assert set(told) >= GOOD
    assert told[-2:] == ["settings: SUPPORT_EMAIL differ", f"{backup} is good."]
    assert deployment.ask("SELECT 1 FROM core_backup WHERE checked_at IS NOT NULL") == [(1,)]
    assert not deployment.has_database_of_a_check()

    # A file of the backup has changed on the disk since then.
    bash("tar -cf private.tar --files-from /dev/null", backup, deployment.running)
    damaged = deployment.script("check", str(backup))
    assert f"a file of {backup} is not what it was" in damaged.stderr
    bash("sha256sum -- o* p* s* >SHA256SUMS", backup, deployment.running)
    missing = deployment.script("check", str(backup))
    assert (missing.returncode, damaged.returncode) == (1, 1)
    assert "these documents are missing" in missing.stderr
    assert "identity/passport.png" in missing.stderr
    assert not deployment.has_database_of_a_check()


def test_a_backup_without_space_is_refused_and_others_are_kept(deployment: Deployment) -> None:
    old = deployment.nightly / "2020-01-01T031700Z"
    old.mkdir(parents=True)
    refused = deployment.script(BACKUP_SPARE_MB="1000000000")
    assert refused.returncode == 1
    assert "Nothing was changed" in refused.stderr
    assert deployment.backups() == {old.name}


def test_an_interrupted_backup_leaves_no_files(deployment: Deployment) -> None:
    (deployment.work / "owner.env").write_text(
        "DATABASE_OWNER_URL='postgresql://127.0.0.1:1/none'\n"
    )
    failed = deployment.script()
    assert failed.returncode != 0
    assert deployment.backups() == set()


# Runs the COMMAND of `docker compose exec -T [--user U] [--env X=Y] SERVICE COMMAND` without a container.
DOCKER = """#!/bin/sh
shift 3
while :; do
  case $1 in
    --user) shift 2 ;;
    --env) export "$2"; shift 2 ;;
    *) break ;;
  esac
done
[ "$1" = postgres ] || [ "$1" = web ] || exit 9
shift
for word; do
  shift
  case $word in
    openrummy_owner | PGUSER=openrummy_owner) word=postgres ;;
    /srv/private) word=$PRIVATE_FILES ;;
  esac
  set -- "$@" "$word"
done
PGUSER=postgres exec "$@"
"""


def test_with_docker_the_script_asks_the_containers(deployment: Deployment) -> None:
    docker = deployment.work / "bin/docker"
    docker.parent.mkdir()
    docker.write_text(DOCKER)
    docker.chmod(0o755)
    env_file = deployment.checkout / ".env"
    shutil.copy(deployment.settings, env_file)
    try:
        made = deployment.script(PATH=f"{docker.parent}:{deployment.running['PATH']}", SETTINGS="")
    finally:
        env_file.unlink()
    assert made.returncode == 0, made.stderr
    [name] = deployment.backups()
    backup = deployment.nightly / name
    names = sorted(path.name for path in backup.iterdir())
    assert names == ["SHA256SUMS", "openrummy.dump", "private.tar", "settings"]
    assert deployment.ask("SELECT 1 FROM core_backup ORDER BY id DESC LIMIT 1") == [(1,)]
    listed = bash(f"tar -tf {backup}/private.tar", backup, deployment.running)
    assert "identity/passport.png" in listed
    assert "PGDMP" in (backup / "openrummy.dump").read_bytes()[:5].decode()


def test_beside_refuses_a_server_given_by_url() -> None:
    own = {**os.environ, "DATABASE_URL": "postgresql://x/y"}
    finished = run_python("-m", "config.run.embedded.beside", "pg_dump", env=own)
    assert finished.returncode == 2
    assert "DATABASE_URL is set" in finished.stderr
