"""Three ways each to draw, to discard and to finish: buttons, dragging and the keyboard."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.inspection import measure_box
from tests.e2e.seated import (
    CARDS,
    DRAW_CLOSED,
    PATIENCE,
    button,
    draw_for,
    expect_cards,
    open_page,
)
from tests.tables.driving import game_view, hand_of, play_a_turn

# A button is pressed right after the finger's drag, because browsers send no click after such a drag.
WAYS = ("drag", "touch", "button", "key")
OPEN_PILE = '[data-drop="open"]'
STEPS = 12
SLOT = '[data-drop="finish"]'


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, object]) -> dict[str, object]:
    return {**browser_context_args, "has_touch": True}


def test_cards_are_drawn_and_discarded_in_each_way(page, live_site, table, seat):
    open_page(page, live_site, table, seat)
    for way in (*WAYS, "twice"):
        draw(page, way)
        assert len(hand_of(table, seat)["hand"]) == 14
        thrown = discard(page, way)
        assert game_view(table)["open_pile"][-1] == thrown
        play_a_turn(table)


def draw(page: Page, way: str) -> None:
    pile = page.locator(DRAW_CLOSED)
    expect(pile).to_be_enabled(timeout=PATIENCE)
    if way in ("button", "twice"):
        pile.click()
    elif way == "key":
        page.keyboard.press("c")
    else:
        drag(page, pile, page.locator('[data-region="hand"] .group').last, way)
    expect_cards(page, 14)


def discard(page: Page, way: str) -> str | None:
    """Discard the first card in the given way. Return it."""
    card = page.locator(CARDS).first
    name = card.get_attribute("data-card")
    if way == "button":
        choose(card)
        button(page, "Discard").click()
    elif way == "twice":
        card.dblclick(position={"x": 8, "y": 20})
    elif way == "key":
        card.focus()
        page.keyboard.press("d")
    else:
        drag(page, card, page.locator(OPEN_PILE), way)
    expect_cards(page, 13)
    return name


def test_the_fourteenth_card_finishes_in_each_way(page, live_site, table):
    seat = draw_for(table)
    open_page(page, live_site, table, seat)
    name = page.locator(CARDS).first.get_attribute("data-card")
    dialog = page.locator('[data-dialog="confirm"]')
    for way in WAYS:
        finish(page, way)
        expect(dialog).to_be_visible()
        assert game_view(table)["finish"] is None
        if way != WAYS[-1]:
            page.keyboard.press("Escape")
            expect(dialog).to_be_hidden()
            page.keyboard.press("Escape")  # clears the selection
    dialog.get_by_role("button", name="Declare", exact=True).click()
    expect(page.locator('[data-action="declare"]')).to_be_visible(timeout=PATIENCE)
    assert game_view(table)["finish"] == {"seat": seat, "card": name}


def finish(page: Page, way: str) -> None:
    """Put the first card into the finish slot in the given way."""
    card = page.locator(CARDS).first
    if way == "button":
        choose(card)
        button(page, "Declare").click()
    elif way == "key":
        card.focus()
        page.keyboard.press("f")
    else:
        drag(page, card, page.locator(SLOT), way)


def choose(card: Locator) -> None:
    # Cards overlap: the visible strip is at the left.
    card.click(position={"x": 8, "y": 20})


def drag(page: Page, what: Locator, onto: Locator, way: str) -> None:
    """Drag by mouse or finger in small steps, from the visible left edge of `what` to the middle of `onto`."""
    box, goal = measure_box(what), measure_box(onto)
    start = (box["x"] + 8, box["y"] + 20)
    end = (goal["x"] + goal["width"] / 2, goal["y"] + goal["height"] / 2)
    if way == "touch":
        drag_by_finger(page, start, end)
        return
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=STEPS)
    page.mouse.up()


def drag_by_finger(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    devtools = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        told = {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        devtools.send("Input.dispatchTouchEvent", told)

    touch("touchStart", start)
    for step in range(STEPS + 1):
        part = step / STEPS
        x, y = (a + (b - a) * part for a, b in zip(start, end, strict=True))
        touch("touchMove", (x, y))
    touch("touchEnd")


TOPS = """async (card) => {
  const tops = [];
  for (let frame = 0; frame < 8; frame += 1) {
    await new Promise(requestAnimationFrame);
    tops.push(Math.round(card.getBoundingClientRect().top));
  }
  return tops;
}"""


def test_a_card_rests_under_a_pointer_at_its_lower_edge(page, live_site, table, seat):
    """Otherwise the raised card would leave the pointer, fall, and rise again without end."""
    open_page(page, live_site, table, seat)
    card = page.locator(CARDS).last
    expect(card).to_be_visible(timeout=PATIENCE)
    box = measure_box(card)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 2)
    page.wait_for_timeout(500)
    assert len(set(card.evaluate(TOPS))) == 1
