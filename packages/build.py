"""Builds the libraries of this repository: `python -m packages.build FOLDER`.

The engine is `games` under a name of its own; the client lies in `packages/client`. The types for TypeScript
are made of the schemas by json2ts, where `npm install` has brought it.
"""

import json
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
JSON2TS: Final = ROOT / "node_modules/.bin/json2ts"
ENGINE: Final = "openrummy_engine"
_IMPORTED = re.compile(r"^(\s*(?:from|import) )games\b", re.MULTILINE)


def read_version() -> str:
    """Return the version of the project, which all three packages have."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return str(project["version"])


def copy_engine(folder: Path) -> None:
    """Copy the sources of the engine's wheel."""
    source = folder / "src" / ENGINE
    copied = {path: source / path.relative_to(GAMES) for path in sorted(GAMES.rglob("*.py"))}
    copied[ROOT / "packages/engine/pettingzoo.py"] = source / "pettingzoo.py"
    for path, target in copied.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_IMPORTED.sub(rf"\1{ENGINE}", path.read_text()))
    (source / "py.typed").touch()


def build(into: Path) -> list[Path]:
    """Build the wheels and source archives. Raises CalledProcessError."""
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
                    r'^version = ".*"$',
                    f'version = "{read_version()}"',
                    project.read_text(),
                    flags=re.M,
                )
            )
            subprocess.run(  # noqa: S603 - our own uv
                [
                    _find_uv(),
                    "build",
                    "--quiet",
                    "--offline",
                    "--out-dir",
                    str(into.resolve()),
                    str(copy),
                ],
                check=True,
            )
    return sorted(into.glob(f"openrummy_*-{read_version()}*"))


def build_types(into: Path) -> Path:
    """Build an archive for npm with the types of the frames and of the API's objects. Raises
    CalledProcessError."""
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="openrummy-types-") as folder:
        package = Path(folder)
        shutil.copytree(ROOT / "packages/types", package, dirs_exist_ok=True)
        shutil.copy(ROOT / "LICENSE", package)
        about = json.loads((package / "package.json").read_text())
        (package / "package.json").write_text(
            json.dumps({**about, "version": read_version()}, indent=2)
        )
        objects = package / "objects.json"
        _run(
            sys.executable, "manage.py", "spectacular", "--format=openapi-json", f"--file={objects}"
        )
        schemas = json.loads(objects.read_text())["components"]["schemas"]
        text = json.dumps({"title": "Objects", "$defs": schemas})
        objects.write_text(text.replace('"#/components/schemas/', '"#/$defs/'))
        for name, source in (("protocol", ROOT / "docs/protocol.schema.json"), ("api", objects)):
            options = ("--unreachableDefinitions", "--no-additionalProperties")
            _run(str(JSON2TS), str(source), str(package / f"{name}.d.ts"), *options)
        _run("npm", "pack", "--silent", f"--pack-destination={into.resolve()}", folder)
    return into / f"openrummy-types-{read_version()}.tgz"


def _run(*command: str) -> None:
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)  # noqa: S603 - our own


def _find_uv() -> str:
    return str(Path(sys.executable).parent / "uv")


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for built in [*build(folder), *([build_types(folder)] if JSON2TS.exists() else [])]:
        sys.stdout.write(f"{built}\n")
