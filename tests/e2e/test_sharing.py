"""Sharing a page through the device's own dialog or the clipboard."""

from playwright.sync_api import expect

from history.models import Puzzle
from history.puzzles.making import make_starting_puzzles

SHEET = """Object.defineProperty(navigator, "share", {
  value: async (what) => { document.title = `${what.title} ${what.url}`; },
});"""


def test_a_puzzle_is_shared(visit, live_site):
    make_starting_puzzles()
    path = f"/puzzles/{Puzzle.objects.earliest('pk').pk}/"
    with visit(None) as visitor:
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
