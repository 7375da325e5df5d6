"""Names in the documents exist: files, folders, tests, layers."""

import ast
import re
import tomllib

import pytest
from django.core.management import get_commands

from tests.programs import ROOT

DOCUMENTS = (
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))),
)
WITH_TESTS = ("ARCHITECTURE.md", "docs/testing.md", "SECURITY.md")
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")
FOLDERS = (
    *("accounts", "bench", "bin", "config", "deploy", "docs", "examples", "games", "js_tests"),
    *(
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
PATH = re.compile(rf"(?:{'|'.join(FOLDERS)})/[\w./-]*\w/?")
PYTHON_NAME = re.compile(
    r"(?:accounts|config|core|games|tables|tournaments|wallet)(?:\.[a-z]\w+)+(?:\.\w+)*"
)
FILE = re.compile(r"[a-z_-]+\.(?:py|sql|js|sh|html)")
FILES = {path.name for folder in FOLDERS for path in (ROOT / folder).rglob("*")} | {"manage.py"}
COMMAND = re.compile(r"manage\.py (\w+)")
COMMANDS = {*get_commands()}


def paths_in(text: str) -> set[str]:
    """Paths of the tree in what is written as code, without the tests after `::`."""
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
    """Return the paths and tests that this text names and that do not exist."""
    tests = {code for code in CODE.findall(text) if "::" in code and code.startswith("tests/")}
    paths = {path for path in paths_in(text) if not (ROOT / path).exists()}
    return paths | {test for test in tests if not is_there(test)}


def unknown_names_in(text: str) -> set[str]:
    """Dotted names of modules or of what is in them, of tasks, bare file names and commands."""
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
    links = [link for link in LINK.findall(text) if "://" not in link and "mailto:" not in link]
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


def test_the_diagram_shows_the_layers_of_the_contracts() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = {
        contract["containers"][0]: [
            [name.strip() for name in layer.split("|")] for layer in contract["layers"]
        ]
        for contract in settings["tool"]["importlinter"]["contracts"]
        if "containers" in contract
    }
    picture = (ROOT / "ARCHITECTURE.md").read_text().split("```mermaid")[1].split("```")[0]
    drawn = {
        part.split("\n")[0].strip(): [
            label.split(" · ") for label in re.findall(r'\["([^"]+)"\]', part.split("  end")[0])
        ]
        for part in picture.split("subgraph ")[1:]
    }
    assert len(contracts) == 9
    assert drawn == contracts
