"""Frames of a table page while pieces travel: `bin/test python -m bench.frames --game gin`.

Deals of two on the site as it is shipped, from dealing to the result, movement on, on a phone whose
processor is four times slower: bots play both players, and everything reaches the page as it does from
others. Chromium's own trace says of each frame in which something travelled whether it was shown: a
frame is dropped when the next picture comes more than 20 ms after the last one. `late` are frames in
which pieces went on while the page itself was not ready with something else. A busy machine drops
frames of any page.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # as the browser tests do

import django

django.setup()

from django.utils import timezone
from playwright.sync_api import Browser, Page, sync_playwright

from accounts.models import User
from games.registry import GAMES, get_game
from tables.models import Table, TableStatus
from tables.seating.sitting import leave_table
from tests.e2e.seated import PATIENCE, new_player, open_page, table_for
from tests.shipped import ship
from tests.tables.clock.test_supervisor import supervised
from tests.tables.driving import game_view, let_time_pass, play_for_a_player, player_at
from wallet import api as wallet

MOST_MOVES = 60
PAUSE_MS = 600  # every piece has arrived by then
MOST_DROPPED = 2
SLOWER = 4
WIDTH, HEIGHT = 390, 844

COUNT_TRAVEL = """() => {
  window.__travelled = 0;
  new MutationObserver((changes) => {
    window.__travelled += changes.flatMap(({ addedNodes }) => [...addedNodes]).length;
  }).observe(document.querySelector(".travel"), { childList: true });
}"""


def frames_of(trace: bytes) -> Counter[str]:
    """Count the frames in which pieces travelled by what became of them."""
    reports = [
        event["args"]["frame_reporter"]
        for event in json.loads(trace)["traceEvents"]
        if event["name"] == "PipelineReporter" and "frame_reporter" in event.get("args", {})
    ]
    states = [one["state"] for one in reports if one["has_compositor_animation"]]
    return Counter(state.removeprefix("STATE_").lower() for state in states)


def deal_again(page: Page, table: Table) -> None:
    """Bring the match to the end of its deal, and the page to rest."""
    rng = random.Random(0)  # noqa: S311 - no secret
    table.refresh_from_db()
    while table.status == TableStatus.PLAYING:
        if play_for_a_player(table, strength="hard", rng=rng) is None:
            break
        table.refresh_from_db()
    page.wait_for_timeout(3 * PAUSE_MS)


def play_a_deal(page: Page, table: Table, number: int) -> None:
    let_time_pass(table)  # it is dealt
    page.wait_for_timeout(3 * PAUSE_MS)
    rng = random.Random(number)  # noqa: S311 - no secret
    for _ in range(MOST_MOVES):
        table.refresh_from_db()
        if table.status != TableStatus.PLAYING:
            break
        if play_for_a_player(table, strength="hard", rng=rng) is None:
            break
        page.wait_for_timeout(PAUSE_MS)
    page.wait_for_timeout(3 * PAUSE_MS)


@contextmanager
def shipped_site() -> Iterator[str]:
    """Run the Procfile with production's settings. Yields the site's address."""
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


def measure(
    browser: Browser, address: str, players: Sequence[User], code: str, rounds: int
) -> None:
    presets = get_game(code).rules.presets
    preset = "points" if "points" in presets else next(iter(presets))
    table = table_for(players, game=code, preset=preset, name=f"Room of {code}")
    page = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}).new_page()
    open_page(page, address, table, game_view(table)["order"][0])
    page.wait_for_selector(".travel", state="attached", timeout=PATIENCE)
    page.evaluate(COUNT_TRAVEL)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    for number in range(1, rounds + 1):
        deal_again(page, table)
        browser.start_tracing(page=page, categories=["cc", "benchmark"])
        play_a_deal(page, table, number)
        seen = frames_of(browser.stop_tracing())
        shown, late = seen["presented_all"], seen["presented_partial"]
        print(
            f"{code}, deal {number}: {shown + late + seen['dropped']} frames while"
            f" {page.evaluate('window.__travelled')} pieces travelled: {seen['dropped']} dropped"
            f" (goal: at most {MOST_DROPPED}), {late} late",
            flush=True,
        )
        page.evaluate("window.__travelled = 0")
    table.refresh_from_db()
    for seat in (0, 1):
        leave_table(table_id=table.pk, user_id=player_at(table, seat).pk)
    page.context.close()


def main(arguments: list[str]) -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=1)
    options.add_argument("--game", choices=sorted(GAMES), action="append")
    given = options.parse_args(arguments)
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], check=True)
    wallet.set_starting_fees(valid_from=timezone.now())
    players = [new_player(number) for number in (1, 2)]
    with shipped_site() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium")
        )
        for code in given.game or GAMES:
            measure(browser, address, players, code, given.rounds)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
