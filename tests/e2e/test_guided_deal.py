"""A beginner, from the lobby through a whole first deal with the coach."""

import re

from playwright.sync_api import Page, expect

from accounts.models import User
from tables.learning.lessons import has_played
from tables.models import MatchStatus, Table
from tests.e2e.coached import COACH, faults_beside_the_coach, play_by_the_coach
from tests.e2e.seated import PATIENCE, expect_cards, expect_online
from tests.e2e.world import sign_in
from tests.tables.driving import get_match


def begin(page: Page, site: str, user: User) -> None:
    sign_in(page.context, site, user)
    page.goto(site)
    page.get_by_role("link", name="Learn in one deal").click()
    page.locator("main").get_by_role("button", name="Deal me in").click()
    expect(page.locator(COACH)).to_be_visible(timeout=PATIENCE)
    expect_cards(page, 13)


def test_the_coach_covers_nothing_and_a_first_deal_is_played_to_its_end(
    page, live_site, nila, clock, hurried_bots
):
    begin(page, live_site, nila)
    assert faults_beside_the_coach(page, cards=14) == []
    coach, drawn = page.locator(COACH), page.locator('[data-goal="draw"]')
    expect(coach).to_have_attribute("data-advice", re.compile("^draw"), timeout=PATIENCE)
    expect(drawn).to_have_attribute("data-done", "false")
    page.keyboard.press("c")
    expect_cards(page, 14)
    expect(drawn).to_have_attribute("data-done", "true")
    expect(coach).to_have_attribute("data-advice", re.compile("^(discard|pure_there|finish)$"))
    assert page.locator(".coached").count() > 0

    coach.get_by_role("button", name="Hide").click()
    expect(coach.locator('[data-part="advice"]')).to_be_hidden()
    expect(page.locator(".coached")).to_have_count(0)
    coach.get_by_role("button", name="Coach").click()
    expect(coach.locator('[data-part="advice"]')).to_be_visible()

    play_by_the_coach(page)
    expect(coach).to_have_attribute("data-advice", re.compile("^(won|lost|dropped)$"))
    expect(page.locator('[data-goal="discard"]')).to_have_attribute("data-done", "true")
    table = Table.objects.get(is_lesson=True)
    assert get_match(table).status == MatchStatus.FINISHED
    assert has_played(nila.pk)

    coach.get_by_role("button", name="Choose a table").click()
    expect(page).to_have_url(re.compile(r"/$"))
    expect(page.get_by_role("link", name="Learn in one deal")).to_have_count(0)
    page.goto(f"{live_site}/tables/{table.pk}/")
    expect_online(page)
    expect(coach).to_have_count(0)
