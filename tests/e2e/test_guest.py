"""From the first page to a deal that is won, without an account; and then with one."""

import re

from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from tables.models import Match, MatchStatus, Table
from tests.e2e.conftest import KEEP_SEEDS
from wallet.ledger.balances import get_player_balances

HAND = '[data-region="hand"] [data-card]'
PATIENCE = 30_000
MOST_STEPS = 80


class Presses:
    """Counts what is pressed and what is filled in."""

    def __init__(self) -> None:
        self.count = 0
        self.fields = 0

    def press(self, thing: Locator) -> None:
        self.count += 1
        thing.click()

    def fill(self, field: Locator, text: str) -> None:
        self.fields += 1
        field.fill(text)


def cards_are_dealt(page: Page) -> None:
    expect(page.locator(HAND)).to_have_count(13, timeout=PATIENCE)


def register(page: Page, by: Presses) -> None:
    by.fill(page.get_by_label("Player name"), "Nila")
    by.fill(page.get_by_label("Email"), "nila@example.com")
    by.fill(page.locator("input[name=password1]"), "a-long-enough-word-4")
    by.press(page.get_by_label("18 years"))
    by.press(page.locator("main form:has(input[name=password1]) button[type=submit]"))


def test_a_guest_wins_the_first_deal_by_the_coach_alone_and_keeps_the_chips(
    page: Page, live_site: str, clock: None, hurried_bots: None
) -> None:
    """The browser offers its part of the seed as ever; the chosen deal does not take it."""
    page.add_init_script(KEEP_SEEDS)
    by = Presses()
    page.goto(live_site)
    by.press(page.get_by_role("button", name="Play a first deal"))
    cards_are_dealt(page)
    assert by.count <= 2
    assert by.fields == 0

    coach = page.locator('[data-region="coach"]')
    follow(page, coach)
    expect(coach).to_have_attribute("data-advice", "won", timeout=PATIENCE)
    match = Match.objects.get()
    assert match.status == MatchStatus.FINISHED
    guest = User.objects.get(is_guest=True)
    expect(coach).to_contain_text("You won your first deal")

    coach.get_by_role("link", name="Keep your chips: register").click()
    register(page, Presses())
    expect(page).to_have_url(re.compile(r"/tables/\d+/$"))
    expect(page.locator("body")).to_have_attribute("data-net", "online", timeout=PATIENCE)
    user = User.objects.get(email="nila@example.com")
    assert (user.pk, user.is_guest) == (guest.pk, False)
    page.goto(live_site)
    chips = get_player_balances(user.pk).chips
    expect(page.locator('[data-balance-of="chips"]')).to_have_text(f"{chips:,}")


def follow(page: Page, coach: Locator) -> None:
    """Do what the coach says and nothing else; the step that stands out is the one it speaks of."""
    before = ""
    for _step in range(MOST_STEPS):
        page.wait_for_function(HAS_CHANGED, arg=[before, [*STEP_OF, *ENDS]], timeout=PATIENCE)
        before, advice, current = page.evaluate(f"() => ({NOW})()")
        if advice in ENDS:
            return
        confirm = page.locator('dialog[open] [data-action="confirm"]')
        if confirm.is_visible():
            confirm.click()
            page.wait_for_function(IS_DECIDED, arg=advice, timeout=PATIENCE)
            continue
        assert current == STEP_OF[advice], advice
        # The card that finishes a right hand declares it too: nothing is to be pressed.
        if advice != "declare":
            do(page, advice)
    raise AssertionError("the coach leads nowhere")


ENDS = ("won", "lost", "dropped")
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
# What there is to see: it changes with everything that is done.
SEEN = """() => {
  const coach = document.querySelector('[data-region="coach"]');
  const hand = [...document.querySelectorAll('[data-region="hand"] [data-card]')];
  const groups = document.querySelectorAll('[data-region="hand"] [role="group"]').length;
  const dialog = document.querySelector("dialog[open]")?.textContent ?? "";
  return [coach.dataset.advice, hand.map((card) => card.dataset.card).join(" "), groups, dialog].join("|");
}"""
NOW = f"""() => {{
  const coach = document.querySelector('[data-region="coach"]');
  const step = coach.querySelector('[aria-current="step"]')?.dataset.goal ?? null;
  return [({SEEN})(), coach.dataset.advice, step];
}}"""
# After a confirmation: the next dialog, or another word.
IS_DECIDED = """(advice) => document.querySelector("dialog[open]") !== null
  || document.querySelector('[data-region="coach"]').dataset.advice !== advice"""
HAS_CHANGED = f"""([before, keys]) => {{
  const seen = ({SEEN})();
  const isOpen = document.querySelector("dialog[open]") !== null;
  return seen !== before && (isOpen || keys.includes(seen.split("|")[0]));
}}"""


def do(page: Page, advice: str) -> None:
    cards = page.locator('[data-region="hand"] .coached[data-card]')
    for index in range(cards.count()):
        cards.nth(index).click(position={"x": 8, "y": 20})
    action = {
        "draw": "draw-closed",
        "draw_open": "draw-open",
        "pure_there": "group",
        "meld_there": "group",
        "discard": "discard",
        "finish": "finish",
    }.get(advice, "best")
    page.locator(f'[data-action="{action}"]').first.click()
    if action in ("draw-closed", "draw-open"):
        # The coach speaks of the draw until the card has come; the hand may change before it.
        page.wait_for_function(IS_DECIDED, arg=advice, timeout=PATIENCE)


def test_registering_and_playing_takes_four_presses_and_three_fields(
    page: Page, live_site: str, clock: None, hurried_bots: None
) -> None:
    by = Presses()
    page.goto(live_site)
    by.press(page.get_by_role("link", name="Register", exact=True))
    register(page, by)
    by.press(page.get_by_role("button", name="Play a first deal"))
    cards_are_dealt(page)
    assert by.count <= 4
    assert by.fields == 3
    user = User.objects.get(email="nila@example.com")
    assert Table.objects.get(is_lesson=True).opened_by == user


def test_the_password_is_shown_by_keyboard(page: Page, live_site: str) -> None:
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
    page: Page, live_site: str, clock: None, hurried_bots: None
) -> None:
    page.goto(live_site)
    page.get_by_role("button", name="Play a first deal").click()
    cards_are_dealt(page)
    held = page.locator(HAND).evaluate_all("(cards) => cards.map((c) => c.dataset.card).sort()")
    page.goto(live_site)
    page.get_by_role("link", name="Back to your deal").click()
    cards_are_dealt(page)
    again = page.locator(HAND).evaluate_all("(cards) => cards.map((c) => c.dataset.card).sort()")
    assert again == held

    page.context.clear_cookies()
    page.goto(live_site)
    expect(page.get_by_role("button", name="Play a first deal")).to_be_visible()
