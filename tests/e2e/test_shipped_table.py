"""The table page with its scripts and sheets as production ships them, each in one file."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.test_guided_deal import HAND, PATIENCE, begin, sign_in
from tests.shipped import named, ship

TYPES = {".js": "text/javascript", ".css": "text/css"}


def test_the_table_plays_as_it_is_shipped(
    page: Page, live_site: str, clock: None, hurried_bots: None, tmp_path: Path
) -> None:
    root = ship(tmp_path / "static")
    served: list[str] = []

    def serve(pattern: str, name: str) -> None:
        path = named(root, name)

        def answer(route) -> None:
            served.append(name)
            route.fulfill(body=path.read_text(), content_type=TYPES[path.suffix])

        page.route(f"**/static/{pattern}", answer)

    serve("js/table/main.js", "js/table/main.js")
    serve("js/table/coach.*.js", "js/table/coach.js")
    serve("css/table-page.css", "css/table-page.css")
    sign_in(page, live_site)
    begin(page, live_site)
    draw = page.locator('[data-action="draw-closed"]')
    expect(draw).to_be_enabled(timeout=PATIENCE)
    page.keyboard.press("c")
    expect(page.locator(HAND)).to_have_count(14, timeout=PATIENCE)
    page.get_by_role("button", name="Best", exact=True).click()
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_visible(timeout=PATIENCE)
    expect(page.locator('[data-goal="draw"]')).to_have_attribute("data-done", "true")
    assert page.locator(HAND).first.evaluate("card => getComputedStyle(card).cursor") == "grab"
    assert set(served) == {"js/table/main.js", "js/table/coach.js", "css/table-page.css"}
