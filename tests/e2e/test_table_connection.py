"""Connections that break, lose messages, and recover."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

from asgiref.sync import async_to_sync
from playwright.sync_api import Page, ViewportSize, WebSocketRoute, expect

from core.page_notices import notify_pages
from tests.e2e.inspection import small_targets
from tests.e2e.seated import (
    DRAW_CLOSED,
    PATIENCE,
    RESULT,
    STATUS,
    draw_for,
    expect_cards,
    expect_online,
    list_cards,
    open_page,
    wait_for,
)
from tests.tables.driving import act, game_view, hand_of, play_a_turn, player_at

NARROWEST = ViewportSize(width=320, height=640)


class Wire:
    """The connection between page and server. It can be cut, and can lose single messages."""

    def __init__(self, page: Page) -> None:
        self.is_cut = False
        self.acts: list[dict[str, Any]] = []
        self.acts_to_lose = 0
        self.changes_to_lose = 0
        page.route_web_socket("**/ws/tables/**", self._connect)

    def _connect(self, browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()
        # A connection that was made before the cut stays dead.
        state = {"dead": False}

        def is_dead() -> bool:
            state["dead"] = state["dead"] or self.is_cut
            return state["dead"]

        def from_browser(text: str | bytes) -> None:
            if is_dead() or self._loses_act(json.loads(text)):
                return
            server.send(text)

        def from_server(text: str | bytes) -> None:
            if is_dead() or self._loses_change(json.loads(text)):
                return
            browser.send(text)

        browser.on_message(from_browser)
        server.on_message(from_server)

    def _loses_act(self, message: dict[str, Any]) -> bool:
        if message["type"] != "act":
            return False
        self.acts.append(message)
        self.acts_to_lose -= 1
        return self.acts_to_lose >= 0

    def _loses_change(self, message: dict[str, Any]) -> bool:
        if message["type"] != "ev" or not message["changes"]:
            return False
        self.changes_to_lose -= 1
        return self.changes_to_lose >= 0


def test_a_silent_connection_is_noticed_and_missed_changes_arrive(page, live_site, table):
    wire = Wire(page)
    play_a_turn(table)
    seat = game_view(table)["turn"]
    open_page(page, live_site, table, seat)
    draw = page.locator(DRAW_CLOSED)
    expect(draw).to_be_enabled()
    wire.is_cut = True
    # The socket is not closed. Only the page's watchdog can notice that no answer arrives.
    expect(page.locator(STATUS)).not_to_have_text("Connected", timeout=PATIENCE)
    expect(draw).to_be_disabled()
    for _ in range(3):
        play_a_turn(table)
    wire.is_cut = False

    away = page.locator('[data-dialog="away"]')
    expect(away).to_be_visible(timeout=2 * PATIENCE)
    expect(page.locator(STATUS)).to_have_text("Connected", timeout=PATIENCE)
    assert away.locator("li").count() >= 6
    expect(away).to_contain_text("You discarded the")
    away.get_by_role("button", name="Go on").click()
    expect(away).to_be_hidden()
    assert list_cards(page) == sorted(hand_of(table, seat)["hand"])
    assert game_view(table)["turn"] != seat
    expect(draw).to_be_disabled()


def test_a_device_without_a_network_says_so_within_two_seconds(page, live_site, table, seat):
    open_page(page, live_site, table, seat)
    draw, drop = (page.locator(f'[data-action="{name}"]') for name in ("draw-closed", "drop"))
    expect(draw).to_be_enabled()
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    expect(page.locator(STATUS)).to_have_text("No connection, trying again…", timeout=2_000)
    # The buttons are disabled at once, not later.
    assert (draw.is_disabled(), drop.is_disabled()) == (True, True)
    page.set_viewport_size(NARROWEST)
    assert small_targets(page) == []
    page.context.set_offline(False)
    expect(page.locator(STATUS)).to_have_text("Connected", timeout=PATIENCE)
    expect(draw).to_be_enabled()
    page.keyboard.press("c")
    expect_cards(page, 14)


def test_a_lost_move_is_sent_again_and_played_once(page, live_site, table, seat):
    wire = Wire(page)
    open_page(page, live_site, table, seat)
    wire.acts_to_lose = 1
    expect(page.locator(DRAW_CLOSED)).to_be_enabled()
    page.keyboard.press("c")
    expect_cards(page, 14)
    assert len(hand_of(table, seat)["hand"]) == 14
    assert len(wire.acts) == 2
    assert wire.acts[0] == wire.acts[1]


def test_a_lost_change_is_read_again(page, live_site, table, seat):
    wire = Wire(page)
    open_page(page, live_site, table, 1 - seat)
    wire.changes_to_lose = 1
    assert act(table, seat, kind="draw", source="closed").refusal is None
    wait_for(page, lambda: wire.changes_to_lose <= 0)
    assert wire.changes_to_lose == 0, "the change was sent and lost"
    drawn = hand_of(table, seat)["drawn"]
    assert act(table, seat, kind="discard", card=drawn).refusal is None
    draw = page.locator(DRAW_CLOSED)
    expect(draw).to_be_enabled(timeout=PATIENCE)
    expect(page.locator('[data-region="discards"] .card')).to_have_count(1)


def test_a_reload_in_the_declare_window_asks_again(page, live_site, table):
    seat = draw_for(table)
    card = hand_of(table, seat)["hand"][0]
    assert act(table, seat, kind="finish", card=card).refusal is None
    open_page(page, live_site, table, seat)
    declare = page.locator('[data-action="declare"]')
    expect(declare).to_be_enabled(timeout=PATIENCE)
    page.reload()
    expect_cards(page, 13)
    expect(declare).to_be_enabled(timeout=PATIENCE)
    declare.click()
    dialog = page.locator('[data-dialog="confirm"]')
    expect(dialog).to_contain_text("A wrong declaration costs 80 points")
    dialog.get_by_role("button", name="Declare", exact=True).click()
    expect(page.locator(RESULT)).to_be_visible(timeout=PATIENCE)


def test_the_page_of_a_table_has_one_socket(page, live_site, table, seat):
    """Messages for the player alone come over it. When it has ended, they come over `/ws/me/`."""
    opened: list[str] = []
    page.on("websocket", lambda socket: opened.append(urlsplit(socket.url).path))
    open_page(page, live_site, table, seat)
    user = player_at(table, seat)
    notice = {"type": "chair", "table": 9, "name": "Neem Room", "until": 1, "url": "/tables/9/"}
    bar = page.locator('[data-region="ready"]')
    expect(bar).to_be_hidden()

    def is_told() -> bool:
        # Send the notice repeatedly, as the site does for a kept seat: the page may not listen yet.
        tell_soon(user.pk, notice)
        return bool(bar.is_visible())

    wait_for(page, is_told)
    expect(bar).to_contain_text("Neem Room")
    assert opened == [f"/ws/tables/{table.pk}/"]
    with page.context.expect_page() as other:
        page.evaluate("open(location.href)")
    expect_online(other.value)
    wait_for(page, lambda: opened[-1] == "/ws/me/")


def tell_soon(user_id: int, message: dict[str, Any]) -> None:
    """Send the message from another thread, because this one runs the browser's event loop."""
    with ThreadPoolExecutor(1) as threads:
        threads.submit(async_to_sync(notify_pages), user_id, message).result()


SET_CLOCKS = """() => {
  const now = Date.now;
  globalThis.step = 0;
  Date.now = () => now() + globalThis.step;
}"""


def test_a_turn_keeps_its_time_when_the_system_clock_is_set(page, live_site, table):
    """The device's clock jumps ahead or back, as after a time synchronisation. Later answers change nothing either."""
    page.add_init_script(f"({SET_CLOCKS})()")
    seat = game_view(table)["turn"]
    open_page(page, live_site, table, seat)
    expect_online(page)
    clock = page.locator(".seat--acting .seat__clock")

    def read_seconds() -> int:
        minutes, seconds = clock.inner_text().split(":")
        return int(minutes) * 60 + int(seconds)

    before = read_seconds()
    assert before > 5
    for step in (20_000, -20_000):
        page.evaluate("(step) => { globalThis.step = step; }", step)
        page.wait_for_timeout(600)
        assert 0 <= before - read_seconds() <= 4
