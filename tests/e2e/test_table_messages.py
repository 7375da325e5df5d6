"""Passing messages at a table cover no seat, card or button, and can be closed."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tables.chat import services
from tests.e2e.inspection import axe_faults, resize
from tests.e2e.seated import PATIENCE
from tests.e2e.test_own_tables import open_named_table, scene
from tests.e2e.visitor import visit_as
from tests.e2e.world import make_player

SIZES = [
    ViewportSize(width=width, height=height)
    for width, height in ((360, 740), (390, 844), (844, 390), (740, 360), (1280, 800))
]
# What something lies over that is to be seen or pressed.
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


__all__ = ["scene"]


def expect_online(page: Page) -> None:
    expect(page.locator("body")).to_have_attribute("data-net", "online", timeout=PATIENCE)
    expect(page.locator('[data-region="hand"] [data-card]')).to_have_count(13)


def test_a_chat_line_appears_beside_its_player_and_covers_nothing(
    browser: Browser, scene: Any
) -> None:
    site, table, player, other = scene
    covered = {}
    with visit_as(browser, site, player) as listener, visit_as(browser, site, other) as speaker:
        page = listener.page
        page.clock.install()
        listener.visit(f"/tables/{table.pk}/")
        speaker.visit(f"/tables/{table.pk}/")
        expect_online(page)
        expect_online(speaker.page)
        bubble = page.locator(".seat", has_text=other.player_name).locator(".seat__bubble")
        for size in SIZES:
            resize(page, size)
            speaker.page.locator('[data-phrase="good_luck"]').evaluate("button => button.click()")
            expect(bubble).to_have_text("Good luck!", timeout=PATIENCE)
            covered[size["width"]] = list_covered(page, ".seat__bubble")
            page.clock.run_for(5_000)
            expect(bubble).to_have_count(0)
        assert listener.faults == []
    assert covered == {size["width"]: [] for size in SIZES}


def list_covered(page: Page, selector: str) -> list[str]:
    """Return what lies below a message, and the message itself if it takes presses."""
    covered: list[str] = page.evaluate(COVERS, selector)
    return [*covered, *(["it is hit"] if page.evaluate(HIT, selector) else [])]


def take_from_the_open_pile(page: Page) -> None:
    expect(page.locator('[data-action="draw-open"]')).to_be_enabled(timeout=PATIENCE)
    page.keyboard.press("o")
    expect(page.locator('[data-region="hand"] [data-card]')).to_have_count(14, timeout=PATIENCE)


def throw_back(page: Page) -> None:
    """The table refuses the card just taken from the open pile with a word."""
    page.locator('[data-region="hand"] .card--drawn').focus()
    page.keyboard.press("d")


def test_a_warning_covers_nothing_and_is_closed_or_ends_after_five_seconds(
    browser: Browser, scene: Any
) -> None:
    site, table, player, _other = scene
    covered = {}
    with visit_as(browser, site, player) as visitor:
        page = visitor.page
        page.clock.install()
        visitor.visit(f"/tables/{table.pk}/")
        expect_online(page)
        take_from_the_open_pile(page)
        toast = page.locator(".toast")
        sizes = [size for size in SIZES if size["width"] != 740]
        for size in sizes:
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
    assert covered == {size["width"]: [] for size in sizes}


def test_messages_of_the_server_have_a_separate_row(
    browser: Browser, scene: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "OPEN_REPORTS_ABOUT_ONE", len(SIZES))
    site, table, player, _other = scene
    covered = {}
    with visit_as(browser, site, player) as visitor:
        page = visitor.page
        page.clock.install()
        visitor.visit(f"/tables/{table.pk}/")
        message = page.locator(".message")
        for size in SIZES:
            page.set_viewport_size(size)
            expect_online(page)
            expect(page.locator('[data-region="people"] option')).to_have_count(1, timeout=PATIENCE)
            page.locator('form[action$="/report/"]').evaluate("form => form.requestSubmit()")
            expect(message).to_have_text("Thank you. Our staff will look at it.", timeout=PATIENCE)
            expect_online(page)
            covered[size["width"]] = list_covered(page, ".message")
            if size == SIZES[0]:
                covered[size["width"]] += axe_faults(page)
            page.clock.run_for(6_000)
            expect(message).to_have_count(0)
    assert covered == {size["width"]: [] for size in SIZES}


def test_an_error_stays_until_it_is_closed(browser: Browser, scene: Any) -> None:
    site, table, _player, _other = scene
    leela = make_player("Leela")
    for name in ("Sal Room", "Teak Room", "Ebony Room"):
        open_named_table(name, leela, make_player(f"Other {name[:3]}"))
    empty = open_named_table("Neem Room")
    with visit_as(browser, site, leela) as visitor:
        page = visitor.page
        page.clock.install()
        visitor.visit(f"/tables/{empty.pk}/")
        expect(page.locator("body")).to_have_attribute("data-net", "online", timeout=PATIENCE)
        page.get_by_role("button", name="Sit here").first.click()
        page.locator('[data-dialog="sit"] [data-action="confirm"]').click()
        error = page.locator(".message--error")
        expect(error).to_contain_text("Sal Room, Teak Room, Ebony Room", timeout=PATIENCE)
        page.clock.run_for(20_000)
        expect(error).to_be_visible()
        assert page.evaluate(COVERS, ".message") == []
        assert axe_faults(page) == []
        error.get_by_role("button", name="Close").click()
        expect(error).to_have_count(0)
        assert table.pk != empty.pk
