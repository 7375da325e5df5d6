"""Somebody who has never played: from the lobby through a whole first deal with the coach."""

import re

from playwright.sync_api import Page, expect

from accounts.models import User
from tables.learning.lessons import has_played
from tables.models import Match, MatchStatus, Table
from tests.e2e.coached import faults_beside_the_coach
from tests.e2e.test_first_deal import play_until_the_deal_is_over
from tests.tables.socket_client import session_of
from wallet import api as wallet

HAND = '[data-region="hand"] [data-card]'
PATIENCE = 30_000


def sign_in(page: Page, site: str) -> User:
    user = User.objects.create_user("nila@example.com", None, player_name="Nila")
    wallet.grant_welcome_chips(user_id=user.pk)
    page.context.add_cookies([{"name": "sessionid", "value": session_of(user), "url": site}])
    return user


def begin(page: Page, site: str) -> None:
    page.goto(site)
    page.get_by_role("link", name="Learn in one deal").click()
    page.locator("main").get_by_role("button", name="Deal me in").click()
    expect(page.locator('[data-region="coach"]')).to_be_visible(timeout=PATIENCE)
    expect(page.locator(HAND)).to_have_count(13, timeout=PATIENCE)


def goal(page: Page, name: str) -> str:
    return page.locator(f'[data-goal="{name}"]').get_attribute("data-done") or ""


def test_the_coach_covers_nothing_and_a_first_deal_is_played_to_its_end(
    page: Page, live_site: str, clock: None, hurried_bots: None
) -> None:
    user = sign_in(page, live_site)
    begin(page, live_site)
    assert faults_beside_the_coach(page, cards=14) == []
    coach = page.locator('[data-region="coach"]')
    expect(coach).to_have_attribute("data-advice", re.compile("^draw"), timeout=PATIENCE)
    assert goal(page, "draw") == "false"
    page.keyboard.press("c")
    expect(page.locator(HAND)).to_have_count(14)
    expect(page.locator('[data-goal="draw"]')).to_have_attribute("data-done", "true")
    expect(coach).to_have_attribute("data-advice", re.compile("^(discard|pure_there|finish)$"))
    assert page.locator(".coached").count() > 0

    hide = coach.get_by_role("button", name="Hide")
    hide.click()
    expect(coach.locator('[data-part="advice"]')).to_be_hidden()
    expect(page.locator(".coached")).to_have_count(0)
    coach.get_by_role("button", name="Coach").click()
    expect(coach.locator('[data-part="advice"]')).to_be_visible()

    table = Table.objects.get(is_lesson=True)
    play_until_the_deal_is_over(page, table)
    expect(coach).to_have_attribute(
        "data-advice", re.compile("^(won|lost|dropped)$"), timeout=PATIENCE
    )
    assert goal(page, "discard") == "true"
    assert Match.objects.get(table=table).status == MatchStatus.FINISHED
    assert has_played(user.pk)

    coach.get_by_role("button", name="Choose a table").click()
    expect(page).to_have_url(re.compile(r"/$"))
    expect(page.get_by_role("link", name="Learn in one deal")).to_have_count(0)
    page.goto(f"{live_site}/tables/{table.pk}/")
    expect(page.locator("body")).to_have_attribute("data-net", "online", timeout=PATIENCE)
    expect(coach).to_have_count(0)
