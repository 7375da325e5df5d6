"""Builds the libraries of this repository: `python -m packages.build FOLDER`.

The engine is `games` under a different name; the client is in `packages/client`. The types for TypeScript are
generated from the schemas by json2ts, which npm installs if it is missing.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
GAMES: Final = ROOT / "games"
JSON2TS: Final = ROOT / "node_modules/.bin/json2ts"
ENGINE: Final = "openrummy_engine"
_IMPORTED = re.compile(r"^(\s*(?:from|import) )games\b", re.MULTILINE)


def read_version() -> str:
    """Return the version of the project, which is also the version of all three packages."""
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
                    _find("uv"),
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
    """Build an archive for npm with the types of the frames and of the API's objects.

    Raises CalledProcessError.
    """
    into.mkdir(parents=True, exist_ok=True)
    if not JSON2TS.exists():
        # What package.json pins. npm comes with the requirements of the tests.
        _run(_find("npm"), "install", "--no-package-lock", "--no-audit", "--no-fund", "--silent")
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
        objects.unlink()
        references = json.dumps(schemas).replace('"#/components/schemas/', '"#/$defs/')
        frames = json.loads((ROOT / "docs/protocol.schema.json").read_text())["$defs"]
        by_game = (package / "by_game.d.ts").read_text()
        by_game = by_game.replace("/* GAMES */", _write_games(frames))
        (package / "by_game.d.ts").unlink()
        for name, schema, more in (
            ("protocol", _name_apart(frames), by_game),
            ("api", json.loads(references), ""),
        ):
            source, target = package / f"{name}.json", package / f"{name}.d.ts"
            plain = _make_plain(_complete(schema))
            source.write_text(json.dumps({"title": "Whole", "$defs": plain}))
            options = ("--unreachableDefinitions", "--no-additionalProperties")
            _run(str(JSON2TS), str(source), str(target), *options)
            target.write_text(_drop_whole(target.read_text()) + more)
            source.unlink()
        _run(_find("npm"), "pack", "--silent", f"--pack-destination={into.resolve()}", folder)
    return into / f"openrummy-types-{read_version()}.tgz"


# Definitions that hold a part of any game: `protocol.d.ts` has the types of these by game.
_OF_ANY_GAME: Final = {
    **{name: f"any{name[0].upper()}{name[1:]}" for name in ("game", "gamePart", "you", "legal")},
    **{name: f"any{name[0].upper()}{name[1:]}" for name in ("move", "draft", "question", "answer")},
    **{name: f"any{name[0].upper()}{name[1:]}" for name in ("rules", "state", "change")},
}


def _name_apart(frames: dict[str, Any]) -> dict[str, Any]:
    """Return the definitions of frames, renamed where TypeScript would give two of them the same name.

    The fields for a state and its changes refer to `State` and `Change`, which `by_game.d.ts` defines.
    """
    text = json.dumps(frames)
    for name, other in _OF_ANY_GAME.items():
        text = text.replace(f'"#/$defs/{name}"', f'"#/$defs/{other}"')
    named = {_OF_ANY_GAME.get(name, name): part for name, part in json.loads(text).items()}
    named["Snap"]["properties"]["state"] = {"tsType": "State"}
    named["Ev"]["properties"]["changes"] = {"tsType": "Change[]"}
    named["Drafted"]["properties"]["draft"] = {"tsType": "Json"}
    return {name: part for name, part in named.items() if name not in ("anyState", "anyChange")}


def _make_plain(schema: Any) -> Any:
    """Return the schema in terms that json2ts knows: `prefixItems` as `items`, and objects with any content as Json."""
    if isinstance(schema, list):
        return [_make_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:  # else what stands beside it would make a copy of the type
        return {"$ref": schema["$ref"]}
    if schema.get("type") == "object" and not schema.keys() - {"type", "description", "readOnly"}:
        return {**schema, "tsType": "{ [key: string]: Json }"}
    plain = {name: _make_plain(part) for name, part in schema.items()}
    if "prefixItems" in plain:
        plain["items"] = plain.pop("prefixItems")
    if plain.get("maxProperties") == 0:
        return {"tsType": "Record<string, never>"}
    if plain.get("type") == "object" and plain.get("additionalProperties") == {}:
        plain["additionalProperties"] = {"tsType": "Json"}
    return plain


def _complete(schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the definitions, each complete in itself.

    A definition that only requires fields of another one becomes a full copy of it, with these fields required.
    """
    completed = {}
    for name, schema in schemas.items():
        if schema.keys() == {"allOf", "required"}:
            [part] = schema["allOf"]
            of_part = schemas[part["$ref"].removeprefix("#/$defs/")]
            schema = {**of_part, "required": schema["required"]}  # noqa: PLW2901
        completed[name] = schema
    return completed


def _write_games(frames: dict[str, Any]) -> str:
    """Return the lines of the TypeScript map of games, one for each game."""
    parts = ("Move", "Draft", "Question", "Answer", "Game", "GamePart", "You", "Legal", "Rules")
    games = sorted(name.removesuffix("GamePart") for name in frames if name.endswith("GamePart"))
    lines = []
    for game in games:
        fields = []
        for part in parts:
            # json2ts has no type for a mere reference.
            referred = frames[f"{game}{part}"].get("$ref", f"/{game}{part}").rpartition("/")[2]
            name = re.sub(r"(?:^|_)([a-z])", lambda found: found[1].upper(), referred)
            fields.append(f"{part[0].lower()}{part[1:]}: {name};")
        lines.append(f"  {game}: {{ {' '.join(fields)} }};")
    return "\n".join(lines)


def _drop_whole(types: str) -> str:
    """Return the types without `Whole`, which json2ts makes for the schema itself, and with the type `Json` added."""
    types = re.sub(r"export (?:interface|type) Whole\b.*?\n\}\n", "", types, count=1, flags=re.S)
    json_type = (
        "export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };\n"
    )
    return re.sub(r"(?<!\[k: string\]: )\bunknown\b", "Json", types) + json_type


def _run(*command: str) -> None:
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)  # noqa: S603 - our own


def _find(program: str) -> str:
    """Return the path of a program that the requirements install. Raises FileNotFoundError."""
    path = Path(sys.executable).parent / program
    if not path.exists():
        raise FileNotFoundError(f"There is no {program} in {path.parent}: run bin/packages.")
    return str(path)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for built in [*build(folder), build_types(folder)]:
        sys.stdout.write(f"{built}\n")
