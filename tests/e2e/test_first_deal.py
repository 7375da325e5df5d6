"""A new visitor, from the first page to a deal won or lost."""

import re

from playwright.sync_api import Page, expect

from accounts.models import User
from tables.models import MatchStatus
from tests.e2e.seated import (
    CARDS,
    CONFIRM,
    RESULT,
    button,
    draw,
    expect_cards,
    expect_online,
    sit_down,
)
from tests.e2e.test_guest import Presses, register
from tests.given import require
from tests.points_tables import open_points_table
from tests.tables.driving import chips_of, get_match


def test_somebody_registers_and_plays_a_deal_to_its_end(  # noqa: PLR0915 - one walk
    page, live_site, clock, hurried_bots
):
    table = open_points_table("Mango Grove", bots_wanted=1)
    page.goto(live_site)
    page.get_by_role("link", name="Register", exact=True).click()
    register(page, Presses())
    expect(page.locator("header")).to_contain_text("10,000")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Play").click()
    page.get_by_role("link", name="All tables").click()
    page.get_by_role("link", name="Show all tables with a free seat").click()
    page.locator('[data-table] a:has-text("Join")').first.click()
    expect_online(page)
    play_a_turn_and_drop(page)
    result = page.locator(RESULT)
    expect(result).to_be_visible()
    match = get_match(table)
    assert match.status == MatchStatus.FINISHED
    user = User.objects.get(player_name="Nila")
    seat = next(seat for seat, player in match.players.items() if player["user"] == user.pk)
    won = require(match.settlement)["amounts"][seat]
    assert won != 0
    expect(result).to_contain_text(re.compile(rf"{abs(won)}\b"))
    replay = f"/matches/{match.pk}/deals/1/"
    expect(result.get_by_role("link", name="Replay")).to_have_attribute("href", replay)

    page.goto(f"{live_site}/tables/{table.pk}/")
    page.locator('[data-action="leave"]').first.click()
    confirm = page.locator(CONFIRM)
    if confirm.is_visible():
        confirm.click()
    expect(page).to_have_url(re.compile(r"/$"))
    page.locator("a.balance").click()
    assert chips_of(user) == 10_000 + won
    expect(page.locator("main")).to_contain_text(f"{10_000 + won:,}")


def play_a_turn_and_drop(page: Page) -> None:
    """Play one turn and drop, to end the deal soon. tests/e2e/test_guided_deal.py plays a whole deal."""
    sit_down(page)
    expect_cards(page, 13)
    draw(page)
    page.locator(CARDS).first.click(position={"x": 8, "y": 20})
    button(page, "Discard").click()
    expect_cards(page, 13)
    button(page, "Drop").click()
    page.locator(CONFIRM).click()
    expect(page.locator('[data-action="drop"]')).to_be_hidden()
