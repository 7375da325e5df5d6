"""A whole deal with the keyboard alone: sitting down, drawing, discarding, grouping, declaring."""

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from accounts.models import User
from games.registry import get_game
from tables.models import Match, Seat, Table, TableStatus
from tables.seating.opening import TableTerms, open_table
from tables.seating.sitting import take_seat
from tests.e2e.visitor import visit_as
from tests.e2e.world import make_player
from tests.tables.driving import BUY_IN, act, game_view, hand_of, let_time_pass, state_of
from tests.workers import wait_until

SLOW = 30_000
OWN = 0
# Keeps what the live regions said, for they say one thing at a time.
LISTEN = """() => {
  globalThis.said = [];
  for (const name of ["polite", "alert"]) {
    const region = document.querySelector(`[data-region="${name}"]`);
    new MutationObserver(() => {
      if (region.textContent !== "") globalThis.said.push(`${name}: ${region.textContent}`);
    }).observe(region, { childList: true, characterData: true, subtree: true });
  }
}"""


@pytest.fixture
def nila(transactional_db: None) -> User:
    return make_player("Nila")


@pytest.fixture
def table(nila: User) -> Table:
    found = open_table(
        TableTerms(game="indian", preset="points", name="Mango Grove", max_seats=2, point_value=1)
    )
    take_seat(table_id=found.pk, user_id=make_player("Ravi").pk, number=1, amount=BUY_IN)
    return found


def start(table: Table) -> None:
    def is_playing() -> bool:
        table.refresh_from_db()
        if table.status != TableStatus.PLAYING:
            let_time_pass(table)
        return table.status == TableStatus.PLAYING

    wait_until(lambda: Seat.objects.filter(table=table, left_at=None).count() == 2)
    wait_until(is_playing)


def test_a_deal_is_played_with_the_keyboard_alone(
    browser: Browser, live_site: str, table: Table, nila: User
) -> None:
    with visit_as(browser, live_site, nila) as visitor:
        page = visitor.page
        visitor.visit(f"/tables/{table.pk}/")
        expect(page.locator("body")).to_have_attribute("data-net", "online", timeout=SLOW)
        tab_to(page, '[data-action="sit"]')
        page.keyboard.press("Enter")
        expect(page.locator('[data-dialog="sit"][open]')).to_be_visible()
        tab_to(page, '[data-dialog="sit"] [data-action="confirm"]')
        with page.expect_navigation():
            page.keyboard.press("Enter")
        expect(page.locator("body")).to_have_attribute("data-net", "online", timeout=SLOW)
        page.evaluate(LISTEN)
        start(table)
        expect(page.locator('[data-region="hand"] [data-card]')).to_have_count(13, timeout=SLOW)
        turns = play(page, table)
        expect(page.locator('[data-action="declare"]')).to_be_hidden(timeout=SLOW)
        expect(page.locator("[data-region=notice]")).not_to_contain_text("out of this deal")
        act(table, 1, kind="show", groups=hand_of(table, 1)["groups"])
        expect(page.locator('[data-region="result"]')).to_be_visible(timeout=SLOW)
        # What comes close together is said as one, a moment later.
        expect(page.locator('[data-region="polite"]')).to_contain_text(
            "You win the deal", timeout=SLOW
        )
        said = page.evaluate("said")
        assert visitor.faults == []
    settlement = Match.objects.get(table=table).settlement
    assert settlement is not None
    assert settlement["amounts"][str(OWN)] > 0
    assert turns > 1
    assert_heard(said, r"^alert: .*Your turn")
    assert_heard(said, r"^polite: .*You drew .* of ")
    assert_heard(said, r"^polite: .*Ravi discarded")
    assert_heard(said, r"^polite: .*Your declaration is valid")


def assert_heard(said: list[str], pattern: str) -> None:
    assert any(re.search(pattern, text) for text in said), (pattern, said)


def play(page: Page, table: Table) -> int:
    """The other player throws away each drawn card; returns the turns until the declaration."""
    rng = random.Random(7)
    game = get_game(table.game)
    for turn in range(200):
        if game_view(table)["turn"] != OWN:
            drew = act(table, 1, kind="draw", source="closed")
            threw = act(table, 1, kind="discard", card=hand_of(table, 1)["drawn"])
            assert drew.refusal is None
            assert threw.refusal is None
        wait_for_turn(page)
        move = choose(game, table, rng)
        # Whatever the cards are, this one stays in the deal.
        draw(page, move.get("source", "closed"))
        move = choose(game, table, rng)
        if move["kind"] == "finish":
            finish(page, move["card"])
            declare(page, choose(game, table, rng)["groups"])
            return turn
        discard(page, move["card"])
    raise AssertionError("the deal does not end")


def choose(game: Any, table: Table, rng: random.Random) -> dict[str, Any]:
    table.refresh_from_db()
    state = game.stored.load(state_of(table))
    view = {
        "public": game.view.public(state),
        "you": game.view.private(state, OWN),
        "rules": table.rules,
    }
    found: dict[str, Any] = game.bots(view, OWN, strength="hard", rng=rng)
    return found


def wait_for_turn(page: Page) -> None:
    expect(page.locator('[data-action="draw-closed"]')).to_be_enabled(timeout=SLOW)


def draw(page: Page, source: str) -> None:
    page.keyboard.press({"closed": "c", "open": "o"}[source])
    expect(page.locator('[data-region="hand"] [data-card]')).to_have_count(14, timeout=SLOW)


def discard(page: Page, card: str) -> None:
    go_to(page, card)
    page.keyboard.press("d")
    expect(page.locator('[data-region="hand"] [data-card]')).to_have_count(13, timeout=SLOW)
    # Whoever was in the hand still is, on the card that lies where the other lay.
    assert find_focused_card(page) is not None


def finish(page: Page, card: str) -> None:
    go_to(page, card)
    page.keyboard.press("f")
    confirm(page)
    expect(page.locator('[data-action="declare"]')).to_be_visible(timeout=SLOW)


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
    """The answer that changes nothing has the focus first."""
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
