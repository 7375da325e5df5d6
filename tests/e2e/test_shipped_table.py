"""The table page as production ships it: all scripts in one file, and all style sheets in another."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from tests.config.assets.test_static import MOST_OF_A_TABLE
from tests.e2e.seated import open_page
from tests.e2e.test_stability import AFTER_SOME_FRAMES, MOST_SHIFT, WATCH_SHIFTS
from tests.shipped import ESBUILD, needs_esbuild, ship
from tests.tables.clock.test_supervisor import run_procfile

pytestmark = needs_esbuild

# Files that load after the table is shown: effects, sounds, and the panels beside the table.
LOADED_AFTERWARDS = {
    "effects": ("/static/js/table/effects/", 6_000),
    "panels": ("/static/js/table/panels/", 9_000),
    "their sheet": ("/static/css/table-panels.", 3_500),
}
# Modules that a table's script imports.
PARTS = ("js/games/indian/game.js", "js/lib/dom.js", "js/table/shell.js")
# Including the page itself, pictures, and files that load afterwards.
MOST_REQUESTS = 15


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ship(tmp_path_factory.mktemp("shipped") / "static", esbuild=ESBUILD)


def test_browser_tests_play_with_bundled_scripts(page, live_site, table, seat):
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(urlsplit(request.url).path))
    open_page(page, live_site, table, seat)
    scripts = {path for path in loaded if path.startswith("/static/js/")}
    assert "/static/js/games/indian/main.js" in scripts
    assert scripts & {f"/static/{name}" for name in PARTS} == set()


class Transfers:
    """A page's transfers, as the browser's debugging protocol reports them."""

    def __init__(self, page: Page) -> None:
        self.answers: dict[str, tuple[str, str, dict[str, str]]] = {}
        self.bytes: dict[str, int] = {}
        protocol = page.context.new_cdp_session(page)
        protocol.on("Network.responseReceived", self._note_start)
        protocol.on("Network.loadingFinished", self._note_end)
        protocol.send("Network.enable")

    def _note_start(self, event: dict[str, Any]) -> None:
        response = event["response"]
        headers = {name.lower(): value for name, value in response["headers"].items()}
        path = urlsplit(response["url"]).path
        self.answers[event["requestId"]] = (event["type"], path, headers)

    def _note_end(self, event: dict[str, Any]) -> None:
        self.bytes[event["requestId"]] = int(event["encodedDataLength"])

    def scripts_and_sheets(self) -> dict[str, int]:
        """Return the transferred bytes by path: compressed, and including the response headers."""
        found = {
            path: self.bytes[request]
            for request, (kind, path, _headers) in self.answers.items()
            if kind in {"Script", "Stylesheet"}
        }
        assert all(path.startswith("/static/") for path in found), found
        return found

    def find_packing(self, name: str) -> str:
        return next(
            headers.get("content-encoding", "none")
            for _kind, path, headers in self.answers.values()
            if path.startswith(f"/static/{name}.")
        )


def test_the_table_loads_little_and_does_not_jump(page, table, seat, root, capsys):
    page.context.add_init_script(WATCH_SHIFTS)
    transfers = Transfers(page)
    production = {
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "SECURE_SSL_REDIRECT": "no",
        "ALLOWED_HOSTS": "127.0.0.1",
        "WEBSOCKET_ORIGINS": "127.0.0.1",
        "STATIC_ROOT": str(root),
    }
    with run_procfile(CLOCK_PROCESSES="0", **production) as (address, _supervisor):
        open_page(page, address, table, seat)
        page.wait_for_load_state("networkidle")
        shifts: list[dict[str, Any]] = page.evaluate(AFTER_SOME_FRAMES)
    found = transfers.scripts_and_sheets()
    later = {
        name: sum(size for path, size in found.items() if path.startswith(beginning))
        for name, (beginning, _most) in LOADED_AFTERWARDS.items()
    }
    total = sum(found.values()) - sum(later.values())
    shift = sum(one["value"] for one in shifts)
    requests = len(transfers.answers)
    figures = (
        f"{total} bytes of scripts and sheets, {requests} requests, shift {shift:.4f}; "
        f"afterwards {later}"
    )
    with capsys.disabled():
        # The measured figures that the limits above are about.
        print(f"\ntable page: {figures}")  # noqa: T201 - shown in every run
    assert transfers.find_packing("js/games/indian/main") == "gzip"
    assert transfers.find_packing("css/table-page") == "gzip"
    assert total <= MOST_OF_A_TABLE, found
    assert 0 < requests <= MOST_REQUESTS, transfers.answers
    for name, (_beginning, most) in LOADED_AFTERWARDS.items():
        assert 0 < later[name] <= most, later
    assert shift < MOST_SHIFT, shifts
