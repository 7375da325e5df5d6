"""The language of a page, the numbers on the help page, and a header that keeps its buttons together."""

from playwright.sync_api import ViewportSize, expect

from accounts.models import User
from tests.e2e.inspection import measure_box


def test_a_visitor_changes_the_language_and_stays_on_the_page(page, live_site):
    page.goto(f"{live_site}/rules/")
    page.get_by_role("button", name="हिंदी").click()
    expect(page).to_have_url(f"{live_site}/rules/")
    expect(page.locator("html")).to_have_attribute("lang", "hi")
    expect(page.locator("h1")).to_have_text("भारतीय रमी: कैसे खेलें")
    page.get_by_role("button", name="English").click()
    expect(page.locator("h1")).to_have_text("Indian rummy: How to play")


def test_the_help_page_shows_the_numbers_of_the_rules(page, live_site):
    page.goto(f"{live_site}/rules/")
    main = page.locator("main")
    expect(main).to_contain_text("20 points before your first draw, 40 points later")
    expect(main.get_by_role("row", name="101 points")).to_contain_text("79")
    expect(main.get_by_role("row", name="201 points")).to_contain_text("174")


def test_the_buttons_of_the_leaderboards_stay_side_by_side(visit, nila, longest_texts):
    User.objects.filter(pk=nila.pk).update(language=longest_texts)
    with visit(nila, language=longest_texts) as visitor:
        for width in (320, 390):
            visitor.page.set_viewport_size(ViewportSize(width=width, height=640))
            visitor.visit("/leaderboards/")
            assert visitor.page.locator("html").get_attribute("lang") == longest_texts
            first, second = (
                measure_box(button) for button in visitor.page.locator(".page-head .button").all()
            )
            assert first["y"] == second["y"]
            assert 0 < second["x"] - first["x"] - first["width"] <= 16
