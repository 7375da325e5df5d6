"""Builds the libraries of this repository: `python -m packages.build FOLDER`.

The engine is `games` under a name of its own; the client lies in `packages/client`.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
GAMES: Final = ROOT / "games"
ENGINE: Final = "openrummy_engine"
_IMPORTED = re.compile(r"^(\s*(?:from|import) )games\b", re.MULTILINE)


def version() -> str:
    """All three have the version of the project."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return str(project["version"])


def copy_engine(folder: Path) -> None:
    """Copy the sources of the engine's wheel."""
    source = folder / "src" / ENGINE
    for path in sorted(GAMES.rglob("*.py")):
        target = source / path.relative_to(GAMES)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_IMPORTED.sub(rf"\1{ENGINE}", path.read_text()))
    (source / "py.typed").touch()


def build(into: Path) -> list[Path]:
    """The wheels and source archives, made anew. Raises CalledProcessError."""
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="openrummy-packages-") as folder:
        for name in ("engine", "client"):
            copy = Path(folder) / name
            shutil.copytree(ROOT / "packages" / name, copy)
            shutil.copy(ROOT / "LICENSE", copy)
            if name == "engine":
                copy_engine(copy)
            project = copy / "pyproject.toml"
            project.write_text(
                re.sub(
                    r'^version = ".*"$', f'version = "{version()}"', project.read_text(), flags=re.M
                )
            )
            subprocess.run(  # noqa: S603 - our own uv
                [
                    _uv(),
                    "build",
                    "--quiet",
                    "--offline",
                    "--out-dir",
                    str(into.resolve()),
                    str(copy),
                ],
                check=True,
            )
    return sorted(into.glob(f"openrummy_*-{version()}*"))


def _uv() -> str:
    return str(Path(sys.executable).parent / "uv")


if __name__ == "__main__":
    for built in build(Path(sys.argv[1])):
        sys.stdout.write(f"{built}\n")
