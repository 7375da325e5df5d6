"""Somebody who has never played Rummikub: a whole first deal by what the coach says alone."""

import re

import pytest
from django.conf import LazySettings
from playwright.sync_api import Browser, Page, expect

from tables.models import Match, MatchStatus, Table
from tests.e2e.coached import COACH, play_by_the_coach
from tests.e2e.inspection import axe_faults, small_targets, too_wide
from tests.e2e.test_guided_deal import HAND, PATIENCE, sign_in

NOTHING_IS_COVERED = """() => {
  const coach = document.querySelector('[data-region="coach"]').getBoundingClientRect();
  const things = [...document.querySelectorAll(
    '[data-region="hand"] [data-card], [data-region="actions"] button')];
  return things.length > 14 && things.every((thing) => {
    const box = thing.getBoundingClientRect();
    return box.width === 0 || box.left >= coach.right || box.right <= coach.left
      || box.top >= coach.bottom || box.bottom <= coach.top;
  });
}"""


@pytest.fixture(autouse=True)
def _offered(settings: LazySettings) -> None:
    settings.GAMES_OFFERED = ["indian", "rummikub"]


def begin(page: Page, site: str) -> None:
    sign_in(page, site)
    page.goto(f"{site}/learn/")
    page.get_by_role("navigation", name="Games").get_by_role("link", name="Rummikub").click()
    page.get_by_role("button", name="Deal me in").click()
    expect(page.locator(HAND)).to_have_count(14, timeout=PATIENCE)
    expect(page.locator(COACH)).to_be_visible(timeout=PATIENCE)


def test_a_deal_of_rummikub_by_what_the_coach_says_alone(
    page: Page, live_site: str, clock: None, hurried_bots: None
) -> None:
    begin(page, live_site)
    coach = page.locator(COACH)
    said = play_by_the_coach(page)
    expect(coach).to_have_attribute("data-advice", re.compile("^(won|lost)$"))
    assert {"open", "lay"} <= said
    assert page.locator('[data-goal="open"]').get_attribute("data-done") == "true"
    table = Table.objects.get(is_lesson=True)
    assert table.game == "rummikub"
    assert Match.objects.get(table=table).status == MatchStatus.FINISHED


def test_the_coach_lies_over_no_tile(
    browser: Browser, live_site: str, clock: None, hurried_bots: None
) -> None:
    # axe writes styles, which the policy refuses: not in the page that is watched for that.
    page = browser.new_context(viewport={"width": 360, "height": 740}).new_page()
    begin(page, live_site)
    for width, height in ((360, 740), (844, 390), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(NOTHING_IS_COVERED, timeout=PATIENCE)
        assert too_wide(page) == []
        assert small_targets(page) == []
    assert axe_faults(page) == []
    page.context.close()
