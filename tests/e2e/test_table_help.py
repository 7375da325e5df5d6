"""Help with the player's own hand on the page: arranged in one press, and judged before it is declared."""

import re

from playwright.sync_api import Page, expect

from tables.models import Table
from tests.e2e.seated import (
    CARDS,
    PATIENCE,
    button,
    draw_for,
    expect_cards,
    groups_on,
    open_page,
    table_of_two,
    wait_until_saved,
)
from tests.tables.driving import game_view


def open_table_with_help(page: Page, site: str, *, helps: bool) -> tuple[Table, int]:
    """Draw a card for the current player and open their page. `helps` says whether the table offers help."""
    table = table_of_two(offers_arrangement=helps, offers_verdict=helps)
    seat = draw_for(table)
    open_page(page, site, table, seat)
    return table, seat


def test_the_table_judges_and_arranges_a_hand_and_lists_its_keys(page, live_site):
    table, seat = open_table_with_help(page, live_site, helps=True)
    list_every_shortcut(page)
    judge_before_the_declaration(page, table, seat)
    mine = groups_on(page)
    button(page, "Best").click()
    undo = button(page, "Undo")
    expect(undo).to_be_visible(timeout=PATIENCE)
    best = groups_on(page)
    assert best != mine
    assert len(best[-1]) == 1, "the card to discard lies by itself"
    wait_until_saved(table, seat, page, best)

    undo.click()
    expect(button(page, "Best")).to_be_visible()
    assert groups_on(page) == mine
    wait_until_saved(table, seat, page, mine)

    page.keyboard.press("b")
    expect(undo).to_be_visible(timeout=PATIENCE)
    wait_until_saved(table, seat, page, best)
    page.reload()
    expect_cards(page, 14)
    assert groups_on(page) == best


def judge_before_the_declaration(page: Page, table: Table, seat: int) -> None:
    last = page.locator(CARDS).last
    last.click(position={"x": 8, "y": 20})
    button(page, "Declare").click()
    dialog = page.locator('[data-dialog="confirm"]')
    verdict = dialog.locator('[data-part="verdict"]')
    expect(verdict).to_have_attribute("data-tone", "bad", timeout=PATIENCE)
    expect(verdict).to_contain_text(re.compile(r"^Group \d: .+ costs 80 points \(80 chips\)"))
    expect(dialog.locator(".shown-group--failed")).to_have_count(1)
    dialog.get_by_role("button", name="Cancel").click()
    assert game_view(table)["finish"] is None
    assert game_view(table)["turn"] == seat
    page.keyboard.press("Escape")


def list_every_shortcut(page: Page) -> None:
    page.keyboard.press("?")
    sheet = page.locator('[data-dialog="keys"]')
    expect(sheet).to_be_visible()
    for key in "CODFGSBUR":
        expect(sheet.locator("kbd", has_text=re.compile(f"^{key}$"))).to_have_count(1)
    sheet.get_by_role("button", name="Done").click()
    expect(sheet).to_be_hidden()


def test_without_help_the_page_asks_before_declaring_with_the_points_at_stake(page, live_site):
    table, _seat = open_table_with_help(page, live_site, helps=False)
    expect(page.locator('[data-action="best"]')).to_be_hidden()
    before = groups_on(page)
    page.keyboard.press("b")
    page.locator(CARDS).last.click(position={"x": 8, "y": 20})
    button(page, "Declare").click()
    verdict = page.locator('[data-dialog="confirm"] [data-part="verdict"]')
    expect(verdict).to_have_text("A wrong declaration costs 80 points (80 chips).")
    expect(verdict).to_have_attribute("data-tone", "open")
    page.keyboard.press("Escape")
    assert groups_on(page) == before
    assert game_view(table)["finish"] is None
