"""Somebody who has never played a game with melds on the table: a whole first deal by what the coach says."""

import re

import pytest
from django.conf import LazySettings
from playwright.sync_api import Browser, Page, expect

from tables.models import Match, MatchStatus, Table
from tests.e2e.coached import COACH, play_by_the_coach
from tests.e2e.inspection import axe_faults, small_targets, too_wide
from tests.e2e.test_guided_deal import HAND, NOTHING_IS_COVERED, PATIENCE, sign_in

GAMES = {"basic": "Basic rummy", "contract": "Contract Rummy", "five_hundred": "500 Rum"}
DEALT = {"basic": 10, "contract": 10, "five_hundred": 7}


@pytest.fixture(autouse=True)
def _offered(settings: LazySettings) -> None:
    settings.GAMES_OFFERED = ["indian", *GAMES]


def begin(page: Page, site: str, game: str) -> None:
    sign_in(page, site)
    page.goto(f"{site}/learn/")
    page.get_by_role("navigation", name="Games").get_by_role("link", name=GAMES[game]).click()
    page.get_by_role("button", name="Deal me in").click()
    expect(page.locator(HAND)).to_have_count(DEALT[game], timeout=PATIENCE)
    expect(page.locator(COACH)).to_be_visible(timeout=PATIENCE)


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_by_what_the_coach_says_alone(
    game: str, page: Page, live_site: str, clock: None, hurried_bots: None
) -> None:
    begin(page, live_site, game)
    coach = page.locator(COACH)
    play_by_the_coach(page)
    expect(coach).to_have_attribute("data-advice", re.compile("^(won|lost)$"))
    assert page.locator('[data-goal="discard"]').get_attribute("data-done") == "true"
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
    for width, height in ((360, 740), (844, 390), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            NOTHING_IS_COVERED.replace("> 13", f">= {DEALT[game]}"), timeout=PATIENCE
        )
        assert too_wide(page) == []
        assert small_targets(page) == []
    assert axe_faults(page) == []
    page.context.close()
