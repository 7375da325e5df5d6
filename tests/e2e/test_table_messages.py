"""Temporary messages at a table, which cover no seat, card or button, and can be closed."""

from playwright.sync_api import Page, ViewportSize, expect

from tables.chat import services
from tests.e2e.inspection import SIZES, SMALL_PHONE, axe_faults, resize
from tests.e2e.seated import PATIENCE, expect_cards, expect_online, sit_down, table_for
from tests.e2e.world import make_player
from tests.points_tables import open_points_table

ALL_SIZES = (*SIZES, ViewportSize(width=740, height=360))
# Returns the visible elements that something covers.
COVERS = """(selector) => {
  const over = document.querySelector(selector).getBoundingClientRect();
  if (over.width === 0) return ["it is not there"];
  const parts = document.querySelectorAll(".table :is(a, button, .seat, .pile, .card, .notice)");
  return [...parts].filter((part) => {
    const own = document.querySelector(selector).closest(".seat");
    if (part.closest(selector) || (own !== null && part.closest(".seat") === own)) return false;
    if (!part.checkVisibility({ visibilityProperty: true })) return false;
    const box = part.getBoundingClientRect();
    return box.width > 0 && box.left < over.right - 0.5 && box.right > over.left + 0.5
      && box.top < over.bottom - 0.5 && box.bottom > over.top + 0.5;
  }).map((part) => part.outerHTML.slice(0, 120));
}"""
HIT = """(selector) => {
  const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
  return document.elementFromPoint(left + width / 3, top + height / 2)?.closest(selector) !== null;
}"""


def test_a_chat_line_appears_beside_its_player_and_covers_nothing(visit, playing):
    table, player, other = playing
    covered = {}
    with visit(player) as listener, visit(other) as speaker:
        page = listener.page
        page.clock.install()
        listener.open_table(table)
        speaker.open_table(table)
        bubble = page.locator(".seat", has_text=other.player_name).locator(".seat__bubble")
        for size in ALL_SIZES:
            resize(page, size)
            speaker.page.locator('[data-phrase="good_luck"]').evaluate("button => button.click()")
            expect(bubble).to_have_text("Good luck!", timeout=PATIENCE)
            covered[size["width"]] = list_covered(page, ".seat__bubble")
            page.clock.run_for(5_000)
            expect(bubble).to_have_count(0)
    assert covered == {size["width"]: [] for size in ALL_SIZES}


def list_covered(page: Page, selector: str) -> list[str]:
    """Return the elements that a message covers, and the message itself if it intercepts clicks."""
    covered: list[str] = page.evaluate(COVERS, selector)
    return [*covered, *(["it is hit"] if page.evaluate(HIT, selector) else [])]


def throw_back(page: Page) -> None:
    """Discard the card just taken from the open pile. The table refuses this with a message."""
    page.locator('[data-region="hand"] .card--drawn').focus()
    page.keyboard.press("d")


def test_a_warning_covers_nothing_and_is_closed_or_ends_after_five_seconds(visit, playing):
    table, player, _other = playing
    covered = {}
    with visit(player) as visitor:
        page = visitor.page
        page.clock.install()
        visitor.open_table(table)
        expect(page.locator('[data-action="draw-open"]')).to_be_enabled(timeout=PATIENCE)
        page.keyboard.press("o")
        expect_cards(page, 14)
        toast = page.locator(".toast")
        for size in SIZES:
            resize(page, size)
            throw_back(page)
            expect(toast).to_contain_text("Discard another one.", timeout=PATIENCE)
            covered[size["width"]] = list_covered(page, ".toast")
            toast.get_by_role("button", name="Close").click()
            expect(toast).to_be_hidden()
        throw_back(page)
        expect(toast).to_be_visible(timeout=PATIENCE)
        page.clock.run_for(4_000)
        expect(toast).to_be_visible()
        page.clock.run_for(1_500)
        expect(toast).to_be_hidden()
    assert covered == {size["width"]: [] for size in SIZES}


def test_messages_of_the_server_have_a_separate_row(visit, playing, monkeypatch):
    monkeypatch.setattr(services, "OPEN_REPORTS_ABOUT_ONE", len(ALL_SIZES))
    table, player, _other = playing
    covered = {}
    with visit(player) as visitor:
        page = visitor.page
        page.clock.install()
        visitor.open_table(table)
        message = page.locator(".message")
        for size in ALL_SIZES:
            page.set_viewport_size(size)
            expect_cards(page, 13)
            expect(page.locator('[data-region="people"] option')).to_have_count(1, timeout=PATIENCE)
            page.locator('form[action$="/report/"]').evaluate("form => form.requestSubmit()")
            expect(message).to_have_text("Thank you. Our staff will look at it.", timeout=PATIENCE)
            expect_online(page)
            expect_cards(page, 13)
            covered[size["width"]] = list_covered(page, ".message")
            if size == SMALL_PHONE:
                covered[size["width"]] += axe_faults(page)
            page.clock.run_for(6_000)
            expect(message).to_have_count(0)
    assert covered == {size["width"]: [] for size in ALL_SIZES}


def test_an_error_stays_until_it_is_closed(visit):
    leela = make_player("Leela")
    for name in ("Sal Room", "Teak Room", "Ebony Room"):
        table_for([leela, make_player(f"Other {name[:3]}")], name)
    empty = open_points_table("Neem Room")
    with visit(leela) as visitor:
        page = visitor.page
        page.clock.install()
        visitor.open_table(empty)
        sit_down(page)
        error = page.locator(".message--error")
        expect(error).to_contain_text("Sal Room, Teak Room, Ebony Room", timeout=PATIENCE)
        for _ in range(4):
            expect_online(page)  # the page gives up a connection that takes nine seconds
            page.clock.run_for(5_000)
        expect(error).to_be_visible()
        assert page.evaluate(COVERS, ".message") == []
        assert axe_faults(page) == []
        error.get_by_role("button", name="Close").click()
        expect(error).to_have_count(0)
