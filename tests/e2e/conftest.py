"""A real Chromium before the real server, with a clock ticking."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage

from tables.live.handlers import talk
from tables.play import starting, steps
from tests.live_site import ticking

# Playwright's synchronous interface runs an event loop in the test's own thread.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`CSP refused ${event.violatedDirective}: ${event.blockedURI}`);
});
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.django_db(transaction=True))
            if not CHROMIUM:
                item.add_marker(pytest.mark.skip(reason="there is no chromium on this machine"))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": ARGUMENTS}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {
        **browser_context_args,
        "locale": "en-IN",
        "timezone_id": "Asia/Kolkata",
        "reduced_motion": "reduce",
        "viewport": {"width": 1280, "height": 800},
    }


@pytest.fixture(autouse=True)
def deals_of_the_test_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser's own part in a deal would make it another one in every run."""
    monkeypatch.setattr(talk, "add_client_seed", lambda **_seed: None)


@pytest.fixture(autouse=True)
def nothing_goes_wrong_in_the_page(context: BrowserContext) -> Iterator[None]:
    """Fail on any console error, page error or violation of the content security policy."""
    faults: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error":
            faults.append(f"console: {message.text}")

    context.add_init_script(REPORT_VIOLATIONS)
    context.on("console", heard)
    context.on("weberror", lambda error: faults.append(f"page: {error.error}"))
    yield
    assert faults == []


@pytest.fixture
def hurried_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots and start timers that do not keep a test waiting."""
    monkeypatch.setattr(steps, "BOT_MOVE_PAUSE", (20, 40))
    monkeypatch.setattr(starting, "START_PAUSE", 300)


@pytest.fixture
def clock(transactional_db: None) -> Iterator[None]:
    with ticking():
        yield
