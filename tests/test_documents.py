"""The documents name only files, folders, tests and apps that exist, and quote the current code."""

import ast
import re
import tomllib
from itertools import pairwise

import pytest
from django.core.management import get_commands

from rehearsals.documents import FOLLOWED, read_blocks
from tests.programs import ROOT

WITH_TESTS = ("ARCHITECTURE.md", "docs/testing.md", "SECURITY.md")
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")
FOLDERS = (
    *("accounts", "bench", "bin", "config", "core", "deploy", "docs", "examples", "games"),
    *(
        "js_tests",
        "packages",
        "static",
        "history",
        "lobby",
        "players",
        "tables",
        "templates",
        "tests",
        "tools",
        "tournaments",
        "wallet",
    ),
)
DOCUMENTS = sorted(
    str(path.relative_to(ROOT))
    for path in (
        *ROOT.glob("*.md"),
        *ROOT.glob(".github/*.md"),
        *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.md")),
    )
)
PATH = re.compile(rf"(?:{'|'.join(FOLDERS)})/[\w./-]*\w/?")
PYTHON_NAME = re.compile(
    r"(?:accounts|config|core|games|tables|tournaments|wallet)(?:\.[a-z]\w+)+(?:\.\w+)*"
)
ELSEWHERE = ("https://", "http://", "mailto:", "/")  # "/" begins the address of a page of the site
FILE = re.compile(r"[a-z_-]+\.(?:py|sql|js|sh|html)")
FILES = {path.name for folder in FOLDERS for path in (ROOT / folder).rglob("*")} | {"manage.py"}
COMMAND = re.compile(r"manage\.py (\w+)")
COMMANDS = {*get_commands()}


def test_every_command_marked_for_a_shell_is_run_by_a_rehearsal():
    """Each ```sh block is in a section whose commands a rehearsal runs (rehearsals/documents.py)."""
    for document in DOCUMENTS:
        text = (ROOT / document).read_text()
        followed = [read_blocks(*section) for section in FOLLOWED if section[0] == document]
        assert text.count("```sh\n") == sum(map(len, followed)), document


def paths_in(text: str) -> set[str]:
    """Return the project's paths among the words in backquotes, without test names after `::`."""
    return {
        path
        for code in CODE.findall(text)
        for word in code.split()
        if (path := word.split("::")[0]) and PATH.fullmatch(path)
    }


def is_there(test: str) -> bool:
    path, *names = test.split("::")
    if not (ROOT / path).is_file():
        return False
    body: list[ast.stmt] = ast.parse((ROOT / path).read_text()).body
    for name in names:
        inner = [node for node in body if getattr(node, "name", None) == name]
        if not inner:
            return False
        body = getattr(inner[0], "body", [])
    return True


def find_missing(text: str) -> set[str]:
    """Return the paths and tests that the text names but that do not exist."""
    tests = {code for code in CODE.findall(text) if "::" in code and code.startswith("tests/")}
    paths = {path for path in paths_in(text) if not (ROOT / path).exists()}
    return paths | {test for test in tests if not is_there(test)}


def unknown_names_in(text: str) -> set[str]:
    """Return the dotted Python names, bare file names and commands in the text that do not exist."""
    codes = [code.removesuffix("()") for code in CODE.findall(text)]
    words = {word for code in codes for word in code.split()}
    commands = {match for code in codes for match in COMMAND.findall(code)}
    return (
        {word for word in words if PYTHON_NAME.fullmatch(word) and not is_known(word)}
        | {word for word in words if FILE.fullmatch(word) and word not in FILES}
        | commands - COMMANDS
    )


def is_known(name: str) -> bool:
    if is_module(name):
        return True
    parent, _, last = name.rpartition(".")
    return is_module(parent) and re.search(rf"\b{last}\b", source_of(parent)) is not None


def source_of(module: str) -> str:
    path = ROOT / module.replace(".", "/")
    files = path.rglob("*.py") if path.is_dir() else [path.with_suffix(".py")]
    return "".join(file.read_text() for file in files)


def is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.with_suffix(".py").is_file() or path.is_dir()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_name_in_a_document_exists(name: str) -> None:
    text = (ROOT / name).read_text()
    assert find_missing(text) == set()
    assert unknown_names_in(text) == set()
    folder = (ROOT / name).parent
    links = [link for link in LINK.findall(text) if not link.startswith(ELSEWHERE)]
    assert [link for link in links if not (folder / link).exists()] == []


@pytest.mark.parametrize("name", WITH_TESTS)
def test_documents_that_promise_tests_name_some(name: str) -> None:
    assert len([path for path in paths_in((ROOT / name).read_text()) if "test" in path]) > 5


@pytest.mark.parametrize(
    "planted",
    [
        "`tables/consumers.py`",
        "`tests/tables/live/test_nothing.py`",
        "`tests/test_documents.py::test_of_nothing`",
        "`tests/wallet/ledger/test_guards.py::TestTheOwner::test_of_nothing`",
        "`bin/test pytest tests/e2e/test_nothing.py -q`",
    ],
)
def test_a_planted_name_is_found(planted: str) -> None:
    assert find_missing(planted)


@pytest.mark.parametrize(
    "planted",
    [
        "`tables.services.play.play_move`",
        "`tables.play.move.play_nothing`",
        "`accounts.send_letters`",
        "`consumers_of_old.py`",
        "`manage.py set_entries_apart`",
    ],
)
def test_a_planted_module_task_or_command_is_found(planted: str) -> None:
    assert unknown_names_in(planted)
    assert unknown_names_in("`tables.play.move.play_move`, `manage.py partition_ledger`") == set()


def list_rooms() -> list[list[str]]:
    """Return the apps of the import contract from the top layer down. Apps of one layer share an entry."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(one["layers"] for one in contracts if one["name"] == "Apps are layered")
    return [[name.strip() for name in layer.split("|")] for layer in layers]


def test_the_picture_shows_the_rooms_of_the_import_contract() -> None:
    picture = (ROOT / "ARCHITECTURE.md").read_text().split("```mermaid")[1].split("```")[0]
    chains = [line.split(" --> ") for line in picture.split("\n") if "-->" in line]
    arrows = {
        (upper.strip(), lower.strip()) for chain in chains for upper, lower in pairwise(chain)
    }
    rooms = list_rooms()
    floor = {name: number for number, names in enumerate(rooms) for name in names}
    assert len(floor) == 10
    assert {name for arrow in arrows for name in arrow} == {*floor}
    assert [(upper, lower) for upper, lower in arrows if floor[upper] >= floor[lower]] == []
    assert len(arrows) == len(rooms)


def test_the_table_of_rooms_names_each_once() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \|", text, flags=re.MULTILINE)
    assert rows == [name for names in list_rooms() for name in names]


EXCERPT = re.compile(r"^```\w+ (\S+\.\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def list_excerpts(text: str) -> list[tuple[str, list[list[str]]]]:
    """Return the path of each quoted file with its quoted passages, which `...` separates."""
    return [
        (
            path,
            [
                run.strip("\n").splitlines()
                for run in re.split(r"^ *\.\.\.\n", code, flags=re.MULTILINE)
            ],
        )
        for path, code in EXCERPT.findall(text)
    ]


def runs_in(source: list[str], runs: list[list[str]]) -> bool:
    """Return whether the passages occur in `source` in this order, each without gaps."""
    at = 0
    lines = [line.strip() for line in source]
    for run in runs:
        wanted = [line.strip() for line in run]
        starts = range(at, len(lines) - len(wanted) + 1)
        found = next((i for i in starts if lines[i : i + len(wanted)] == wanted), None)
        if found is None:
            return False
        at = found + len(wanted)
    return True


@pytest.mark.parametrize("name", DOCUMENTS)
def test_quoted_code_is_the_code_that_runs(name: str) -> None:
    excerpts = list_excerpts((ROOT / name).read_text())
    assert [
        path for path, runs in excerpts if not runs_in((ROOT / path).read_text().splitlines(), runs)
    ] == []


def test_the_life_of_a_discard_quotes_each_station() -> None:
    excerpts = list_excerpts((ROOT / "ARCHITECTURE.md").read_text())
    assert len(excerpts) > 10
    path, runs = excerpts[0]
    changed = [[*runs[0][:-1], runs[0][-1] + ";"]]
    assert not runs_in((ROOT / path).read_text().splitlines(), changed)
    assert not runs_in((ROOT / path).read_text().splitlines(), [runs[0][:1], runs[0][:1]])
