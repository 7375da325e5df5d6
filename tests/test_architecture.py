"""What must stay true of the whole tree; import-linter holds the rest."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
APPS = ("config", "accounts", "wallet", "tables", "tournaments")
MAX_LINES = 400


def sources() -> list[Path]:
    return [
        path
        for app in APPS
        for path in sorted((ROOT / app).rglob("*.py"))
        if "migrations" not in path.parts
    ]


def test_every_consumer_derives_from_the_base_that_skips_the_shared_thread() -> None:
    """Of Channels' own consumers there is one heir; everything else derives from it."""
    heirs = {
        (path.name, node.name)
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
        for base in node.bases
        if ast.unparse(base).endswith(("WebsocketConsumer", "SyncConsumer", "AsyncConsumer"))
    }
    assert heirs == {("sockets.py", "GameConsumer")}


def test_consumers_leave_the_orm_to_services_and_selectors() -> None:
    code = (ROOT / "tables/consumers.py").read_text()
    assert "objects" not in code
    assert "database_sync_to_async" not in code


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_files_stay_small(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= MAX_LINES


def test_no_template_holds_inline_script_or_style() -> None:
    templates = sorted((ROOT / "templates").rglob("*.html"))
    assert len(templates) > 10
    inline = re.compile(r"\sstyle=|\son[a-z]+=|<style|<script(?![^>]*\bsrc=)[^>]*>", re.IGNORECASE)
    found = [path.name for path in templates if inline.search(path.read_text())]
    assert found == []


def test_pages_name_no_other_host() -> None:
    files = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "static").rglob("*.js")]
    foreign = re.compile(r"(?:src|href|import)\W{1,3}(?:https?:)?//", re.IGNORECASE)
    assert [path.name for path in files if foreign.search(path.read_text())] == []


def test_the_engine_asks_no_iterator_that_may_be_empty() -> None:
    """A StopIteration is swallowed by whatever iterates or waits for a thread around it."""
    bare = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources()
        if path.is_relative_to(ROOT / "tables/games") or path.parent.name == "tournaments"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in ("next", "anext")
        and len(node.args) == 1
    ]
    assert bare == []
