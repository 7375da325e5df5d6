"""The order of tests: files that mostly wait are spread among those that compute."""

import re
from collections import defaultdict

import pytest

# Most of the time, their tests wait for processes, timers and sockets.
_WAITING = re.compile(
    r"tests/(config/run|core/stores|tables/clock|tables/live)/|test_(chaos|bank|workers)\.py"
)


def spread_waiting(items: list[pytest.Item]) -> None:
    """Spread the files whose tests wait among all others, which keep the processors busy meanwhile."""
    files: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        files[item.path.as_posix()].append(item)
    waiting = [tests for path, tests in files.items() if _WAITING.search(path)]
    others = [tests for path, tests in files.items() if not _WAITING.search(path)]
    between = sum(map(len, others)) / (len(waiting) + 1)
    items.clear()
    passed = 0.0
    for tests in others:
        items += tests
        passed += len(tests)
        while waiting and passed >= between:
            items += waiting.pop(0)
            passed -= between
    for tests in waiting:
        items += tests
