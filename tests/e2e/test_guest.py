"""A guest, from the first page to a deal won without an account, and then to an account."""

import re

from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from tables.models import Match, MatchStatus, Table
from tests.e2e.coached import COACH, play_by_the_coach
from tests.e2e.conftest import KEEP_SEEDS
from tests.e2e.inspection import axe_faults
from tests.e2e.seated import PATIENCE, expect_cards, expect_online, list_cards
from wallet.ledger.balances import get_player_balances

# The highlighted step by the code of the coach's text.
STEP_OF = {
    "draw": "draw",
    "draw_open": "draw",
    "pure_there": "pure",
    "meld_there": "arrange",
    "fits": "arrange",
    "best": "arrange",
    "second_missing": "arrange",
    "rest": "arrange",
    "discard": "discard",
    "finish": "declare",
    "declare": "declare",
    "lay_out": "declare",
}


class Presses:
    """Counts presses and filled-in fields."""

    def __init__(self) -> None:
        self.count = 0
        self.fields = 0

    def press(self, thing: Locator) -> None:
        self.count += 1
        thing.click()

    def fill(self, field: Locator, text: str) -> None:
        self.fields += 1
        field.fill(text)


def register(page: Page, by: Presses) -> None:
    by.fill(page.get_by_label("Player name"), "Nila")
    by.fill(page.get_by_label("E-mail"), "nila@example.com")
    by.fill(page.locator("input[name=password1]"), "a-long-enough-word-4")
    by.press(page.get_by_label("18 years"))
    by.press(page.locator("main form:has(input[name=password1]) button[type=submit]"))


def test_a_guest_wins_the_first_deal_by_the_coach_alone_and_keeps_the_chips(
    page, live_site, clock, hurried_bots
):
    """The browser offers its part of the seed as usual. The prepared first deal does not use it."""
    page.add_init_script(KEEP_SEEDS)
    by = Presses()
    page.goto(live_site)
    by.press(page.get_by_role("button", name="Play a first deal"))
    expect_cards(page, 13)
    assert by.count <= 2
    assert by.fields == 0

    coach = page.locator(COACH)
    said = play_by_the_coach(page)
    assert {pair for pair in said if pair[0] in STEP_OF} <= STEP_OF.items()
    expect(coach).to_have_attribute("data-advice", "won", timeout=PATIENCE)
    assert Match.objects.get().status == MatchStatus.FINISHED
    guest = User.objects.get(is_guest=True)
    expect(coach).to_contain_text("You won your first deal")

    coach.get_by_role("link", name="Keep your chips: register").click()
    register(page, Presses())
    expect(page).to_have_url(re.compile(r"/tables/\d+/welcome/$"))
    expect(page.get_by_role("heading", name="Welcome, Nila")).to_be_visible()
    assert axe_faults(page) == []
    page.get_by_role("radio", name="Panda").check(force=True)
    page.get_by_role("button", name="Back to your table").click()
    expect(page).to_have_url(re.compile(r"/tables/\d+/$"))
    expect_online(page)
    user = User.objects.get(email="nila@example.com")
    assert (user.pk, user.is_guest, user.face) == (guest.pk, False, "panda")
    page.goto(live_site)
    chips = get_player_balances(user.pk).chips
    expect(page.locator('[data-balance-of="chips"]')).to_have_text(f"{chips:,}")


def test_registering_and_playing_takes_four_presses_and_three_fields(
    page, live_site, clock, hurried_bots
):
    by = Presses()
    page.goto(live_site)
    by.press(page.get_by_role("link", name="Register", exact=True))
    register(page, by)
    by.press(page.get_by_role("button", name="Play a first deal"))
    expect_cards(page, 13)
    assert by.count <= 4
    assert by.fields == 3
    user = User.objects.get(email="nila@example.com")
    assert Table.objects.get(is_lesson=True).opened_by == user


def test_the_password_is_shown_by_keyboard(page, live_site):
    page.goto(f"{live_site}/accounts/signup/")
    field = page.locator("input[name=password1]")
    field.fill("seven-lemons")
    eye = page.get_by_role("button", name="Show the password")
    expect(eye).to_have_attribute("aria-pressed", "false")
    eye.focus()
    page.keyboard.press("Enter")
    expect(field).to_have_attribute("type", "text")
    expect(eye).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Space")
    expect(field).to_have_attribute("type", "password")


def test_a_guest_returns_after_a_reload_and_from_the_first_page(
    page, live_site, clock, hurried_bots
):
    page.goto(live_site)
    page.get_by_role("button", name="Play a first deal").click()
    expect_cards(page, 13)
    held = list_cards(page)
    page.goto(live_site)
    page.get_by_role("link", name="Back to your deal").click()
    expect_cards(page, 13)
    assert list_cards(page) == held

    page.context.clear_cookies()
    page.goto(live_site)
    expect(page.get_by_role("button", name="Play a first deal")).to_be_visible()
