"""Gin in two browsers: the upcard, a knock that is confirmed, the answer to it, the result."""

import re

from playwright.sync_api import Page, expect

from tables.models import Table
from tests.e2e.inspection import SMALL_PHONE, faults_in_both_themes
from tests.e2e.seated import (
    CARDS,
    CONFIRM,
    DIALOG,
    NOTICE,
    PATIENCE,
    REASON,
    RESULT,
    SPREAD,
    TITLE,
    button,
    choose,
    draw,
    expect_cards,
    open_page,
    open_replay_at_its_end,
    table_of_two,
)
from tests.tables.driving import act, game_view, hand_of
from tests.tables.gin_deals import FIRST_HAND, OTHER_HAND, knock, lay


def lay_out() -> tuple[Table, int, int]:
    """Open a table before its first move. Return it, the seat to move first, and the dealer's."""
    table = table_of_two(game="gin")
    first, dealer = lay(table, FIRST_HAND, OTHER_HAND)
    return table, first, dealer


def play_to_knock(table: Table, first: int, dealer: int) -> None:
    """Take the upcard and play on, until the first player holds a card to knock with."""
    assert act(table, first, kind="pass").refusal is None
    assert act(table, dealer, kind="draw", source="open").refusal is None
    assert act(table, dealer, kind="discard", card="TH.0").refusal is None
    assert act(table, first, kind="draw", source="closed").refusal is None


def test_a_deal_between_two_browsers(open_seats, live_site):
    table, first, dealer = lay_out()
    page, other = open_seats(table, first, dealer)
    decide_on_the_upcard(page, other)
    draw_and_knock(page, table)
    answer(page, other)
    expect(page.locator(TITLE)).to_have_text("You win 2 points", timeout=PATIENCE)
    expect(other.locator(TITLE)).to_have_text("You lose 2 points")
    expect(other.locator(REASON)).to_have_text(re.compile(r"Player \d wins 2 points"))
    expect(other.locator(RESULT)).to_contain_text("Laid off")
    open_replay_at_its_end(page, live_site, table)
    expect(page.locator(".replay__seat .shown-group").first).to_be_visible()


def decide_on_the_upcard(page: Page, other: Page) -> None:
    expect(other.get_by_role("button", name="Take it")).to_be_hidden()
    button(page, "Pass").click()
    button(other, "Take it").click()
    expect_cards(other, 11)
    choose(other, "QD.0")
    expect(button(other, "Discard")).to_be_disabled()  # G5
    other.keyboard.press("Escape")
    choose(other, "TH.0")
    button(other, "Discard").click()
    expect_cards(other, 10)


def draw_and_knock(page: Page, table: Table) -> None:
    draw(page)
    choose(page, "3S.0")
    button(page, "Knock").click()
    dialog = page.locator(DIALOG)
    expect(dialog).to_contain_text("Deadwood 2")
    expect(dialog.locator(".shown-group")).to_have_count(5)
    dialog.locator('[data-action="cancel"]').click()
    assert game_view(table)["knock"] is None  # a single click does not knock
    button(page, "Knock").click()
    page.locator(CONFIRM).click()


def answer(page: Page, other: Page) -> None:
    expect(page.locator(NOTICE)).to_contain_text("lays down")
    expect(page.locator(f"{SPREAD} [data-laid]")).to_have_count(0)
    laid = other.locator(f"{SPREAD} [data-laid]")
    expect(laid).to_have_count(2)  # the best answer is preselected
    other.locator('[data-laid="8H.0"]').click()
    expect(laid).to_have_count(1)
    choose(other, "8H.0")
    other.locator(f'{SPREAD} [data-action="lay-off"]:enabled').click()
    expect(laid).to_have_count(2)
    button(other, "Lay down").click()
    expect(other.locator(DIALOG)).to_contain_text("Deadwood 4")
    other.locator(CONFIRM).click()


def test_a_turn_by_keys_alone(page, live_site):
    table, first, dealer = lay_out()
    assert act(table, first, kind="pass").refusal is None
    assert act(table, dealer, kind="pass").refusal is None
    open_page(page, live_site, table, first)
    page.keyboard.press("o")
    assert hand_of(table, first)["drawn"] is None  # G4
    page.keyboard.press("c")
    expect_cards(page, 11)
    page.locator(f'{CARDS}[tabindex="0"]').focus()
    page.keyboard.press("End")
    page.keyboard.press("Space")
    page.keyboard.press("k")
    expect(page.locator(DIALOG)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(DIALOG)).to_have_count(0)
    page.keyboard.press("d")
    expect_cards(page, 10)


def test_everything_can_be_pressed_and_read_on_a_phone(page, live_site):
    table, first, dealer = lay_out()
    page.set_viewport_size(SMALL_PHONE)
    open_page(page, live_site, table, first)
    faults = faults_in_both_themes(page)
    play_to_knock(table, first, dealer)
    expect(button(page, "Knock")).to_be_visible()
    faults += faults_in_both_themes(page)
    open_page(page, live_site, table, dealer)
    knock(table, first)
    expect(page.locator(f"{SPREAD} [data-laid]")).to_have_count(2)
    faults += faults_in_both_themes(page)
    button(page, "Lay down").click()
    faults += faults_in_both_themes(page)
    page.locator(CONFIRM).click()
    expect(page.locator(RESULT)).to_be_visible()
    faults += faults_in_both_themes(page)
    assert not faults, "\n".join(faults)
