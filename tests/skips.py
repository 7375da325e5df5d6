"""With CI set, a run fails if anything is skipped that docs/testing.md does not permit with a reason.

tests/conftest.py imports these hooks; bin/checks looks its steps up in the same table.
"""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

DOCUMENT = Path(__file__).resolve().parents[1] / "docs/testing.md"
_HEADING = "## What may be skipped"
# A row: the skipped step or test, the beginning of the skip's message, and the reason.
_ROW = re.compile(r"^\| `([^`]+)` \| `([^`]+)` \| +(\S.*?) +\|$", re.MULTILINE)


def list_permitted() -> Iterator[tuple[str, str]]:
    """Yield each permitted step, test or test file with the beginning of its skip message."""
    section = DOCUMENT.read_text().partition(_HEADING)[2].partition("\n## ")[0]
    for name, words, _why in _ROW.findall(section):
        yield name, words


def may_be_skipped(name: str, said: str) -> bool:
    """Return whether a skip with this message is permitted. `name` is a step of bin/checks or a test's node id."""
    return any(
        (name == allowed or name.startswith((f"{allowed}::", f"{allowed}[")))
        and said.startswith(words)
        for allowed, words in list_permitted()
    )


def _list_not_permitted(reporter: Any) -> list[str]:
    if not os.environ.get("CI") or reporter is None:
        return []
    skips = []
    for report in reporter.stats.get("skipped", []):
        said = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        said = said.removeprefix("Skipped: ")
        if not may_be_skipped(report.nodeid, said):
            skips.append(f"{report.nodeid}: {said}")
    return skips


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if _list_not_permitted(reporter) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for line in _list_not_permitted(terminalreporter):
        terminalreporter.write_line(
            f"SKIPPED, and docs/testing.md does not permit it: {line}", red=True
        )


if __name__ == "__main__":
    sys.exit(0 if may_be_skipped(sys.argv[1], sys.argv[2]) else 1)
