"""Write how long every test takes, by phase, to the file that TEST_TIMES names.

A plugin of `bin/checks` (`-p tests.times`). Columns, separated by tabs: wall seconds of set-up, call and
teardown, then processor seconds of the test's own process in all three, then the test.
"""

import os
import time
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

_PHASES = ("setup", "call", "teardown")
_began = pytest.StashKey[float]()
_seconds: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, Any, Any]:
    report: Any = yield
    now = time.process_time()
    report.processor_seconds = now - item.stash.get(_began, now)
    item.stash[_began] = now
    return report


def pytest_runtest_protocol(item: pytest.Item) -> None:
    item.stash[_began] = time.process_time()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    seconds = _seconds[report.nodeid]
    seconds[report.when] += report.duration
    seconds["processor"] += getattr(report, "processor_seconds", 0)


def pytest_sessionfinish(session: pytest.Session) -> None:
    path = os.environ.get("TEST_TIMES")
    if path and not hasattr(session.config, "workerinput"):
        Path(path).write_text(
            "".join(
                "".join(f"{of[column]:.2f}\t" for column in (*_PHASES, "processor")) + f"{test}\n"
                for test, of in _seconds.items()
            )
        )
