"""Public programs for comparison, each in an environment of its own under `var/peers`.

A peer is never a requirement of this site: `Peer` installs its pinned packages on first use. The modules and
scripts of this package run in the peers' environments and answer the questions that `Peer.ask` sends.
"""

import fcntl
import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
HOME: Final = ROOT / "var/peers"
# All packages of a peer, because they are installed without their dependencies.
PACKAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "open_spiel": ("open-spiel==2.0.2",),  # its gin imports none of its dependencies
    "rlcard": ("rlcard==1.2.0", "numpy==2.4.6", "termcolor==3.3.0"),
    "rummikub_solver": (
        "rummikub-solver==1.0.0",
        "cvxpy-base==1.9.3",
        "highspy==1.16.0",
        "numpy==2.4.6",
        "qdldl==0.1.9.post1",
        "scipy==1.17.1",
        "sparsediffpy==0.6.1",
    ),
    "hordak": (
        "django-hordak==2.0.0",
        "Django==5.2.19",
        "asgiref==3.13.0",
        "sqlparse==0.6.1",
        "babel==2.19.0",
        "dj-database-url==3.1.2",
        "django-extensions==4.1",
        "django-import-export==4.4.3",
        "diff-match-patch==20241021",
        "tablib==3.10.0",
        "django-js-asset==5.0.0",
        "django-money==3.6.2",
        "py-moneyed==3.0",
        "django-mptt==0.20.0",
        "psycopg==3.3.9",
        "psycopg-binary==3.3.9",
        "requests==2.34.2",
        "certifi==2026.10.19.post1",
        "charset-normalizer==3.5.3",
        "idna==3.20",
        "urllib3==2.8.0",
        "typing_extensions==4.16.0",
    ),
}
# What npm is to install for a peer in JavaScript, with the overrides that it needs.
NPM_PACKAGES: Final[Mapping[str, Mapping[str, Mapping[str, str]]]] = {
    "boardgame": {
        "dependencies": {"boardgame.io": "0.50.2", "bgio-postgres": "1.0.16"},
        # With a later one its server answers no request of the lobby.
        "overrides": {"koa-compose": "4.1.0"},
    },
    "colyseus": {
        "dependencies": {
            "@colyseus/core": "0.18.17",
            "@colyseus/schema": "5.0.34",
            "@colyseus/sdk": "0.18.4",
            "@colyseus/ws-transport": "0.18.4",
        },
    },
}


class Peer:
    """A program that runs in a peer's environment until the end of the `with` block."""

    def __init__(self, name: str, program: str) -> None:
        self.name = program
        environment = dict(os.environ)
        if name in NPM_PACKAGES:
            script = Path(__file__).with_name(f"{program}.cjs")
            command = [find("node"), str(script)]
            environment["NODE_PATH"] = str(install_by_npm(name))
        else:
            command = [str(install(name)), "-m", f"{__name__}.{program}"]
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def __enter__(self) -> "Peer":
        return self

    def __exit__(self, *_: object) -> None:
        """End the program by closing its input."""
        self._process.communicate()

    def ask(self, question: str, *values: Any) -> Any:
        """Return the program's answer. Raises EOFError if the program has failed."""
        assert self._process.stdin is not None and self._process.stdout is not None  # noqa: S101, PT018
        self._process.stdin.write(json.dumps([question, *values]) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise EOFError(f"{self.name} has ended without an answer")
        return json.loads(line)


def answer(**questions: Callable[..., Any]) -> None:
    """Answer questions, one on each line, until the input ends. Output of libraries goes to stderr."""
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(2, 1)
        for line in sys.stdin:
            question, *values = json.loads(line)
            print(json.dumps(questions[question](*values)), file=answers, flush=True)


def install(name: str) -> Path:
    """Return the Python of a peer's environment. It is rebuilt if the packages or this Python have changed."""
    home, packages = HOME / name, PACKAGES[name]
    python = home / "bin/python"
    with _renew(home, " ".join((sys.version, *packages))) as is_stale:
        if is_stale:
            venv.create(home, clear=True)
            uv = [str(Path(sys.executable).with_name("uv")), "pip", "install", "--quiet"]
            subprocess.run(
                [*uv, "--python", str(python), "--no-deps", *packages],
                env={"UV_SYSTEM_CERTS": "1", **_find_index(), **os.environ},
                check=True,
            )
    return python


def install_by_npm(name: str) -> Path:
    """Return the folder of a peer's npm packages. It is rebuilt if the packages have changed."""
    home, wanted = HOME / name, json.dumps({"private": True, **NPM_PACKAGES[name]})
    with _renew(home, wanted) as is_stale:
        if is_stale:
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir()
            (home / "package.json").write_text(wanted)
            options = [
                "--no-package-lock",
                "--no-audit",
                "--no-fund",
                "--silent",
                "--ignore-scripts",
            ]
            subprocess.run([find("npm"), "install", *options], cwd=home, check=True)
    return home / "node_modules"


def find(program: str) -> str:
    """Return the path of a program of Node.js. Raises FileNotFoundError."""
    if path := shutil.which(program):
        return path
    raise FileNotFoundError(program)


@contextmanager
def _renew(home: Path, wanted: str) -> Iterator[bool]:
    """Yield whether something other than `wanted` is installed, and record `wanted` afterwards.

    A file lock admits one process at a time.
    """
    installed = home / "installed"
    HOME.mkdir(parents=True, exist_ok=True)
    with home.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        is_stale = not installed.exists() or installed.read_text() != wanted
        yield is_stale
        if is_stale:
            installed.write_text(wanted)


def _find_index() -> dict[str, str]:
    """Return the package index for uv if one is configured for pip, as bin/environment.sh does."""
    index = os.environ.get("PIP_INDEX_URL")
    return {} if index is None else {"UV_DEFAULT_INDEX": index}
