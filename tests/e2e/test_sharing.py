"""A page is passed on by the device's own sheet, or by the clipboard."""

from playwright.sync_api import Browser, expect

from tables.history.puzzles.making import make_starting_puzzles
from tables.models import Puzzle
from tests.e2e.visitor import visit_as

SHEET = """Object.defineProperty(navigator, "share", {
  value: async (what) => { document.title = `${what.title} ${what.url}`; },
});"""


def test_a_puzzle_is_shared(browser: Browser, transactional_db: None, live_site: str) -> None:
    make_starting_puzzles()
    path = f"/puzzles/{Puzzle.objects.earliest('pk').pk}/"
    with visit_as(browser, live_site, None) as visitor:
        visitor.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        visitor.page.context.add_init_script(SHEET)
        visitor.visit(path)
        copy = visitor.page.get_by_role("button", name="Copy link")
        copy.focus()
        visitor.page.keyboard.press("Enter")
        expect(visitor.page.get_by_role("button", name="Copied")).to_be_visible()
        assert visitor.page.evaluate("navigator.clipboard.readText()") == live_site + path
        visitor.page.get_by_role("button", name="Share", exact=True).press("Space")
        expect(visitor.page).to_have_title(
            f"{visitor.page.locator('h1').inner_text()} {live_site}{path}"
        )
        assert visitor.faults == []
