"""Three ways each to draw, to discard and to finish: buttons, dragging and the keyboard."""

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tables.models import Table
from tests.e2e.seated import CARDS, PATIENCE, draw_for, open_page, table_of_two
from tests.tables.driving import game_view, hand_of, play_a_turn

WAYS = ("button", "drag", "touch", "key")
OPEN_PILE = '[data-drop="open"]'
SLOT = '[data-drop="finish"]'


@pytest.fixture
def table(transactional_db: None) -> Table:
    return table_of_two()


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, object]) -> dict[str, object]:
    return {**browser_context_args, "has_touch": True}


def test_cards_are_drawn_and_discarded_in_each_way(
    page: Page, live_site: str, table: Table
) -> None:
    seat = game_view(table)["turn"]
    open_page(page, live_site, table, seat)
    for way in (*WAYS, "twice"):
        draw(page, way)
        assert len(hand_of(table, seat)["hand"]) == 14
        thrown = discard(page, way)
        assert game_view(table)["open_pile"][-1] == thrown
        play_a_turn(table)


def draw(page: Page, way: str) -> None:
    pile = page.locator('[data-action="draw-closed"]')
    expect(pile).to_be_enabled(timeout=PATIENCE)
    if way in ("button", "twice"):
        pile.click()
    elif way == "key":
        page.keyboard.press("c")
    else:
        drag(page, pile, page.locator('[data-region="hand"] .group').last, way)
    expect(page.locator(CARDS)).to_have_count(14, timeout=PATIENCE)


def discard(page: Page, way: str) -> str | None:
    """Discard the first card, and return it."""
    card = page.locator(CARDS).first
    name = card.get_attribute("data-card")
    if way == "button":
        choose(card)
        page.get_by_role("button", name="Discard", exact=True).click()
    elif way == "twice":
        card.dblclick(position={"x": 8, "y": 20})
    elif way == "key":
        card.focus()
        page.keyboard.press("d")
    else:
        drag(page, card, page.locator(OPEN_PILE), way)
    expect(page.locator(CARDS)).to_have_count(13, timeout=PATIENCE)
    return name


@pytest.mark.parametrize("way", WAYS)
def test_the_fourteenth_card_finishes(page: Page, live_site: str, table: Table, way: str) -> None:
    seat = draw_for(table)
    open_page(page, live_site, table, seat)
    card = page.locator(CARDS).first
    name = card.get_attribute("data-card")
    if way == "button":
        choose(card)
        page.get_by_role("button", name="Finish", exact=True).click()
    elif way == "key":
        card.focus()
        page.keyboard.press("f")
    else:
        drag(page, card, page.locator(SLOT), way)
    dialog = page.locator('[data-dialog="confirm"]')
    expect(dialog).to_be_visible()
    assert game_view(table)["finish"] is None
    dialog.get_by_role("button", name="Finish", exact=True).click()
    expect(page.locator('[data-action="declare"]')).to_be_visible(timeout=PATIENCE)
    assert game_view(table)["finish"] == {"seat": seat, "card": name}


def choose(card: Locator) -> None:
    # Cards overlap: the visible strip is at the left.
    card.click(position={"x": 8, "y": 20})


def drag(page: Page, what: Locator, onto: Locator, way: str) -> None:
    """From the visible strip to the middle, in steps, by the mouse or by a finger."""
    start, end = what.bounding_box(), onto.bounding_box()
    assert start is not None
    assert end is not None
    path = read_line((start["x"] + 8, start["y"] + 20), centre_of(end))
    if way == "touch":
        drag_by_finger(page, path)
        return
    page.mouse.move(*path[0])
    page.mouse.down()
    for point in path:
        page.mouse.move(*point)
    page.mouse.up()


def drag_by_finger(page: Page, path: list[tuple[float, float]]) -> None:
    devtools = page.context.new_cdp_session(page)

    def touch(kind: str, points: list[tuple[float, float]]) -> None:
        devtools.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )

    touch("touchStart", path[:1])
    for point in path:
        touch("touchMove", [point])
    touch("touchEnd", [])


def read_line(start: tuple[float, float], end: tuple[float, float]) -> list[tuple[float, float]]:
    steps = 12
    return [
        tuple(a + (b - a) * step / steps for a, b in zip(start, end, strict=True))  # type: ignore[misc]
        for step in range(steps + 1)
    ]


def centre_of(box: FloatRect) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
