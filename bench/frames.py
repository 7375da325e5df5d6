"""Frames of a table page while cards travel: `bin/test python -m bench.frames`.

A deal of two on the site as it is shipped, from dealing to the chips of the winner, movement on: the
page's player draws by a key, everything else reaches the page as it does from others. Printed are the
frames that took over 20 ms, beside the same time on the same page with nothing going on (control),
because a busy machine drops frames of any page.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # as the browser tests do

import django

django.setup()

from playwright.sync_api import Page, expect, sync_playwright

from bench.first_paint import shipped_site
from tables.models import Table
from tests.e2e.seated import CARDS, PATIENCE, open_page, table_of_two
from tests.tables.driving import act, game_view, hand_of, let_time_pass

ROUNDS = 3
TURNS = 24
PAUSE_MS = 600  # every card has arrived by then
LONG_FRAME_MS = 20
MOST_LONG_FRAMES = 2

DRAW = '[data-action="draw-closed"]'

RECORD = """() => {
  window.__frames = [];
  let last = performance.now();
  const look = (now) => {
    window.__frames.push(now - last);
    last = now;
    window.__recording = requestAnimationFrame(look);
  };
  window.__recording = requestAnimationFrame((now) => { last = now; look(now); });
}"""
STOP = """() => {
  cancelAnimationFrame(window.__recording);
  return window.__frames;
}"""
COUNT_TRAVEL = """() => {
  window.__travelled = 0;
  new MutationObserver((changes) => {
    window.__travelled += changes.flatMap(({ addedNodes }) => [...addedNodes]).length;
  }).observe(document.querySelector(".travel"), { childList: true });
}"""


@dataclass(frozen=True, slots=True)
class Recording:
    frames: list[float]

    def __str__(self) -> str:
        long = [frame for frame in self.frames if frame > LONG_FRAME_MS]
        return f"{len(long)} of {len(self.frames)} over {LONG_FRAME_MS} ms, longest {max(self.frames):.0f} ms"


def recorded(page: Page, play: Callable[[], None]) -> tuple[Recording, float]:
    began = time.monotonic()
    page.evaluate(RECORD)
    play()
    return Recording(page.evaluate(STOP)), time.monotonic() - began


def end_deal(table: Table) -> None:
    seat: int = game_view(table)["turn"]
    if hand_of(table, seat)["drawn"] is not None:
        throw(table, seat)
        seat = game_view(table)["turn"]
    moved(table, seat, kind="drop")


def throw(table: Table, seat: int) -> None:
    moved(table, seat, kind="discard", card=hand_of(table, seat)["drawn"])


def moved(table: Table, seat: int, **move: Any) -> None:
    refusal = act(table, seat, **move).refusal
    if refusal is not None:
        raise RuntimeError(refusal)


def whole_deal(page: Page, table: Table, own: int) -> None:
    let_time_pass(table)  # the next match is dealt
    expect(page.locator(CARDS)).to_have_count(13, timeout=PATIENCE)
    page.wait_for_timeout(2 * PAUSE_MS)
    for _ in range(TURNS):
        seat: int = game_view(table)["turn"]
        if seat == own:
            expect(page.locator(DRAW)).to_be_enabled(timeout=PATIENCE)
            page.keyboard.press("c")
            expect(page.locator(CARDS)).to_have_count(14, timeout=PATIENCE)
        else:
            moved(table, seat, kind="draw", source="closed")
        page.wait_for_timeout(PAUSE_MS)
        throw(table, seat)
        page.wait_for_timeout(PAUSE_MS)
    end_deal(table)
    page.wait_for_timeout(2_000)


def main(arguments: list[str]) -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=ROUNDS)
    given = options.parse_args(arguments)
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], check=True)
    table = table_of_two()
    own: int = game_view(table)["turn"]
    with shipped_site() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium")
        )
        page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        open_page(page, address, table, own)
        page.wait_for_selector(".travel", state="attached", timeout=PATIENCE)
        page.evaluate(COUNT_TRAVEL)
        for number in range(1, given.rounds + 1):
            end_deal(table)
            page.wait_for_timeout(2_000)
            deal, seconds = recorded(page, partial(whole_deal, page, table, own))
            control, _ = recorded(page, partial(page.wait_for_timeout, seconds * 1000))
            let_time_pass(table)
            page.wait_for_timeout(2_000)
            pieces = page.evaluate("window.__travelled")
            print(
                f"deal {number}: {deal}; {pieces} pieces have travelled so far (goal: {MOST_LONG_FRAMES} long frames)"
            )
            print(f"control: {control}, in {seconds:.0f} s")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
