"""The commands of docs/restore.md that back up and restore, run as they stand there."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from config.run.embedded.beside import beside
from tests.config.run.embedded.joining import Join, joining

ROOT = Path(__file__).resolve().parents[4]
TEXT = (ROOT / "docs/restore.md").read_text()
COUNT = "SELECT count(*), sum(amount) FROM wallet_transfer"
OTHERS = {"DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "SECRET_KEY", "OPENRUMMY_VAR"}


def blocks_after(heading: str) -> list[str]:
    """The commands below a sentence of the document, a text each."""
    _before, found, after = TEXT.partition(heading)
    assert found, heading
    return re.findall(r"^```\n(.*?)^```$", after, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def site() -> Iterator[tuple[Path, Join]]:
    """A folder like a clone of the repository with what `bin/run` has installed, and five players."""
    folder = Path(tempfile.mkdtemp(prefix="orbk-"))
    folder.chmod(0o755)
    clone(folder)
    with ExitStack() as until_the_end:
        with beside(folder / "var") as environment:
            migrate(environment)
            join = until_the_end.enter_context(joining(environment))
            join(0, 5)
        yield folder, join
    shutil.rmtree(folder)


@pytest.fixture
def checkout(site: tuple[Path, Join]) -> Path:
    return site[0]


def clone(folder: Path) -> None:
    """What says where the data is has to be there itself; the rest may be elsewhere."""
    own = {"bin", "config"}
    for entry in ROOT.iterdir():
        if entry.name not in {*own, "var"}:
            (folder / entry.name).symlink_to(entry)
    for name in own:
        shutil.copytree(ROOT / name, folder / name)


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in OTHERS}


def bash(commands: str, folder: Path, environment: dict[str, str], **more: object) -> str:
    finished = subprocess.run(
        ["/bin/bash", "-euo", "pipefail", "-c", commands],
        cwd=folder, env=environment, capture_output=True, text=True, check=False, **more,
    )  # type: ignore[call-overload] # fmt: skip
    assert finished.returncode == 0, f"{commands}\n{finished.stdout}{finished.stderr}"
    return str(finished.stdout)


def python(environment: dict[str, str], *arguments: str) -> str:
    return bash('python "$@"'.replace('"$@"', " ".join(map(_quoted, arguments))), ROOT, environment)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def migrate(environment: dict[str, str]) -> None:
    as_owner = {**environment, "DATABASE_AS_OWNER": "1"}
    python(as_owner, "manage.py", "migrate", "--verbosity", "0")


def asked(environment: dict[str, str], database: str) -> tuple[object, ...]:
    options = f"host={environment['PGHOST']} user=postgres dbname={database}"
    with psycopg.connect(options, password=environment["PGPASSWORD"]) as opened:
        row = opened.execute(COUNT).fetchone()
        assert row is not None
        return row


def test_the_data_of_a_local_run_comes_back(site: tuple[Path, Join]) -> None:
    """Without servers that run before: each command starts and ends them."""
    checkout, join = site
    back_up, restore = blocks_after("## A local run")[:2]
    environment = clean_environment()
    private = checkout / "var/private"
    private.mkdir(mode=0o700, exist_ok=True)
    (private / "passport.jpg").write_bytes(b"a passport")
    bash(back_up, checkout, environment)
    with beside(checkout / "var") as running:
        before = asked(running, "openrummy")
        join(5, 9)  # what is undone
        assert asked(running, "openrummy")[0] == 9
    (private / "passport.jpg").unlink()
    said = bash(restore, checkout, environment)
    assert "The ledger balances." in said
    assert (private / "passport.jpg").read_bytes() == b"a passport"
    with beside(checkout / "var") as running:
        assert asked(running, "openrummy") == before == (5, before[1])
        # The application goes on with the roles that it has.
        join(20, 21)
        assert asked(running, "openrummy")[0] == 6


def test_it_comes_back_in_a_new_folder_too(checkout: Path) -> None:
    restore = blocks_after("## A local run")[1]
    new = checkout.with_name(f"{checkout.name}-new")
    new.mkdir(mode=0o755)
    try:
        clone(new)
        shutil.copy(checkout / "openrummy.dump", new)
        shutil.copy(checkout / "private.tar", new)
        assert "The ledger balances." in bash(restore, new, clean_environment())
        with beside(new / "var") as running:
            assert asked(running, "openrummy")[0] == 5
    finally:
        shutil.rmtree(new)


def test_a_deployment_comes_back(checkout: Path) -> None:
    """The same server, with the logins that the page about installing makes."""
    back_up, restore = blocks_after("### A dump without Docker")[:2]
    work = checkout / "work"
    work.mkdir(mode=0o755)
    with ExitStack() as until_the_end:
        running = until_the_end.enter_context(beside(checkout / "var"))
        bash(_MAKE_OWNER, work, running)
        host = running["PGHOST"]
        owner = f"postgresql://openrummy_owner:of-the-owner@/openrummy_play?host={host}"
        play = f"postgresql://openrummy_play:of-the-play@/openrummy_play?host={host}"
        live = {**running, "DATABASE_OWNER_URL": owner, "DATABASE_URL": play}
        migrate(live)
        join = until_the_end.enter_context(joining(live))
        join(0, 3)
        before = asked(running, "openrummy_play")
        (work / "owner.env").write_text(f"DATABASE_OWNER_URL='{owner}'\n")
        (work / "private").mkdir()
        (work / "private/passport.jpg").write_bytes(b"a passport")

        def placed(commands: str) -> str:
            """With this test's folders and database in the place of the deployment's."""
            return (
                commands.replace("/srv/openrummy-owner.env", str(work / "owner.env"))
                .replace("/srv/private", str(work / "private"))
                .replace("DATABASE openrummy ", "DATABASE openrummy_play ")
                .replace("RENAME TO openrummy'", "RENAME TO openrummy_play'")
            )

        bash(placed(back_up), work, running)
        join(3, 5)
        (work / "private/passport.jpg").unlink()
        bash(placed(restore), work, running)
        assert asked(running, "openrummy_play") == before == (3, before[1])
        assert (work / "private/passport.jpg").read_bytes() == b"a passport"
        assert "The ledger balances." in python(live, "manage.py", "check_ledger")
        join(6, 7)
        assert asked(running, "openrummy_play")[0] == 4


_MAKE_OWNER = """
dropdb --if-exists replaced
psql -d postgres -c "CREATE ROLE openrummy_owner LOGIN CREATEROLE PASSWORD 'of-the-owner'"
psql -d postgres -c "GRANT openrummy_app TO openrummy_owner WITH ADMIN OPTION"
createdb --owner openrummy_owner openrummy_play
"""


def test_a_server_of_ones_own_is_not_taken_for_that_of_a_local_run() -> None:
    finished = subprocess.run(
        [sys.executable, "-m", "config.run.embedded.beside", "pg_dump"],
        cwd=ROOT, env={**os.environ, "DATABASE_URL": "postgresql://x/y"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert finished.returncode == 2
    assert "DATABASE_URL is set" in finished.stderr
