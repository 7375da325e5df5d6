"""Run the tests that depend on changes since the last commit: `bin/test --changed`.

A test depends on a file if it imports it, directly or through other modules. Modules that import
everything (`HUBS`) are not followed, or every test would depend on every file. Browser tests import
little of the code that they exercise, so they run only if a file in `tests/e2e` has changed. A test
depends on a file that is not a module, such as a template, if it names the file.
"""

import ast
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from config.settings.pairs import COUNT
from tests.programs import ROOT, run_program

PACKAGES = (
    *("accounts", "bench", "config", "core", "games"),
    *("history", "lobby", "packages", "players", "rehearsals", "tables", "tests"),
    *("tournaments", "wallet"),
)
# A module that imports one of these depends on every game, page or job, so imports are not followed past them.
HUBS = {
    "games.registry",
    "bench.analysed",
    "bench.colluders",
    "tests.games.test_analysis",
    "config.urls",
    "config.asgi",
    "config.celery",
    "tests.e2e.site_map",
}
BROWSER = "tests/e2e/"
# Tests that run for every game through the registry. If one game has changed, they run for that game only.
OF_EACH_GAME = (
    "tests/games/test_analysis.py",
    "tests/games/test_laws.py",
    "tests/games/test_parts.py",
    "tests/games/test_playthroughs.py",
)


def list_changed_files() -> list[str]:
    """Return the paths that were changed, added or deleted since the last commit."""
    listed = ["git", "diff", "--name-only", "HEAD"], ["git", "ls-files", "-o", "--exclude-standard"]
    told = [run_program(*command, check=True).stdout for command in listed]
    return sorted({path for paths in told for path in paths.splitlines()})


def _modules() -> dict[str, Path]:
    return {
        _name_of(path.relative_to(ROOT)): path
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    }


def _name_of(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _list_imported_names(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def list_importers(modules: dict[str, Path]) -> dict[str, set[str]]:
    """Map the name of each module to the names of the modules that import it."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, path in modules.items():
        for imported in _list_imported_names(path.read_text()):
            if imported in modules:
                found[imported].add(name)
    return found


@cache
def _graph() -> tuple[dict[str, Path], dict[str, set[str]]]:
    """Return the paths of the project's modules by name, and the importers of each module."""
    modules = _modules()
    return modules, list_importers(modules)


def list_dependents(changed: Iterable[str], by_imported: dict[str, set[str]]) -> set[str]:
    """Return the changed modules and their direct and indirect importers, without following `HUBS`."""
    found: set[str] = set()
    waiting = list(changed)
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            if module not in HUBS or module in changed:
                waiting.extend(by_imported[module])
    return found


def find_affected(paths: Iterable[str]) -> list[str]:
    """Return the test files that depend on these paths, sorted. Deleted paths are allowed."""
    modules, by_imported = _graph()
    named = {_name_of(Path(path)): path for path in paths if path.endswith(".py")}
    affected = list_dependents(named, by_imported)
    of_browser = [name for name, path in named.items() if path.startswith(BROWSER)]
    affected_in_browser = list_dependents(of_browser, by_imported)
    others = [path for path in paths if not path.endswith(".py")]
    found = []
    for name, path in modules.items():
        if not (name.startswith("tests.") and path.name.startswith("test_")):
            continue
        shown = str(path.relative_to(ROOT))
        depends = name in (affected_in_browser if shown.startswith(BROWSER) else affected)
        if depends or any(other in path.read_text() for other in others):
            found.append(shown)
    return sorted({*found, *(OF_EACH_GAME if games_of(paths) else ())})


def games_of(paths: Iterable[str]) -> list[str]:
    """Return the games to which these paths belong, or all games if a path is shared by several."""
    codes = {path.parent.name for path in (ROOT / "games").glob("*/bots")}
    named = {path.split("/")[1] for path in paths if path.startswith("games/")}
    return sorted(named if named <= codes else codes)


def main() -> int:
    changed = list_changed_files()
    tests, games = find_affected(changed), games_of(changed)
    if games:
        os.environ["TEST_GAMES"] = " ".join(games)
    if not tests:
        sys.stdout.write("openrummy: no test depends on what has changed since the last commit\n")
        return 0
    in_browser = [path for path in tests if path.startswith(BROWSER)]
    elsewhere = [path for path in tests if path not in in_browser]
    return max(_run(part) for part in (elsewhere, in_browser) if part)


def _run(paths: list[str]) -> int:
    throwaway = [sys.executable, "-m", "config.run.embedded.throwaway"]
    pytest = ["pytest", "-n", os.environ[COUNT], "--dist", "worksteal", "-q", *paths]
    return subprocess.run([*throwaway, *pytest], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
