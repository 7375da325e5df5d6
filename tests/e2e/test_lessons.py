"""Somebody who has never played a game: a whole first deal by what the coach says alone."""

import re

import pytest
from django.conf import LazySettings
from playwright.sync_api import Browser, Page, expect

from tables.models import Match, MatchStatus, Table
from tests.e2e.coached import COACH, play_by_the_coach
from tests.e2e.inspection import axe_faults, small_targets, too_wide
from tests.e2e.test_guided_deal import HAND, NOTHING_IS_COVERED, PATIENCE, sign_in

# What a game is called, how many cards or tiles are dealt, and what the coach has told to do by the end.
GAMES = {
    "basic": ("Basic rummy", 10, "discard"),
    "contract": ("Contract Rummy", 10, "discard"),
    "five_hundred": ("500 Rum", 7, "discard"),
    "gin": ("Gin", 10, "discard"),
    "rummikub": ("Rummikub", 14, "open"),
}


@pytest.fixture(autouse=True)
def _offered(settings: LazySettings) -> None:
    settings.GAMES_OFFERED = ["indian", *GAMES]


def begin(page: Page, site: str, game: str) -> None:
    name, dealt, _goal = GAMES[game]
    sign_in(page, site)
    page.goto(f"{site}/learn/")
    page.get_by_role("navigation", name="Games").get_by_role("link", name=name).click()
    page.get_by_role("button", name="Deal me in").click()
    expect(page.locator(HAND)).to_have_count(dealt, timeout=PATIENCE)
    expect(page.locator(COACH)).to_be_visible(timeout=PATIENCE)


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_by_what_the_coach_says_alone(
    game: str, page: Page, live_site: str, clock: None, hurried_bots: None
) -> None:
    begin(page, live_site, game)
    said = play_by_the_coach(page)
    assert game != "rummikub" or {"open", "lay"} <= said
    ends = "won|lost|even" if game == "gin" else "won|lost"
    expect(page.locator(COACH)).to_have_attribute("data-advice", re.compile(f"^({ends})$"))
    goal = page.locator(f'[data-goal="{GAMES[game][2]}"]')
    assert goal.get_attribute("data-done") == "true"
    table = Table.objects.get(is_lesson=True)
    assert table.game == game
    assert Match.objects.get(table=table).status == MatchStatus.FINISHED


@pytest.mark.parametrize("game", GAMES)
def test_the_coach_lies_over_no_card(
    game: str, browser: Browser, live_site: str, clock: None, hurried_bots: None
) -> None:
    # axe writes styles, which the policy refuses: not in the page that is watched for that.
    page = browser.new_context(viewport={"width": 360, "height": 740}).new_page()
    begin(page, live_site, game)
    uncovered = NOTHING_IS_COVERED.replace("> 13", f">= {GAMES[game][1]}")
    for width, height in ((360, 740), (844, 390), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(uncovered, timeout=PATIENCE)
        assert too_wide(page) == []
        assert small_targets(page) == []
    assert axe_faults(page) == []
    page.context.close()
