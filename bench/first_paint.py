"""How long a table page takes on a slow line, as it is shipped: `bin/test python -m bench.first_paint`.

The Procfile with production's settings serves it; Chromium slows the line to 1.6 Mbit/s and 150 ms, and
starts with an empty cache. Printed are requests until the table stands, first paint, and when seats and
own cards are there, in milliseconds since the address was opened.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")

import django

django.setup()

from django.db import connection
from playwright.sync_api import Browser, sync_playwright

from tests.e2e.seated import table_of_two
from tests.shipped import ship
from tests.tables.clock.test_supervisor import supervised
from tests.tables.driving import game_view, player_at
from tests.tables.socket_client import session_of

ROUNDS = 5
KBITS = 1_600
LATENCY_MS = 150
PAINT_GOAL_MS = 1_800
SEATS_GOAL_MS = 2_500
MOST_REQUESTS = 15
SIZES = {"desk": (1280, 800), "phone": (390, 844)}

# When a place of the page is filled for the first time.
WATCH = """
  window.__seen = {};
  const marks = {seats: "[data-region='seats'] .seat", cards: "[data-region='hand'] [data-card]"};
  const look = () => {
    for (const [name, place] of Object.entries(marks)) {
      if (!(name in window.__seen) && document.querySelector(place)) window.__seen[name] = performance.now();
    }
    if (Object.keys(window.__seen).length < 2) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
"""
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"


class Visit:
    """One opening of the page by a browser that has never been here."""

    def __init__(self, browser: Browser, address: str, table: int, cookie: str, size: str) -> None:
        width, height = SIZES[size]
        context = browser.new_context(viewport={"width": width, "height": height})
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": address}])
        page = context.new_page()
        page.add_init_script(WATCH)
        protocol = context.new_cdp_session(page)
        protocol.send("Network.enable")
        protocol.send(
            "Network.emulateNetworkConditions",
            {
                "offline": False,
                "latency": LATENCY_MS,
                "downloadThroughput": KBITS * 1000 / 8,
                "uploadThroughput": KBITS * 1000 / 8,
            },
        )
        self.requests: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(f"{address}/tables/{table}/", wait_until="commit")
        page.wait_for_function(
            "() => Object.keys(window.__seen ?? {}).length === 2", timeout=60_000
        )
        self.before_it_stands = len(self.requests)
        seen: dict[str, float] = page.evaluate("() => window.__seen")
        page.wait_for_load_state("networkidle")
        self.times = {"first paint": float(page.evaluate(PAINT)), **seen}
        context.close()


@contextmanager
def shipped_site() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        production = {
            "DJANGO_SETTINGS_MODULE": "config.settings.production",
            "SECURE_SSL_REDIRECT": "no",
            "ALLOWED_HOSTS": "127.0.0.1",
            "WEBSOCKET_ORIGINS": "127.0.0.1",
            "STATIC_ROOT": str(ship(Path(folder) / "static")),
        }
        with supervised(CLOCK_PROCESSES="0", **production) as (address, _supervisor):
            yield address


def main(arguments: list[str]) -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=ROUNDS)
    options.add_argument("--list", action="store_true", help="every address that is asked for")
    given = options.parse_args(arguments)
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], check=True)
    table = table_of_two()
    cookie = session_of(player_at(table, game_view(table)["turn"]))
    connection.close()
    with shipped_site() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium")
        )
        Visit(browser, address, table.pk, cookie, "desk")  # the server's own first time
        for size in SIZES:
            visits = [Visit(browser, address, table.pk, cookie, size) for _ in range(given.rounds)]
            print(f"{size}: {_row(visits)}")
            if given.list:
                for number, url in enumerate(visits[-1].requests, 1):
                    print(number, url.removeprefix(address))
        browser.close()


def _row(visits: list[Visit]) -> str:
    times: dict[str, list[float]] = {
        name: [v.times[name] for v in visits] for name in visits[0].times
    }
    told: list[Any] = [
        f"{name} {statistics.median(values):.0f} ms ({min(values):.0f}-{max(values):.0f})"
        for name, values in times.items()
    ]
    requests = visits[0].before_it_stands
    whole = len(visits[0].requests)
    return (
        f"{', '.join(told)}; {requests} requests before it stands, {whole} in all "
        f"(goals: paint {PAINT_GOAL_MS}, seats {SEATS_GOAL_MS}, {MOST_REQUESTS} requests)"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
