"""The libraries as users install them: built, unpacked, and used without the rest of the project."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import msgspec
import pytest
import websockets

from games.registry import GAMES
from packages.build import ROOT, build, read_version


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Build the packages. Return the folder of each unpacked wheel by its name."""
    folder = tmp_path_factory.mktemp("packages")
    files = build(folder / "dist")
    assert sorted(path.name for path in files) == sorted(
        f"openrummy_{name}-{read_version()}{end}"
        for name in ("engine", "client")
        for end in ("-py3-none-any.whl", ".tar.gz")
    )
    unpacked = {}
    for path in files:
        if path.suffix == ".whl":
            name = path.name.partition("-")[0]
            with zipfile.ZipFile(path) as wheel:
                wheel.extractall(folder / name)
            unpacked[name] = folder / name
    # The dependencies that pip would install.
    (unpacked["openrummy_engine"] / "msgspec").symlink_to(Path(msgspec.__file__).parent)
    (unpacked["openrummy_client"] / "websockets").symlink_to(Path(websockets.__file__).parent)
    return unpacked


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run code that can import only the standard library and the unpacked folder."""
    begin = f"import sys; sys.path.insert(0, {str(folder)!r})\n"
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", begin + code],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        cwd=folder,
    )


def example_of(name: str) -> str:
    text = (ROOT / "packages" / name / "README.md").read_text()
    [code] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    return str(code)


def test_the_example_of_the_engine_plays_a_match(built):
    finished = run(example_of("engine"), built["openrummy_engine"])
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.startswith("Result(")


@pytest.mark.parametrize("game", GAMES)
def test_the_engine_plays_every_game_without_other_packages(built, game):
    code = example_of("engine").replace('GAMES["indian"]', f'GAMES["{game}"]')
    code = code.replace(
        'game.rules.preset("points")', "game.rules.preset(tuple(game.rules.presets)[0])"
    )
    code += "\nassert not [name for name in sys.modules if name.partition('.')[0] in ('django', 'tables')]"
    finished = run(code, built["openrummy_engine"])
    assert finished.returncode == 0, finished.stderr


def test_the_engine_contains_every_file_of_games_and_imports_nothing_else(built):
    source = ROOT / "games"
    there = {path.relative_to(source) for path in source.rglob("*.py")} | {Path("pettingzoo.py")}
    package = built["openrummy_engine"] / "openrummy_engine"
    assert {path.relative_to(package) for path in package.rglob("*.py")} == there
    imported = "\n".join(path.read_text() for path in package.rglob("*.py"))
    assert not re.findall(
        r"^\s*(?:from|import) (?:tables|django|wallet|accounts)\b", imported, re.M
    )


def test_the_client_knows_its_version(built):
    code = "import openrummy_client\nprint(openrummy_client.__version__)"
    finished = run(code, built["openrummy_client"])
    assert (finished.stdout, finished.stderr) == (f"{read_version()}\n", "")


@pytest.mark.parametrize(("name", "needed"), [("engine", "msgspec"), ("client", "websockets")])
def test_each_has_the_projects_version_and_licence_and_needs_one_other_package(built, name, needed):
    folder = built[f"openrummy_{name}"]
    [metadata] = folder.glob("*.dist-info/METADATA")
    text = metadata.read_text()
    own = tomllib.loads((ROOT / "packages" / name / "pyproject.toml").read_text())["project"]
    assert own["version"] == read_version()
    assert f"\nVersion: {read_version()}\n" in text
    assert "\nLicense-Expression: MIT\n" in text
    assert (folder / f"openrummy_{name}/py.typed").exists()
    required = re.findall(r"^Requires-Dist: (\S+)$", text, re.M)
    assert [re.split(r"[<>=]", one)[0] for one in required] == [needed]
