"""Data of a local run with a migrated database, made once per test run and copied by each test."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from config.run.embedded.beside import run_beside
from config.run.embedded.place import EmbeddedFolders
from config.run.embedded.postgres import Passwords
from config.run.embedded.servers import load_secrets
from tests.programs import ROOT


@contextmanager
def short_folder() -> Iterator[Path]:
    """Yield a path short enough for Unix sockets. Everybody can enter its parent: under root, servers run as a
    user without rights.
    """
    with tempfile.TemporaryDirectory(prefix="ort-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder) / "var"


@dataclass(frozen=True)
class Migrated:
    kept: Path

    def copy_to(self, var: Path) -> Passwords:
        """Copy the data to the folder of another run. Return the passwords of its server."""
        place = EmbeddedFolders.under(var)
        subprocess.run(["/bin/cp", "-a", self.kept / "data", place.postgres], check=True)
        shutil.copy(self.kept / "secrets.json", var)
        return load_secrets(var / "secrets.json").passwords


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Migrated:
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # shared by all workers
    kept = folder / "migrated"
    with (folder / "migrated.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            _make(kept)
    return Migrated(kept)


def _make(kept: Path) -> None:
    with short_folder() as var:
        with run_beside(var) as environment:
            subprocess.run(
                [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
                cwd=ROOT,
                env={**environment, "DATABASE_AS_OWNER": "1"},
                check=True,
            )
        made = kept.with_suffix(".made")
        made.mkdir(mode=0o700)
        data = EmbeddedFolders.under(var).postgres / "data"
        subprocess.run(["/bin/cp", "-a", data, var / "secrets.json", made], check=True)
        made.rename(kept)
