"""A first deal by what the coach says alone: whoever plays presses what is marked, and nothing else."""

import time
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page, ViewportSize
from playwright.sync_api import TimeoutError as NotInTime

from tests.e2e.inspection import small_targets, too_wide
from tests.e2e.test_nothing_overlaps import SIZES, overlaps

COACH = '[data-region="coach"]'
PATIENCE_SECONDS = 60
WHOLE_DEAL_SECONDS = 900
# One look at the page, so that what is seen together was there together. `press` is what to press
# next: the answer to a question, else a marked card, else a marked button that can be pressed.
LOOK = """() => {
  const coach = document.querySelector('[data-region="coach"]');
  const hand = document.querySelector('[data-region="hand"]');
  const cards = [...hand.querySelectorAll('[data-card]')];
  const unchosen = cards.find((card) =>
    card.matches('.coached[aria-pressed="false"]:not(.card--leaving)'));
  const isThere = (element) => element.getClientRects().length > 0 && !element.disabled;
  const asked = document.querySelector('dialog[open] [data-action="confirm"]');
  const button = [...document.querySelectorAll('.coached[data-action]')].find(isThere);
  const press = asked !== null
    ? 'dialog[open] [data-action="confirm"]'
    : unchosen !== undefined
      ? `[data-region="hand"] [data-card="${unchosen.dataset.card}"]`
      : button === undefined ? null : `.coached[data-action="${button.dataset.action}"]:not(:disabled)`;
  return {
    advice: coach.dataset.advice,
    isOver: coach.dataset.over === 'true',
    seen: [
      coach.dataset.advice,
      ...cards.map((card) => card.dataset.card),
      hand.querySelectorAll('.group').length,
      document.querySelector('[data-region="notice"]').textContent,
      document.querySelector('dialog[open]') !== null,
    ].join(),
    press,
    isCard: asked === null && unchosen !== undefined,
  };
}"""
# Cards, piles and buttons do not lie under the coach, when so many cards and piles are there.
NOTHING_IS_COVERED = """(least) => {
  const coach = document.querySelector('[data-region="coach"]').getBoundingClientRect();
  const things = [...document.querySelectorAll(
    '[data-region="hand"] [data-card], [data-pile], [data-region="actions"] button')];
  return things.length >= least && things.every((thing) => {
    const box = thing.getBoundingClientRect();
    return box.width === 0 || box.left >= coach.right || box.right <= coach.left
      || box.top >= coach.bottom || box.bottom <= coach.top;
  });
}"""
SMALL_PHONES = {
    "small phone": ViewportSize(width=360, height=740),
    "small phone, lying": ViewportSize(width=740, height=360),
    "smaller phone, lying": ViewportSize(width=667, height=375),
}
CHANGED = f"(before) => ({LOOK})().seen !== before"


def faults_beside_the_coach(page: Page, *, cards: int) -> list[str]:
    """Return what overlaps, is too wide or too small while the coach speaks; ends at the size of a desk."""
    faults: list[str] = []
    for name, size in {**SMALL_PHONES, **SIZES}.items():
        found = overlaps(page, size)
        page.wait_for_function(NOTHING_IS_COVERED, arg=cards, timeout=PATIENCE_SECONDS * 1_000)
        found += [*too_wide(page), *small_targets(page)]
        faults += [f"{name}: {fault}" for fault in found]
    return faults


def play_by_the_coach(page: Page) -> set[str]:
    """Plays until the coach says that the deal is over. Returns the keys of what it said."""
    return set(_advice(page))


def _advice(page: Page) -> Iterator[str]:
    seen = ""
    begun = until = time.monotonic()
    while True:
        look = page.evaluate(LOOK)
        yield look["advice"]
        if look["isOver"]:
            return
        if look["seen"] != seen:
            seen = look["seen"]
            until = time.monotonic() + PATIENCE_SECONDS
        assert time.monotonic() < min(until, begun + WHOLE_DEAL_SECONDS), look
        if look["press"] is None:
            page.wait_for_timeout(50)
            continue
        # The table may have changed since: whoever plays looks again.
        try:
            _press(page, look)
        except NotInTime:
            continue


def _press(page: Page, look: dict[str, Any]) -> None:
    """Presses what the look found, and after a button waits for what comes of it."""
    place = page.locator(look["press"]).first
    if look["isCard"]:
        place.click(position={"x": 8, "y": 20}, timeout=2_000)
        return
    place.click(timeout=2_000)
    page.wait_for_function(CHANGED, arg=look["seen"], timeout=3_000)
