"""Test of an upgrade from the previous release: bin/test python -m tests.upgrade [COMMIT [SCRIPT]].

The previous release is the last tag before this commit, or COMMIT. Its tree is checked out into a temporary folder
and makes a site with people, money, tournaments and a match of every game. This tree migrates that database. The
previous release then plays on beside it, as during every upgrade (docs/upgrade.md). At last this tree reads
everything and plays the matches to their ends. Nothing is kept between runs: a release needs no more than its tag.

SCRIPT is run on a copy of the migrated database. Its argument is the file of facts written by
tests/upgrade/before.py.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.programs import ROOT, run_program

PINS = ("requirements", "requirements-embedded", "requirements-dev")


def git(*arguments: str) -> str:
    # In a container the tree may belong to another user.
    command = ["git", "-c", "safe.directory=*", "-c", "versionsort.suffix=-", *arguments]
    ran = run_program(*command, cwd=ROOT)
    if ran.returncode != 0:
        raise LookupError(ran.stderr.strip())
    return ran.stdout.strip()


def release_before() -> str | None:
    """Return the last release tag before this commit, or None if there is no release yet.

    Raises LookupError in a shallow clone, which lacks the history.
    """
    if git("rev-parse", "--is-shallow-repository") == "true":
        raise LookupError(
            "This clone has no history, so it does not know of releases: fetch it all."
        )
    tags = git(
        "tag", "--merged", "HEAD", "--no-contains", "HEAD", "--sort=-version:refname", "v[0-9]*"
    )
    return next(iter(tags.splitlines()), None)


@contextmanager
def lay_out(commit: str) -> Iterator[Path]:
    """Check a commit's tree out into a temporary folder, with the packages that it pins. Yield the folder."""
    with tempfile.TemporaryDirectory(prefix="release-before-") as parent:
        archive, folder = Path(parent) / "tree.tar", Path(parent) / "tree"
        git("archive", "--format=tar", f"--output={archive}", commit)
        folder.mkdir()
        subprocess.run(["tar", "--extract", f"--file={archive}"], cwd=folder, check=True)
        _install(folder)
        yield folder


def _install(folder: Path) -> None:
    pins = [f"{name}.txt" for name in PINS]
    if all((folder / pin).read_bytes() == (ROOT / pin).read_bytes() for pin in pins):
        (folder / ".venv").symlink_to(Path(sys.prefix))
        return
    script = f"set -eu; root=$PWD; . bin/environment.sh; prepare {' '.join(PINS)}"
    subprocess.run(["bash", "-c", script], cwd=folder, check=True)


def upgrade(commit: str, script: str = "") -> int:
    """Upgrade a database of this commit's release. Return the exit status, 0 if no fault was found."""
    with lay_out(commit) as old:
        facts = str(old.parent / "facts.json")
        _run(old, "-m", "tests.upgrade.before", facts)
        _run(ROOT, "manage.py", "migrate", "--verbosity", "0")
        copy = _copy_database() if script else {}
        _run(old, "-m", "tests.upgrade.before")
        if script:
            _run(ROOT, script, facts, **copy)
        return _run(ROOT, "-m", "tests.upgrade.after", facts)


def _copy_database() -> dict[str, str]:
    """Copy the database. Return the environment variables that connect to the copy."""
    urls = {name: urlsplit(os.environ[name]) for name in ("DATABASE_OWNER_URL", "DATABASE_URL")}
    owner = urls["DATABASE_OWNER_URL"]
    with psycopg.connect(owner._replace(path="/postgres").geturl(), autocommit=True) as server:
        server.execute(f"CREATE DATABASE upgrade_copy TEMPLATE {owner.path.removeprefix('/')}")
    return {name: url._replace(path="/upgrade_copy").geturl() for name, url in urls.items()}


def _run(folder: Path, *command: str, **environment: str) -> int:
    python = folder / ".venv/bin/python" if folder != ROOT else Path(sys.executable)
    ran = subprocess.run(
        [str(python), *command], cwd=folder, env={**os.environ, **environment}, check=False
    )
    if ran.returncode != 0:
        raise SystemExit(f"{folder}: {' '.join(command)} has failed.")
    return ran.returncode


def main(commit: str = "", script: str = "") -> int:
    before = commit or release_before()
    if before is None:
        print("There is no release yet: this commit stands in for the one before.")
        before = "HEAD"
    print(
        f"An upgrade from {before} ({git('rev-parse', '--short', f'{before}^{{commit}}')}):",
        flush=True,
    )
    return upgrade(before, script)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
