"""The keyboard focus, which stays at the table whatever is pressed there with Enter (WCAG 2.4.3)."""

import random
from collections import Counter

import pytest
from playwright.sync_api import Locator, Page

from games.registry import GAMES
from tables.models import Table
from tests.e2e.seated import CARDS, CONFIRM, expect_cards, open_page, table_of, wait_for
from tests.given import reload, require
from tests.tables.driving import choose_move, hand_of, play_for_a_player, state_of

PLACES = ("piles", "spread", "board", "actions")
BUTTONS = ", ".join(f'[data-region="{place}"] [data-action]:enabled:visible' for place in PLACES)
TERMS = {"contract": {"preset": "single"}}
# Returns the focused element, if it can be used.
FOCUS = """async () => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  const { activeElement: one } = document;
  if (one === document.body || one.matches(":disabled") || !one.checkVisibility()) return null;
  return one.dataset.action ?? one.dataset.card;
}"""
PRESSES = 14
DRAWS = {"draw", "draw-closed", "draw-open"}
# Moves that are played without a question.
MOVES = DRAWS | {"buy", "discard", "lay", "pass", "take"}


@pytest.mark.parametrize("code", GAMES)
def test_the_focus_stays_at_the_table_after_each_press(code, page, live_site):
    rng = random.Random(5)
    table = table_of(3 if code == "contract" else 2, game=code, **TERMS.get(code, {}))
    seat, _ = require(choose_move(reload(table), strength="hard", rng=rng))
    open_page(page, live_site, table, seat)
    pressed: Counter[str] = Counter()
    while pressed.total() < PRESSES and play_for_the_others(table, seat, rng):
        if code != "rummikub":  # Rummikub's tiles are on the table before a lay
            expect_cards(page, len(hand_of(table, seat)["hand"]))
        select_a_card(page)
        button, name = choose_button(page, pressed)
        pressed[name] += 1
        before = state_of(reload(table))
        button.focus()
        page.keyboard.press("Enter")
        if answer(page, pressed[name]) or name in MOVES:
            wait_for(page, lambda: state_of(reload(table)) != before)  # noqa: B023 - called at once
        assert page.evaluate(FOCUS) is not None, (name, pressed)
    assert DRAWS & set(pressed), pressed
    assert code == "rummikub" or pressed["discard"], pressed


def play_for_the_others(table: Table, own: int, rng: random.Random) -> bool:
    """Play the other seats until the own seat may act. Return False if the deal is over."""
    while (chosen := choose_move(reload(table), strength="easy", rng=rng)) is not None:
        if chosen[0] == own:
            return True
        play_for_a_player(reload(table), strength="easy", rng=rng)
    return False


def select_a_card(page: Page) -> None:
    if page.locator(f'{CARDS}[aria-pressed="true"]').count() == 0:
        page.locator(CARDS).first.focus()
        page.keyboard.press("Space")


def choose_button(page: Page, pressed: Counter[str]) -> tuple[Locator, str]:
    """Return the button that was pressed least often, and its name."""
    buttons = page.locator(BUTTONS)
    names: list[str] = []

    def are_there() -> bool:  # buttons of the previous state may just vanish
        names[:] = buttons.evaluate_all("(all) => all.map((one) => one.dataset.action)")
        return bool(names)

    wait_for(page, are_there)
    number = min(range(len(names)), key=lambda place: pressed[names[place]])
    return buttons.nth(number), names[number]


def answer(page: Page, times: int) -> bool:
    """Answer the question on the page: no the first time, yes afterwards. Return whether the answer was yes."""
    if page.locator(CONFIRM).count() == 0:
        return False
    if times == 1:
        page.keyboard.press("Escape")
        return False
    page.locator(CONFIRM).focus()
    page.keyboard.press("Enter")
    return True
