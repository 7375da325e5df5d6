"""With CI set a skip that docs/testing.md does not permit fails the run (tests/skips.py)."""

import os
import re
import sys
from pathlib import Path

import pytest

from tests.given import require
from tests.programs import ROOT, run_program
from tests.skips import list_permitted, may_be_skipped

RUNS = "def test_that_runs(): ...\n"
SKIPPED = f"import pytest\n@pytest.mark.skip(reason='not here')\ndef test_skipped(): ...\n{RUNS}"
FILE_SKIPPED = f"import pytest\npytest.skip('not here', allow_module_level=True)\n{RUNS}"
HOOKS = "from tests.skips import pytest_sessionfinish, pytest_terminal_summary\n"


def environment(ci: str) -> dict[str, str]:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)}
    return {**os.environ, **alone, "CI": ci, "PATH": path}


def run_of(folder: Path, tests: str, ci: str) -> tuple[int, str]:
    (folder / "conftest.py").write_text(HOOKS)
    (folder / "test_tiny.py").write_text(tests)
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    done = run_program(*command, cwd=folder, env=environment(ci))
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("tests", "ci", "fails"),
    [
        (SKIPPED, "true", True),
        (FILE_SKIPPED, "true", True),
        (SKIPPED, "", False),
        (RUNS, "true", False),
    ],
    ids=["a test", "a file", "without CI", "nothing skipped"],
)
def test_a_skip_fails_the_run_with_ci_set(tmp_path: Path, tests: str, ci: str, fails: bool) -> None:
    code, said = run_of(tmp_path, tests, ci)
    assert ("docs/testing.md does not permit it: test_tiny.py" in said) == fails
    assert (code != 0) == fails


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_a_skipped_step_fails_the_checks(ci: str, code: int) -> None:
    checks = (ROOT / "bin/checks").read_text()
    function = require(re.search(r"^skipped\(\).*?^}$", checks, re.M | re.S))
    script = f"set -euo pipefail\n{function[0]}\nskipped JavaScript 'no Node.js'\necho went on"
    done = run_program("bash", "-c", script, env=environment(ci))
    assert done.returncode == code
    assert "SKIPPED: JavaScript: no Node.js" in done.stdout
    assert ("went on" in done.stdout) == (not ci)


def test_every_skipped_step_uses_the_one_function() -> None:
    text = "".join((ROOT / "bin" / name).read_text() for name in ("checks", "programs.sh"))
    assert text.count("SKIPPED") == 1
    assert len(re.findall(r"\bskipped \w+ \"", text)) == 3


def test_each_permitted_skip_exists_and_permits_nothing_else() -> None:
    rows = list(list_permitted())
    assert rows
    for name, words in rows:
        path = ROOT / name.partition("::")[0]
        assert path.is_file()
        assert may_be_skipped(f"{name}::test_one", f"{words} and more")
        assert not may_be_skipped(f"{name}::test_one", "something else")
        assert not may_be_skipped(f"{name}x", words)
