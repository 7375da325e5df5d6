"""Gin in two browsers: the upcard, a knock that is confirmed, the answer to it, the result."""

import re
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, expect

from tables.models import Match, MatchStatus, Table
from tests.e2e.gin_table import button, choose
from tests.e2e.inspection import faults_in_both_themes
from tests.e2e.seated import CARDS as HELD
from tests.e2e.seated import HAND, PATIENCE, open_page, table_of_two
from tests.tables.driving import act, game_view, hand_of
from tests.tables.gin_deals import FIRST_HAND, OTHER_HAND, lay

PHONE = ViewportSize(width=360, height=740)
CONFIRM = 'dialog[open] [data-action="confirm"]'
SPREAD = '[data-region="spread"]'
RESULT = '[data-region="result"]'
REASON = '[data-region="result-reason"]'


def lay_out() -> tuple[Table, int, int]:
    """Open a table before its first move. Return it, the seat that begins, and the dealer."""
    table = table_of_two(game="gin")
    return table, *lay(table, FIRST_HAND, OTHER_HAND)


def play_to_knock(table: Table, first: int, dealer: int) -> None:
    moves: tuple[tuple[int, dict[str, Any]], ...] = (
        (first, {"kind": "pass"}),
        (dealer, {"kind": "draw", "source": "open"}),
        (dealer, {"kind": "discard", "card": "TH.0"}),
        (first, {"kind": "draw", "source": "closed"}),
    )
    for seat, move in moves:
        assert act(table, seat, **move).refusal is None


def knock(table: Table, first: int) -> None:
    melds = hand_of(table, first)["best_groups"]
    assert act(table, first, kind="knock", card="3S.0", groups=melds).refusal is None


def test_a_deal_between_two_browsers(
    page: Page, browser: Browser, live_site: str, transactional_db: None
) -> None:
    table, first, dealer = lay_out()
    beside = browser.new_context()
    other = beside.new_page()
    open_page(page, live_site, table, first)
    open_page(other, live_site, table, dealer)
    decide_on_the_upcard(page, other)
    draw_and_knock(page, table)
    answer(page, other)

    title = page.locator("#result-title")
    expect(title).to_have_text("You win 2 points", timeout=PATIENCE)
    expect(other.locator("#result-title")).to_have_text("You lose 2 points")
    expect(other.locator(REASON)).to_have_text(re.compile(r"Player \d wins 2 points"))
    expect(other.locator(RESULT)).to_contain_text("Laid off")
    match = Match.objects.get(table=table)
    assert match.status == MatchStatus.FINISHED
    page.goto(f"{live_site}/matches/{match.pk}/deals/1/")
    expect(page.locator(".replay__seat")).to_have_count(2)
    page.keyboard.press("End")
    expect(page.locator(".replay__seat .shown-group").first).to_be_visible()
    beside.close()


def decide_on_the_upcard(page: Page, other: Page) -> None:
    expect(other.get_by_role("button", name="Take it")).to_be_hidden()
    button(page, "Pass").click()
    button(other, "Take it").click()
    expect(other.locator(HELD)).to_have_count(11)
    choose(other, "QD.0")
    expect(button(other, "Discard")).to_be_disabled()  # G5
    other.keyboard.press("Escape")
    choose(other, "TH.0")
    button(other, "Discard").click()
    expect(other.locator(HELD)).to_have_count(10)


def draw_and_knock(page: Page, table: Table) -> None:
    page.locator('[data-action="draw-closed"]').click()
    expect(page.locator(HELD)).to_have_count(11)
    choose(page, "3S.0")
    button(page, "Knock").click()
    dialog = page.locator("dialog[open]")
    expect(dialog).to_contain_text("Deadwood 2")
    expect(dialog.locator(".shown-group")).to_have_count(5)
    dialog.locator('[data-action="cancel"]').click()
    assert game_view(table)["knock"] is None  # no knock by one click
    button(page, "Knock").click()
    page.locator(CONFIRM).click()


def answer(page: Page, other: Page) -> None:
    expect(page.locator('[data-region="notice"]')).to_contain_text("lays down")
    expect(page.locator(f"{SPREAD} [data-laid]")).to_have_count(0)
    laid = other.locator(f"{SPREAD} [data-laid]")
    expect(laid).to_have_count(2)  # the best answer, to begin with
    other.locator('[data-laid="8H.0"]').click()
    expect(laid).to_have_count(1)
    choose(other, "8H.0")
    other.locator(f'{SPREAD} [data-action="lay-off"]:enabled').click()
    expect(laid).to_have_count(2)
    button(other, "Lay down").click()
    expect(other.locator("dialog[open]")).to_contain_text("Deadwood 4")
    other.locator(CONFIRM).click()


def test_a_turn_by_keys_alone(page: Page, live_site: str, transactional_db: None) -> None:
    table, first, dealer = lay_out()
    assert act(table, first, kind="pass").refusal is None
    assert act(table, dealer, kind="pass").refusal is None
    open_page(page, live_site, table, first)
    page.keyboard.press("o")
    assert hand_of(table, first)["drawn"] is None  # G4
    page.keyboard.press("c")
    expect(page.locator(HELD)).to_have_count(11)
    page.locator(f'{HAND} [data-card][tabindex="0"]').focus()
    page.keyboard.press("End")
    page.keyboard.press("Space")
    page.keyboard.press("k")
    expect(page.locator("dialog[open]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.keyboard.press("d")
    expect(page.locator(HELD)).to_have_count(10)


def test_everything_can_be_pressed_and_read_on_a_phone(
    browser: Browser, live_site: str, transactional_db: None
) -> None:
    table, first, dealer = lay_out()
    # axe writes styles, which the policy refuses: not in the page that is watched for that.
    with browser.new_context(viewport=PHONE, reduced_motion="reduce") as context:
        page = context.new_page()
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
