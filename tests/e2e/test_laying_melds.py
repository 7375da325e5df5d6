"""A hand arranged and declared with few presses and one question. Then the opponent submits their melds."""

import pytest
from playwright.sync_api import Page, expect

from tables.models import Table
from tests.e2e.inspection import DESK, LYING_PHONE, SMALL_PHONE
from tests.e2e.seated import (
    CONFIRM,
    DIALOG,
    PATIENCE,
    TITLE,
    button,
    choose,
    draw,
    groups_on,
    open_page,
)
from tests.tables.driving import game_view
from tests.tables.indian_deals import MELDS_AND_A_NINE, lay


@pytest.fixture(autouse=True)
def _melds_and_a_nine(table: Table, seat: int) -> None:
    lay(table, seat, MELDS_AND_A_NINE)


def test_a_hand_is_laid_in_few_presses_and_declared_with_one_confirmation(
    page, open_seats, live_site, table, seat
):
    open_page(page, live_site, table, seat)
    lay_four_melds_in_eight_presses(page)
    add_the_drawn_card(page)
    choose(page, "9S.0")
    button(page, "Declare").click()
    asked = page.locator(DIALOG)
    expect(asked).to_have_count(1)
    asked.get_by_role("button", name="Declare", exact=True).click()
    # The winner is asked nothing more.
    expect(page.locator(".table")).to_have_attribute("data-phase", "show", timeout=PATIENCE)
    declaration = game_view(table)["declaration"]
    assert (declaration["seat"], declaration["valid"]) == (seat, True)
    expect(asked).to_have_count(0)
    [other] = open_seats(table, 1 - seat)
    see_it_lie_open(other, seat)
    other.set_viewport_size(DESK)
    button(other, "Submit groups").click()
    other.locator(CONFIRM).click()
    expect(other.locator(TITLE)).to_contain_text("You lose", timeout=PATIENCE)
    assert game_view(table)["players"][str(1 - seat)]["shown"]


def lay_four_melds_in_eight_presses(page: Page) -> None:
    for face in ("3S", "4H", "7C", "QD"):
        choose(page, f"{face}.0")
        page.locator('[data-action="group"]').click()
    assert sorted(faces_on(page)) == [
        ["2S", "3S", "4S"],
        ["4H", "5H", "6H"],
        ["7S", "7C", "7D"],
        ["9S"],
        ["QD", "KD", "PJ"],
    ]
    expect(page.locator('[data-region="hand-count"]')).to_have_text("Hand 9")


def faces_on(page: Page) -> list[list[str]]:
    return [[card.split(".")[0] for card in group] for group in groups_on(page)]


def add_the_drawn_card(page: Page) -> None:
    """Draw a card that lies alone, and press the group to which the page offers to add it."""
    draw(page)
    assert ["5S"] in faces_on(page)
    offered = page.locator(".group__label--target")
    expect(offered).to_have_count(1)
    expect(offered).to_have_text("Add here")
    offered.click()
    assert ["2S", "3S", "4S", "5S"] in faces_on(page)
    expect(offered).to_have_count(0)


def see_it_lie_open(page: Page, seat: int) -> None:
    declarer = page.locator(f'.seat[data-seat="{seat}"]')
    expect(declarer.locator(".seat__laid .fan")).to_have_count(4, timeout=PATIENCE)
    expect(declarer.locator(".seat__laid .card")).to_have_count(13)
    expect(declarer.locator(".seat__fan")).to_have_count(0)
    for size in (DESK, SMALL_PHONE, LYING_PHONE):
        page.set_viewport_size(size)
        for card in declarer.locator(".seat__laid .card").all():
            expect(card).to_be_in_viewport(ratio=1)


def test_an_invalid_hand_is_shown_before_it_is_declared(page, live_site, table, seat):
    open_page(page, live_site, table, seat)
    draw(page)
    choose(page, "9S.0")
    button(page, "Declare").click()
    page.locator(DIALOG).get_by_role("button", name="Declare", exact=True).click()
    expect(page.locator('[data-action="declare"]')).to_be_enabled(timeout=PATIENCE)
    assert game_view(table)["declaration"] is None
    expect(page.locator(DIALOG)).to_have_count(0)
