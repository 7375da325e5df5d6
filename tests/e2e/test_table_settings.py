"""Settings at the table: switches and previews that take effect at once, and on later pages."""

from typing import Any

from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.inspection import faults_in_both_themes, measure_box, resize
from tests.e2e.seated import DRAW_CLOSED, PATIENCE, RESULT, button

BACK = DRAW_CLOSED


def open_settings(page: Page) -> Any:
    page.locator('.bar [data-action="settings"]').click()
    dialog = page.get_by_role("dialog", name="Settings")
    expect(dialog).to_be_visible(timeout=PATIENCE)
    return dialog


def read_style(page: Page, selector: str, name: str) -> str:
    found: str = page.locator(selector).evaluate(f"part => getComputedStyle(part).{name}")
    return found


def test_a_setting_applies_at_once_and_after_a_reload(visit, playing):
    table, player, _other = playing
    with visit(player) as visitor:
        page = visitor.page
        visitor.open_table(table)
        dialog = open_settings(page)
        back, felt = (read_style(page, part, "backgroundImage") for part in (BACK, ".table__play"))
        sort, finish = ('[data-action="sort"]', '[data-action="finish"]')
        for name in ("Four colours", "Blue", "Wine red", "Fast"):
            dialog.get_by_role("radio", name=name, exact=True).first.check(force=True)
        dialog.get_by_role("switch", name="Sounds").click()
        dialog.get_by_role("switch", name="Left-handed").click()
        for _ in range(2):
            assert read_style(page, BACK, "backgroundImage") != back
            assert read_style(page, ".table__play", "backgroundImage") != felt
            left, right = (measure_box(page.locator(part)) for part in (finish, sort))
            assert left["x"] < right["x"]
            expect(page.locator("html")).to_have_attribute("data-suits", "four")
            expect(page.locator("html")).to_have_attribute("data-motion", "fast")
            visitor.open_table(table)
        # The bar shows the same, and turns it on again.
        page.get_by_role("button", name="Sound and volume").click()
        sounds = page.get_by_role("group", name="Sound and volume").get_by_role("switch")
        expect(sounds).not_to_be_checked()
        sounds.click()
        page.keyboard.press("Escape")
        dialog = open_settings(page)
        expect(dialog.get_by_role("switch", name="Sounds")).to_be_checked()
        expect(dialog.get_by_role("switch", name="Left-handed")).to_be_checked()


def test_the_settings_are_accessible(visit, playing):
    faults = []
    table, player, _other = playing
    with visit(player) as visitor:
        page = visitor.page
        visitor.open_table(table)
        for width, height in ((360, 740), (844, 390), (1280, 800)):
            resize(page, ViewportSize(width=width, height=height))
            dialog = open_settings(page)
            faults += [f"at {width}: {fault}" for fault in faults_in_both_themes(page)]
            page.keyboard.press("Escape")
            expect(dialog).to_be_hidden()
    assert not faults, "\n".join(faults)


def test_without_confirmations_one_press_drops(visit, playing):
    table, player, _other = playing
    with visit(player) as visitor:
        page = visitor.page
        visitor.open_table(table)
        dialog = open_settings(page)
        dialog.get_by_role("switch", name="Ask before I drop or finish").click()
        dialog.get_by_role("button", name="Done").click()
        button(page, "Drop").click()
        expect(page.locator(RESULT)).to_be_visible(timeout=PATIENCE)
