"""Cards that move across the table, what seats show of a player, and sounds."""

import re
from functools import partial

from playwright.sync_api import Page, Route, expect

from tests.e2e.seated import (
    DRAW_CLOSED,
    PATIENCE,
    expect_cards,
    open_page,
)
from tests.tables.driving import act, hand_of

# Records everything that moved: the card, tile or word shown, its start and its end.
WATCH_TRAVEL = """() => {
  window.travelled = [];
  const layer = document.querySelector('.travel');
  new MutationObserver((changes) => {
    for (const piece of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      const frames = piece.getAnimations()[0]?.effect.getKeyframes() ?? [];
      window.travelled.push({
        card: piece.dataset.painted?.split(' ')[0] ?? piece.ariaLabel ?? (piece.textContent || null),
        from: frames[0]?.transform ?? frames[0]?.scale,
        to: frames.at(-1)?.transform ?? frames.at(-1)?.scale,
      });
    }
  }).observe(layer, { childList: true });
}"""
COUNT_SOUNDS = """
  window.heard = 0;
  for (const node of [OscillatorNode, AudioBufferSourceNode]) {
    const start = node.prototype.start;
    node.prototype.start = function (...when) {
      window.heard += 1;
      return start.apply(this, when);
    };
  }
"""


def watch(page: Page) -> None:
    page.wait_for_selector(".travel", state="attached", timeout=PATIENCE)
    page.evaluate(WATCH_TRAVEL)


def await_travelled(page: Page, count: int) -> list[str | None]:
    page.wait_for_function("count => window.travelled.length >= count", arg=count, timeout=PATIENCE)
    expect(page.locator(".travel > *")).to_have_count(0)  # all have arrived
    pieces = page.evaluate("window.travelled")
    assert all(piece["from"] != piece["to"] for piece in pieces)
    return [piece["card"] for piece in pieces]


def test_cards_travel_and_seats_show_their_number_and_the_last_discard(open_seats, table, seat):
    page, other = open_seats(table, seat, 1 - seat)
    for one in (page, other):
        one.emulate_media(reduced_motion="no-preference")
        watch(one)
    shown = other.locator(f'.seat[data-seat="{seat}"]')
    expect(shown.locator(".seat__fan i")).to_have_count(13)
    page.keyboard.press("c")
    expect_cards(page, 14)
    expect(shown.locator(".seat__fan i")).to_have_count(14)
    drawn = hand_of(table, seat)["drawn"]
    assert await_travelled(page, 1) == [drawn]  # the own card, back first
    assert await_travelled(other, 1) == [None]  # another player's card: a back
    assert act(table, seat, kind="discard", card=drawn).refusal is None
    assert await_travelled(page, 2)[1:] == [drawn]
    assert await_travelled(other, 2)[1:] == [drawn]
    expect(shown.locator(".seat__fan i")).to_have_count(13)
    thrown = re.compile(f"^{re.escape(drawn)} ")
    expect(shown.locator(".seat__toss")).to_have_attribute("data-painted", thrown)
    # A card taken from the open pile is shown face up.
    assert act(table, 1 - seat, kind="draw", source="open").refusal is None
    assert await_travelled(page, 3)[2] == drawn


def test_nothing_travels_before_its_style_sheet_has_loaded(page, live_site, table, seat):
    page.emulate_media(reduced_motion="no-preference")
    held: list[Route] = []
    sheet = re.compile(r"/table-panels[^/]*\.css$")
    page.route(sheet, lambda route, _: held.append(route))
    with page.expect_request(sheet), page.expect_response(re.compile(r"/effects/main[^/]*\.js$")):
        open_page(page, live_site, table, seat, until="commit")
    page.keyboard.press("c")
    expect_cards(page, 14)
    expect(page.locator(".travel")).to_have_count(0)
    for route in held:
        route.continue_()
    watch(page)
    drawn = hand_of(table, seat)["drawn"]
    assert act(table, seat, kind="discard", card=drawn).refusal is None
    assert await_travelled(page, 1) == [drawn]


LOADED_LATER = (r"/panels/main[^/]*\.js", r"/table-panels[^/]*\.css", r"/effects/main[^/]*\.js")


def test_parts_lost_with_the_connection_load_again(browser, live_site, table, seat):
    # The console reports the lost requests, so this context is not watched for faults.
    with browser.new_context(reduced_motion="no-preference") as context:
        page = context.new_page()
        lost: list[str] = []
        for part in LOADED_LATER:
            page.route(re.compile(part), partial(lose, lost), times=1)
        open_page(page, live_site, table, seat)
        page.locator('[data-action="settings"]').first.click()
        expect(page.get_by_role("dialog")).to_be_visible(timeout=PATIENCE)
        page.keyboard.press("Escape")
        watch(page)
        expect(page.locator(".travel")).to_have_css("position", "fixed")
        page.keyboard.press("c")
        assert await_travelled(page, 1) == [hand_of(table, seat)["drawn"]]
    assert len(lost) == len(LOADED_LATER)


def lose(lost: list[str], route: Route) -> None:
    lost.append(route.request.url)
    route.abort()


def test_a_press_ends_running_animations(page, live_site, table, seat):
    open_page(page, live_site, table, seat)
    page.emulate_media(reduced_motion="no-preference")
    watch(page)
    # Slow enough to be observed on its way.
    page.evaluate("""new MutationObserver(() => {
      for (const one of document.querySelectorAll('.travel__piece')) {
        for (const animation of one.getAnimations()) animation.playbackRate = 0.01;
      }
    }).observe(document.querySelector('.travel'), { childList: true })""")
    page.locator(DRAW_CLOSED).click()
    expect(page.locator(".travel__piece")).to_have_count(1)
    page.keyboard.press("Shift")
    expect(page.locator(".travel__piece")).to_have_count(0)
    expect_cards(page, 14)


def test_sounds_play_unless_off_and_reduced_motion_shows_no_movement(page, live_site, table, seat):
    page.add_init_script(COUNT_SOUNDS)
    open_page(page, live_site, table, seat)
    watch(page)
    page.keyboard.press("c")
    page.wait_for_function("() => window.heard > 0", timeout=PATIENCE)
    page.evaluate("localStorage.setItem('openrummy.sound', 'off')")
    before = page.evaluate("window.heard")
    drawn = hand_of(table, seat)["drawn"]
    assert act(table, seat, kind="discard", card=drawn).refusal is None
    expect_cards(page, 13)
    assert page.evaluate("window.heard") == before
    # The tests' browser asks for reduced motion.
    assert page.evaluate("matchMedia('(prefers-reduced-motion)').matches")
    assert page.evaluate("window.travelled") == []
