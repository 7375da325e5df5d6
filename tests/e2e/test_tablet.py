"""Between a phone and a desk: header and dock have room for everything that they hold."""

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.e2e.inspection import resize, too_wide
from tests.e2e.seated import PATIENCE, table_of_two
from tests.e2e.world import World, make_world
from tests.tables.driving import game_view, player_at

LONGEST_NAME = "Nilakshi Bhattachary"
# Where the header changes its shape, and tablets upright and lying.
WIDTHS = (705, 768, 820, 961, 1024, 1089, 1180, 1281)
STICKS_OUT = """() => {
  const end = (name) => document.querySelector(name).getBoundingClientRect().right;
  return end(".menu > summary") > end(".site-header__inner") + 0.5;
}"""

TABLE_SIZES = (
    (360, 740),
    (667, 375),
    (740, 360),
    (768, 1024),
    (1024, 768),
    (1152, 720),
    (1217, 700),
    (1366, 650),
)
# What of the dock is not in sight as a whole, at five points of each part.
COVERED = """() => {
  const parts = document.querySelectorAll(
    ".dock button:not([data-card]):not(.hand *), .dock .me__count, .me .seat__clock");
  const found = [];
  for (const part of parts) {
    const { left, top, width, height } = part.getBoundingClientRect();
    if (width === 0) continue;
    const points = [[0.5, 0.5], [0.1, 0.3], [0.9, 0.3], [0.1, 0.7], [0.9, 0.7]];
    const isHit = ([x, y]) =>
      document.elementFromPoint(left + x * width, top + y * height)?.closest(
        "button, .me__count, .seat__clock") === part;
    if (!points.every(isHit)) found.push(part.dataset.action ?? part.className);
  }
  return found;
}"""


@pytest.fixture
def world() -> World:
    world = make_world()
    world.nila.player_name = LONGEST_NAME
    world.nila.save()
    return world


def test_nothing_overflows_at_any_width(visit, world, longest_texts):
    faults: list[str] = []
    with visit(world.nila, language=longest_texts) as visitor:
        visitor.visit("/tournaments/")
        for width in WIDTHS:
            resize(visitor.page, ViewportSize(width=width, height=800))
            faults += [f"at {width}: {fault}" for fault in too_wide(visitor.page)]
            if visitor.page.evaluate(STICKS_OUT):
                faults.append(f"at {width}: the header is too full")
    assert not faults, "\n".join(faults)


def test_no_button_of_the_table_covers_another(
    visit,
):  # With a card of the toss beside the clock, five buttons, and the longest name.
    table = table_of_two(offers_arrangement=True)
    seat = game_view(table)["turn"]
    user = player_at(table, seat)
    user.player_name = LONGEST_NAME
    user.save()
    covered: list[str] = []
    with visit(user) as visitor:
        visitor.open_table(table)
        for width, height in TABLE_SIZES:
            resize(visitor.page, ViewportSize(width=width, height=height))
            expect(visitor.page.locator('[data-action="drop"]')).to_be_visible(timeout=PATIENCE)
            expect(visitor.page.locator('[data-action="best"]')).to_be_visible()
            expect(visitor.page.locator('[data-region="me"] .seat__toss')).to_be_visible()
            found = visitor.page.evaluate(COVERED)
            covered += [f"at {width} x {height}: {name}" for name in found]
    assert not covered, "\n".join(covered)
