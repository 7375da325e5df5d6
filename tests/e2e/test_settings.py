"""Settings, saved as they are chosen, in tabs that are links, with and without JavaScript."""

import pytest
from playwright.sync_api import expect

from accounts.models import AbsenceNotice, PageShownTo, User
from players.models import PlayerAchievement
from tests.e2e.inspection import SIZES, axe_faults, small_targets, too_wide
from tests.e2e.visitor import WINDOW
from tests.e2e.world import make_player, sign_in
from tests.given import reload
from tests.workers import wait_until


@pytest.fixture
def nila() -> User:
    return make_player("Nila")


def test_a_choice_is_saved_as_it_is_made(visit, nila):
    with visit(nila) as visitor:
        page = visitor.page
        visitor.visit("/accounts/settings/")
        tabs = page.get_by_role("navigation", name="Settings")
        tabs.get_by_role("link", name="Privacy").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Privacy")
        shown = page.get_by_label("Ratings, matches, achievements and clubs")
        field = page.locator(".field", has=shown)
        shown.select_option("friends")
        expect(field.get_by_role("status")).to_have_text("Saved")
        assert reload(nila).page_shown_to == PageShownTo.FRIENDS
        expect(page.get_by_role("button", name="Save")).to_have_count(0)
        assert axe_faults(page) == []
        tabs.get_by_role("link", name="Notifications").click()
        page.get_by_label("When I am away from my table").select_option("none")
        expect(page.get_by_text("Saved")).to_be_visible()
        assert reload(nila).absence_notice == AbsenceNotice.NONE
        for size in SIZES:
            page.set_viewport_size(size)
            assert [*too_wide(page), *small_targets(page)] == [], size


def test_a_choice_that_is_not_saved_says_so_at_its_field(visit, nila):
    row = PlayerAchievement.objects.create(user=nila, code="matches", count=2_000, tier=4)
    with visit(nila) as visitor:
        page = visitor.page
        visitor.visit("/accounts/settings/look/")
        row.delete()
        page.get_by_label("Mandala", exact=True).check()
        form = page.locator("form", has_text="Backs of the cards")
        expect(form.get_by_role("alert")).to_have_text(
            "You have not unlocked this yet: reach its level or achievement first."
        )
        assert reload(nila).preferences == {}
        page.context.set_offline(True)
        suits = page.get_by_label("Suits")
        suits.select_option("four")
        field = page.locator(".field", has=suits)
        expect(field.get_by_role("alert")).to_contain_text("Not saved: there is no connection.")
        expect(suits).to_have_attribute("aria-invalid", "true")
        assert axe_faults(page) == []
        page.context.set_offline(False)
        suits.select_option("clear")
        expect(field.get_by_role("status")).to_have_text("Saved")
        expect(field.get_by_role("alert")).to_be_empty()
        assert reload(nila).preferences["suits"] == "clear"
        visitor.faults.clear()  # from the choices that were not saved


# Makes a choice while the page is still loading, before its scripts run.
CHOOSE_EARLY = """new MutationObserver((_changes, observer) => {
  const field = document.querySelector('select[name="shown_to"]');
  if (field === null || ![...field.options].some(({ value }) => value === "everybody")) return;
  field.value = "friends";
  observer.disconnect();
}).observe(document, { childList: true, subtree: true });"""


def test_a_choice_before_the_script_is_there_is_saved(visit, nila):
    with visit(nila) as visitor:
        page = visitor.page
        page.add_init_script(CHOOSE_EARLY)
        visitor.visit("/players/privacy/")
        shown = page.get_by_label("Ratings, matches, achievements and clubs")
        expect(shown).to_have_value("friends")
        expect(page.locator(".field", has=shown).get_by_role("status")).to_have_text("Saved")
        assert reload(nila).page_shown_to == PageShownTo.FRIENDS


def test_the_last_of_many_quick_choices_is_saved(visit, nila):
    with visit(nila) as visitor:
        page = visitor.page
        visitor.visit("/accounts/settings/")
        first = page.locator('input[name="face"]:checked')
        first.focus()
        for _press in range(5):
            page.keyboard.press("ArrowRight")
        chosen = page.locator('input[name="face"]:checked').input_value()
        expect(page.get_by_text("Saved")).to_be_visible()
        wait_until(lambda: reload(nila).face == chosen, meanwhile=page.title)


def test_settings_are_saved_without_a_script(browser, live_site, nila):
    context = browser.new_context(java_script_enabled=False, **WINDOW)
    try:
        sign_in(context, live_site, nila)
        page = context.new_page()
        page.goto(f"{live_site}/accounts/settings/look/")
        page.get_by_label("Suits").select_option("four")
        page.get_by_role("button", name="Save").first.click()
        expect(page.locator(".messages")).to_contain_text("Your choice is saved.")
        expect(page.get_by_label("Suits")).to_have_value("four")
        assert reload(nila).preferences["suits"] == "four"
        page.get_by_role("link", name="Privacy").click()
        page.get_by_label("That you are online, and where").select_option("nobody")
        page.get_by_role("button", name="Save").click()
        expect(page.locator(".messages")).to_contain_text("Your choice is saved.")
        assert reload(nila).online_shown_to == PageShownTo.NOBODY
    finally:
        context.close()
