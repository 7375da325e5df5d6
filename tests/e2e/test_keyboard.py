"""A whole deal by keyboard only. The focus stays on its card, whatever happens at the table."""

import random
import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.registry import GAMES
from tables.models import Seat, Table, TableStatus
from tests.e2e.seated import (
    CARDS,
    DRAW_CLOSED,
    NOTICE,
    PATIENCE,
    RESULT,
    button,
    expect_cards,
    expect_online,
    open_page,
)
from tests.e2e.world import make_player
from tests.given import reload, require
from tests.points_tables import open_points_table
from tests.tables.driving import (
    BUY_IN,
    FREE,
    act,
    choose_move,
    game_view,
    get_match,
    hand_of,
    let_time_pass,
    play_a_turn,
    seat_all,
)
from tests.workers import wait_until

OWN = 0
# Records the texts of the live regions, each of which shows only its latest text.
LISTEN = """() => {
  globalThis.said = [];
  for (const name of ["polite", "alert"]) {
    const region = document.querySelector(`[data-region="${name}"]`);
    new MutationObserver(() => {
      if (region.textContent !== "") globalThis.said.push(`${name}: ${region.textContent}`);
    }).observe(region, { childList: true, characterData: true, subtree: true });
  }
}"""


def start(table: Table) -> None:
    def is_playing() -> bool:
        let_time_pass(table)
        return reload(table).status == TableStatus.PLAYING

    wait_until(lambda: Seat.objects.filter(table=table, left_at=None).count() == 2)
    wait_until(is_playing)


def test_a_deal_is_played_with_the_keyboard_alone(visit, nila):
    table = open_points_table()
    seat_all(table, make_player("Ravi"), number=1, amount=BUY_IN)
    with visit(nila) as visitor:
        page = visitor.page
        visitor.open_table(table)
        tab_to(page, '[data-action="sit"]')
        page.keyboard.press("Enter")
        expect(page.locator('[data-dialog="sit"][open]')).to_be_visible()
        tab_to(page, '[data-dialog="sit"] [data-action="confirm"]')
        with page.expect_navigation():
            page.keyboard.press("Enter")
        expect_online(page)
        page.evaluate(LISTEN)
        start(table)
        expect_cards(page, 13)
        turns = play(page, table)
        expect(page.locator('[data-action="declare"]')).to_be_hidden(timeout=PATIENCE)
        expect(page.locator(NOTICE)).not_to_contain_text("out of this deal")
        act(table, 1, kind="show", groups=hand_of(table, 1)["groups"])
        expect(page.locator(RESULT)).to_be_visible(timeout=PATIENCE)
        # Messages in quick succession are announced together, a moment later.
        expect(page.locator('[data-region="polite"]')).to_contain_text(
            "You win the deal", timeout=PATIENCE
        )
        said = page.evaluate("said")
    assert require(get_match(table).settlement)["amounts"][str(OWN)] > 0
    assert turns > 1
    assert_heard(said, r"^alert: .*Your turn")
    assert_heard(said, r"^polite: .*You drew .* of ")
    assert_heard(said, r"^polite: .*Ravi discarded")
    assert_heard(said, r"^polite: .*Your declaration is valid")


def assert_heard(said: list[str], pattern: str) -> None:
    assert any(re.search(pattern, text) for text in said), (pattern, said)


def play(page: Page, table: Table) -> int:
    """Play until the player declares; the opponent discards every drawn card. Return the number of turns."""
    rng = random.Random(7)

    def choose() -> dict[str, Any]:
        return require(choose_move(reload(table), strength="hard", rng=rng))[1]

    for turn in range(200):
        if game_view(table)["turn"] != OWN:
            play_a_turn(table)
        expect(page.locator(DRAW_CLOSED)).to_be_enabled(timeout=PATIENCE)
        # Whatever the cards are, this player does not drop.
        draw(page, choose().get("source", "closed"))
        move = choose()
        if move["kind"] == "finish":
            finish(page, move["card"])
            declare(page, choose()["groups"])
            return turn
        discard(page, move["card"])
    raise AssertionError("the deal does not end")


def draw(page: Page, source: str) -> None:
    page.keyboard.press({"closed": "c", "open": "o"}[source])
    expect_cards(page, 14)


def discard(page: Page, card: str) -> None:
    go_to(page, card)
    page.keyboard.press("d")
    expect_cards(page, 13)
    # If the focus was in the hand, it moves to the card that takes the place of the discarded one.
    assert find_focused_card(page) is not None


def finish(page: Page, card: str) -> None:
    go_to(page, card)
    page.keyboard.press("f")
    confirm(page)
    expect(page.locator('[data-action="declare"]')).to_be_visible(timeout=PATIENCE)


def declare(page: Page, groups: list[list[str]]) -> None:
    for group in groups:
        for card in group:
            go_to(page, card)
            page.keyboard.press("Space")
        page.keyboard.press("g")
    tab_to(page, '[data-action="declare"]')
    page.keyboard.press("Enter")
    confirm(page)


def confirm(page: Page) -> None:
    """Confirm a question. Its cancel button has the focus first."""
    expect(page.locator('[data-dialog="confirm"][open]')).to_be_visible()
    assert page.evaluate("document.activeElement.value") == "cancel"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator('[data-dialog="confirm"][open]')).to_have_count(0)


def tab_to(page: Page, selector: str) -> None:
    for _ in range(80):
        if page.evaluate("(found) => document.activeElement.matches(found)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not reach {selector}")


def find_focused_card(page: Page) -> str | None:
    found: str | None = page.evaluate("document.activeElement.dataset.card ?? null")
    return found


def go_to(page: Page, card: str) -> None:
    if find_focused_card(page) is None:
        tab_to(page, "[data-card]")
    page.keyboard.press("Home")
    for _ in range(14):
        if find_focused_card(page) == card:
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError(f"the arrow keys do not reach {card}")


MARK = "document.activeElement.isTheOneThatHadTheFocus = true"
KEPT = "document.activeElement.isTheOneThatHadTheFocus === true"


def test_the_arrows_reach_the_hand_from_a_fresh_table(page, live_site, table, seat):
    open_page(page, live_site, table, seat)
    expect(page.locator(CARDS).first).to_be_visible()
    assert find_focused_card(page) is None
    page.keyboard.press("ArrowRight")
    cards = page.locator(CARDS)
    assert find_focused_card(page) == cards.first.get_attribute("data-card")
    page.reload()
    expect(cards.first).to_be_visible()
    page.keyboard.press("ArrowLeft")
    assert find_focused_card(page) == cards.last.get_attribute("data-card")


# Presses every letter and digit without a deal. Returns the keys that the table handles itself.
TAKEN = """() => [..."abcdefghijklmnopqrstuvwxyz0123456789?"].filter((key) => {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  const isTaken = !document.body.dispatchEvent(event);
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  return isTaken;
})"""


@pytest.mark.parametrize("code", GAMES)
def test_the_list_of_keys_names_those_that_act(code, visit, nila):
    preset = GAMES[code].formats[0].presets[0]
    table = open_points_table(**FREE, game=code, preset=preset, opened_by_id=nila.pk)
    with visit(nila) as visitor:
        visitor.open_table(table)
        page = visitor.page
        expect_online(page)
        listed = page.locator('[data-dialog="keys"] kbd').all_inner_texts()
        taken = set(page.evaluate(TAKEN))
    alone = [key for before, key in pairwise(["", *listed]) if before != "Ctrl"]
    named = {key.lower() for key in alone if len(key) == 1 and key.isascii()}
    if "…" in listed:
        named |= set("123456789")
    assert named == taken


def test_the_arrows_reach_the_hand_from_a_button_of_the_table(page, live_site, table, seat):
    open_page(page, live_site, table, seat)
    button(page, "Sort").click(timeout=PATIENCE)
    assert find_focused_card(page) is None
    page.keyboard.press("ArrowRight")
    assert find_focused_card(page) == page.locator(CARDS).first.get_attribute("data-card")


def test_the_focus_survives_other_players_moves(page, live_site, table, seat):
    open_page(page, live_site, table, 1 - seat)
    page.locator(CARDS).nth(4).focus()
    page.evaluate(MARK)
    play_a_turn(table)
    expect(page.locator(DRAW_CLOSED)).to_be_enabled(timeout=PATIENCE)
    assert page.evaluate(KEPT)

    # The hand has changed, and the focus is still on the same card.
    page.keyboard.press("c")
    expect_cards(page, 14)
    assert page.evaluate(KEPT)
    page.keyboard.press("s")
    expect(page.locator('[data-action="sort"]')).to_be_enabled(timeout=PATIENCE)
    assert page.evaluate(KEPT)
