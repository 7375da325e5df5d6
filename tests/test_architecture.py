"""Architecture rules for the whole repository that import-linter does not check."""

import ast
import re
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.programs import ROOT, run_program

APPS = (
    "config", "core", "accounts", "wallet", "games", "tables", "players", "history", "lobby", "tournaments",
)  # fmt: skip
MOST_ENTRIES = dict.fromkeys(APPS, 24) | {"core": 25, "tables": 25, "wallet": 30, "games": 26}
MAY_BE_IMPORTED_BY_GAMES = {*sys.stdlib_module_names, "games", "msgspec"}


def read_sources() -> list[Path]:
    return [
        path
        for app in APPS
        for path in sorted((ROOT / app).rglob("*.py"))
        if "migrations" not in path.parts
    ]


def parse(path: Path) -> Iterator[ast.AST]:
    """Yield the syntax nodes of a file."""
    return ast.walk(ast.parse(path.read_text()))


@cache
def read_classes(path: Path) -> list[ast.ClassDef]:
    return [node for node in parse(path) if isinstance(node, ast.ClassDef)]


def list_consumers() -> set[Path]:
    """Return the files with a subclass of GameConsumer, found by the names of the base classes."""
    heirs, files = {"GameConsumer"}, set()
    counted = 0
    while counted != len(heirs):
        counted = len(heirs)
        for path in read_sources():
            for node in read_classes(path):
                if any(ast.unparse(base).split(".")[-1] in heirs for base in node.bases):
                    heirs.add(node.name)
                    files.add(path)
    return files


def test_every_consumer_derives_from_game_consumer() -> None:
    """Only GameConsumer inherits from a consumer of Channels; all others inherit from GameConsumer."""
    heirs = {
        (str(path.relative_to(ROOT)), node.name)
        for path in read_sources()
        for node in read_classes(path)
        for base in node.bases
        if ast.unparse(base).endswith(("WebsocketConsumer", "SyncConsumer", "AsyncConsumer"))
    }
    assert heirs == {("tables/live/sockets.py", "GameConsumer")}


# The managers and the methods of querysets and rows that read or change the database.
QUERIES = {
    *("objects", "_base_manager", "_default_manager", "aggregate", "annotate", "values_list"),
    *("select_related", "prefetch_related", "select_for_update", "refresh_from_db", "cursor"),
    *("bulk_create", "bulk_update", "update_or_create", "get_or_create", "save", "delete"),
}
SHORTCUTS = {"get_object_or_404", "get_list_or_404"}


def queries_in(code: str) -> list[str]:
    """Return the calls in this code that query or change the database."""
    queries = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Attribute) and node.attr in QUERIES:
            queries.append(f"{node.lineno}: .{node.attr}")
        if isinstance(node, ast.Name) and node.id in SHORTCUTS:
            queries.append(f"{node.lineno}: {node.id}")
    return queries


def list_entrances() -> list[Path]:
    """Return the entry points: modules that handle requests, frames, jobs or commands."""
    return [
        path
        for path in read_sources()
        if path.name.endswith("views.py")
        or path.name in ("tasks.py", "webhooks.py", "rest.py")
        or ("api" in path.parent.name.split("_") and path.parent.name == "api")
        or path.parent.name in ("commands", "handlers")
    ] + sorted(list_consumers())


def test_entry_points_leave_queries_to_services_and_selectors() -> None:
    queries = {str(path): queries_in(path.read_text()) for path in list_entrances()}
    assert len(queries) > 60
    assert {path: found for path, found in queries.items() if found} == {}


@pytest.mark.parametrize(
    "planted",
    [
        "cases = SupportCase.objects.filter(user=request.user)",
        "case = get_object_or_404(SupportCase, pk=case_id)",
        "waiting = tournament.entrants.filter(state=WAITING).select_related('user')",
        "request.user.save(update_fields=['language'])",
        "with connection.cursor() as cursor:\n    cursor.execute(sql)",
    ],
)
def test_a_planted_query_in_a_view_is_found(planted: str) -> None:
    view = (ROOT / "history/support/views.py").read_text()
    assert queries_in(view) == []
    assert queries_in(f"{view}\n{planted}\n")


def is_left_over(path: Path) -> bool:
    """Return whether a folder holds only compiled modules, left over from another version's checkout."""
    return path.is_dir() and all(child.name == "__pycache__" for child in path.iterdir())


def test_an_app_has_few_entries_at_its_root() -> None:
    entries = {
        app: sorted(
            path.name
            for path in (ROOT / app).iterdir()
            if path.name not in ("__pycache__", "sql") and not is_left_over(path)
        )
        for app in MOST_ENTRIES
    }
    assert {app: names for app, names in entries.items() if len(names) > MOST_ENTRIES[app]} == {}


# Packages whose names Django or gettext require.
NAMED_BY_OTHERS = {"migrations", "management", "commands", "templatetags", "formats"}


def test_every_package_says_what_it_is() -> None:
    packages = [
        path
        for path in read_sources()
        if path.name == "__init__.py" and not NAMED_BY_OTHERS.intersection(path.parts)
    ]
    assert len(packages) > 80
    assert [
        str(path.parent.relative_to(ROOT))
        for path in packages
        if not ast.get_docstring(ast.parse(path.read_text()))
    ] == []


# A file, the line added to it, and the contract that this line breaks.
BY_THE_REGISTRY = "Apps know games through the engine and the registry alone"
RULES_ALONE = "Rules of a game know neither its views nor its bots"
BY_THE_DOOR = "Other apps reach the wallet through its door"
PLANTED = [
    ("wallet/ledger/holds.py", "import tables.play.lock", "Apps are layered"),
    ("tables/play/lock.py", "import tables.live.sockets", "Inside the tables"),
    ("players/services.py", "import history.records", "Apps are layered"),
    ("history/records.py", "import lobby.selectors", "Apps are layered"),
    ("games/indian/rules/state.py", "import django", "The rummy rules are pure"),
    ("tables/play/apply.py", "import games.gin.rules.state", BY_THE_REGISTRY),
    ("games/gin/rules/moves.py", "import games.gin.bots.choose", RULES_ALONE),
    ("tournaments/store/rows.py", "import tournaments.pages.views", "Inside the tournaments"),
    # A cycle: sessions and identity checks must not know each other.
    ("accounts/models/users.py", "import accounts.identity.services", "Inside the accounts"),
    ("tables/play/finish.py", "import wallet.ledger.posting", BY_THE_DOOR),
    ("tournaments/store/fees.py", "import wallet.models", BY_THE_DOOR),
    ("wallet/new_package.py", "", "Inside the wallet"),  # no contract names this package
]


def test_planted_imports_are_found(tmp_path: Path) -> None:
    for app in APPS:
        shutil.copytree(ROOT / app, tmp_path / app, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for file, line, _broken in PLANTED:
        with (tmp_path / file).open("a") as planted:
            planted.write(f"\n{line}\n")
    lint = Path(sys.executable).with_name("lint-imports")
    said = run_program(lint, "--no-cache", cwd=tmp_path).stdout
    parts = re.split(r"^(.+)\n-+$", said.partition("Broken contracts")[2], flags=re.MULTILINE)[1:]
    found = dict(zip(map(str.strip, parts[::2]), parts[1::2], strict=True))
    for file, line, broken in PLANTED:
        module = file.removesuffix(".py").replace("/", ".")
        assert broken in found, said
        told = f"{module} -> {line.removeprefix('import ')}" if line else module.partition(".")[2]
        assert told in found[broken], (told, found[broken])


def test_games_import_only_the_standard_library_and_msgspec() -> None:
    paths = list((ROOT / "games").rglob("*.py"))
    assert len(paths) > 100
    imported = set()
    for node in (node for path in paths for node in parse(path)):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.add(node.module.partition(".")[0])
    assert "msgspec" in imported
    assert imported - MAY_BE_IMPORTED_BY_GAMES == set()


def test_no_template_holds_inline_script_or_style() -> None:
    templates = sorted((ROOT / "templates").rglob("*.html"))
    assert len(templates) > 10
    inline = re.compile(r"\sstyle=|\son[a-z]+=|<style|<script(?![^>]*\bsrc=)[^>]*>", re.IGNORECASE)
    names = [path.name for path in templates if inline.search(path.read_text())]
    assert names == []


def test_pages_name_no_other_host() -> None:
    files = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "static").rglob("*.js")]
    foreign = re.compile(r"(?:src|href|import)\W{1,3}(?:https?:)?//", re.IGNORECASE)
    assert [path.name for path in files if foreign.search(path.read_text())] == []


# Names with an underscore that belong to the documented interfaces of Python and Django.
OFFERED = {
    *("_meta", "_base_manager", "_default_manager", "_state", "_db"),  # of models and managers
    *("_save", "_open"),  # of a storage
    *("_replace", "_fields", "_asdict"),  # of named tuples
    "_exit",  # of os
}


def is_private(name: str) -> bool:
    """Return whether any part of a dotted name is private to its library."""
    return any(
        part == "internal" or (part.startswith("_") and not part.endswith("__") and part != "_")
        for part in name.split(".")
    )


def list_private_names(tree: ast.AST) -> Iterator[str]:
    """Yield the names that a file imports, and the attributes that it uses, private or not."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{one.name}" for one in node.names if node.module)
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.Attribute):
            yield f".{node.attr}"
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in {
            "getattr",
            "setattr",
            "hasattr",
        }:
            yield f".{getattr(node.args[1], 'value', '')}"


def list_own_names(tree: ast.AST) -> Iterator[str]:
    """Yield the names that a file defines or assigns."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and ast.unparse(node.value) in {"self", "cls"}
        ):
            yield node.attr


def find_private_names_of_libraries(trees: list[ast.AST]) -> set[str]:
    """Return the private names in use that none of these files defines and that are not in OFFERED."""
    own = {name for tree in trees for name in list_own_names(tree)} | OFFERED
    used = {name for tree in trees for name in list_private_names(tree) if is_private(name)}
    return {
        name
        for name in used
        if name.split(".")[0] not in APPS and name.rsplit(".", 1)[1] not in own
    }


def test_no_code_relies_on_private_names_of_libraries() -> None:
    """A library may rename its private names in a patch release."""
    programs = [
        path for folder in ("bench", "tools", "examples") for path in (ROOT / folder).rglob("*.py")
    ]
    trees: list[ast.AST] = [ast.parse(path.read_text()) for path in [*read_sources(), *programs]]
    assert find_private_names_of_libraries(trees) == set()


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("from channels_redis.utils import _wrap_close", "channels_redis.utils._wrap_close"),
        ("from allauth.core.internal import httpkit", "allauth.core.internal.httpkit"),
        ("import allauth.core.internal.httpkit", "allauth.core.internal.httpkit"),
        ("settings._wrapped = None", "._wrapped"),
        ("connections._settings", "._settings"),
        ("class Own(Theirs):\n  def run(self): return self._do_receiving()", "._do_receiving"),
        ("getattr(settings, '_wrapped')", "._wrapped"),
    ],
)
def test_a_planted_private_name_is_found(code: str, found: str) -> None:
    assert find_private_names_of_libraries([ast.parse(code)]) == {found}


def test_next_always_has_a_default_in_the_engine() -> None:
    """A generator or a thread that calls `next` can swallow its StopIteration without a trace."""
    bare = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in read_sources()
        if path.is_relative_to(ROOT / "games") or path.is_relative_to(ROOT / "tournaments")
        for node in parse(path)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in ("next", "anext")
        and len(node.args) == 1
    ]
    assert bare == []
