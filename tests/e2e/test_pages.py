"""The pages that anybody may open: no fault in the console, nothing wider than a phone."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, ViewportSize, expect

from tables.seating.opening import TableTerms, open_table
from wallet import services as wallet

PHONE = ViewportSize(width=360, height=740)
PATHS = (
    "/",
    "/rules/",
    "/leaderboards/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
)


@pytest.mark.parametrize("language", ["en", "hi"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_a_phone_in_both_languages_and_themes(
    page: Page, live_site: str, language: str, scheme: str
) -> None:
    wallet.set_starting_fees(valid_from=timezone.now())
    open_table(
        TableTerms(game="indian", preset="points", name="Mango Grove", max_seats=2, point_value=1)
    )
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    cookie = {"name": "django_language", "value": language, "url": live_site}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    for path in PATHS:
        page.goto(live_site + path)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("h1").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"], path


def test_a_visitor_changes_the_language_and_stays_on_the_page(page: Page, live_site: str) -> None:
    page.goto(f"{live_site}/rules/")
    page.get_by_role("button", name="हिंदी").click()
    expect(page).to_have_url(f"{live_site}/rules/")
    expect(page.locator("html")).to_have_attribute("lang", "hi")
    expect(page.locator("h1")).to_have_text("13 पत्तों की रमी कैसे खेलें")
    page.get_by_role("button", name="English").click()
    expect(page.locator("h1")).to_have_text("How to play 13-card rummy")


def test_the_numbers_of_the_help_page_are_those_of_the_rules(page: Page, live_site: str) -> None:
    page.goto(f"{live_site}/rules/")
    main = page.locator("main")
    expect(main).to_contain_text("20 points before your first draw, 40 points later")
    expect(main.get_by_role("row", name="101 points")).to_contain_text("79")
    expect(main.get_by_role("row", name="201 points")).to_contain_text("174")
