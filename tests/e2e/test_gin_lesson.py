"""Somebody who has never played gin: a whole first deal by what the coach says alone."""

import re
import time

import pytest
from django.conf import LazySettings
from playwright.sync_api import Browser, Page, expect

from tables.models import Match, MatchStatus, Table
from tests.e2e.inspection import axe_faults, small_targets, too_wide
from tests.e2e.test_guided_deal import HAND, NOTHING_IS_COVERED, PATIENCE, sign_in

COACH = '[data-region="coach"]'
# What the coach sees: another one when anything has happened.
SEEN = """() => [
  document.querySelector('[data-region="coach"]').dataset.advice,
  ...[...document.querySelectorAll('[data-region="hand"] [data-card]')].map((one) => one.dataset.card),
  document.querySelectorAll('[data-region="hand"] .group').length,
  document.querySelector('[data-region="notice"]').textContent,
].join()"""
CHANGED = f"(before) => ({SEEN})() !== before"


@pytest.fixture(autouse=True)
def _offered(settings: LazySettings) -> None:
    settings.GAMES_OFFERED = ["indian", "gin"]


def begin(page: Page, site: str) -> None:
    sign_in(page, site)
    page.goto(f"{site}/learn/")
    page.get_by_role("navigation", name="Games").get_by_role("link", name="Gin").click()
    page.get_by_role("button", name="Deal me in").click()
    expect(page.locator(HAND)).to_have_count(10, timeout=PATIENCE)
    expect(page.locator(COACH)).to_be_visible(timeout=PATIENCE)


def obey(page: Page) -> None:
    """Press what the coach marks: cards first, then the button, then what asks once more."""
    expect(page.locator(".card--leaving")).to_have_count(0)  # a move is on its way
    button = page.locator(".coached[data-action]").first
    until = time.monotonic() + PATIENCE / 1_000
    choose(page)
    # Cards that have just come may be marked or laid elsewhere once more: whoever plays looks again.
    while button.is_visible() and button.is_disabled() and time.monotonic() < until:
        page.wait_for_timeout(100)
        choose(page)
    if button.is_visible():
        button.click()
        confirm = page.locator('dialog[open] [data-action="confirm"]')
        if confirm.is_visible():
            confirm.click()


def choose(page: Page) -> None:
    """Press the cards that the coach marks, but for those that are pressed."""
    meant = page.locator('[data-region="hand"] .coached').evaluate_all(
        "cards => cards.map((card) => card.dataset.card)"
    )
    for card in meant:
        place = page.locator(f'[data-region="hand"] [data-card="{card}"]')
        if place.get_attribute("aria-pressed") == "false":
            place.click(position={"x": 8, "y": 20})


def test_a_deal_of_gin_by_what_the_coach_says_alone(
    page: Page, live_site: str, clock: None, hurried_bots: None
) -> None:
    begin(page, live_site)
    coach = page.locator(COACH)
    said = set()
    for _ in range(150):
        before = page.evaluate(SEEN)
        advice = before.split(",")[0]
        said.add(advice)
        if coach.get_attribute("data-over") == "true":
            break
        if advice not in {"wait", "waiting", "answered", "dead"}:
            obey(page)
        page.wait_for_function(CHANGED, arg=before, timeout=PATIENCE)
    assert coach.get_attribute("data-over") == "true", said
    expect(coach).to_have_attribute("data-advice", re.compile("^(won|lost|even)$"))
    assert page.locator('[data-goal="discard"]').get_attribute("data-done") == "true"
    table = Table.objects.get(is_lesson=True)
    assert table.game == "gin"
    assert Match.objects.get(table=table).status == MatchStatus.FINISHED


def test_the_coach_lies_over_no_card_of_gin(
    browser: Browser, live_site: str, clock: None, hurried_bots: None
) -> None:
    # axe writes styles, which the policy refuses: not in the page that is watched for that.
    page = browser.new_page(viewport={"width": 360, "height": 740})
    begin(page, live_site)
    for width, height in ((360, 740), (844, 390), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(NOTHING_IS_COVERED.replace("> 13", "> 10"), timeout=PATIENCE)
        assert too_wide(page) == []
        assert small_targets(page) == []
    assert axe_faults(page) == []
    page.close()
