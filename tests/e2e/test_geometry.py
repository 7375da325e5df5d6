"""A hand of fourteen can be hit card by card on every screen, however it is grouped."""

from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize

from tables.models import Table
from tables.seating.opening import TableTerms, open_table
from tests.e2e.inspection import LEAST_TARGET
from tests.e2e.seated import expect_cards, expect_online
from tests.e2e.world import make_player
from tests.tables.driving import act, game_view, hand_of, player_at, start_match

SCREENS = {
    "phone, upright": ViewportSize(width=360, height=740),
    "phone, lying": ViewportSize(width=740, height=360),
    "tablet": ViewportSize(width=768, height=1024),
    "desk": ViewportSize(width=1280, height=900),
}
PLAYERS = ("Nila", "Ravi", "Asha", "Bela", "Devi", "Esha")
GROUPINGS = {
    "one": (14,),
    "usual": (4, 4, 3, 3),
    "six": (3, 3, 2, 2, 2, 2),
    "uneven": (9, 1, 1, 3),
}

# For every card the side of the largest square of it that a pointer hits, looked at in a grid until
# it is large enough, and whether it lies within the window.
HIT_SQUARES = """async (enough) => {
  // A new size of the window has been answered by then.
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  const step = 4;
  const found = {};
  for (const card of document.querySelectorAll('[data-region="hand"] [data-card]')) {
    const { left, top, right, bottom } = card.getBoundingClientRect();
    let above = [];
    let largest = 0;
    for (let y = Math.ceil(top); y <= bottom && (largest - 1) * step < enough; y += step) {
      const row = [];
      for (let x = Math.ceil(left), at = 0; x <= right; x += step, at += 1) {
        const hit = document.elementFromPoint(x, y)?.closest("[data-card]") === card;
        const corner = Math.min(above[at] ?? 0, above[at - 1] ?? 0, row[at - 1] ?? 0);
        row.push(hit ? corner + 1 : 0);
        largest = Math.max(largest, row[at]);
      }
      above = row;
    }
    const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    found[card.dataset.card] = isInside ? (largest - 1) * step : -1;
  }
  return found;
}"""


@pytest.fixture
def table(live_site: str) -> Table:
    """With six seats, in the middle of the turn of whoever begins."""
    found = open_table(
        TableTerms(game="indian", preset="points", name="Banyan Court", max_seats=6, point_value=1)
    )
    start_match(found, *(make_player(name) for name in PLAYERS))
    assert act(found, game_view(found)["turn"], kind="draw", source="closed").refusal is None
    return found


def arrange(table: Table, seat: int, sizes: tuple[int, ...], rev: int) -> None:
    cards = iter(sorted(card for group in hand_of(table, seat)["groups"] for card in group))
    groups = [[next(cards) for _ in range(size)] for size in sizes]
    assert act(table, seat, kind="arrange", groups=groups, rev=rev).refusal is None


def hit_squares(page: Page) -> dict[str, Any]:
    expect_cards(page, 14)
    expect_online(page)
    found: dict[str, Any] = page.evaluate(HIT_SQUARES, LEAST_TARGET)
    return found


def test_every_card_of_a_hand_can_be_pressed(visit, table):
    seat = game_view(table)["turn"]
    user = player_at(table, seat)
    missed: list[str] = []
    with visit(user) as visitor:
        for rev, (name, sizes) in enumerate(GROUPINGS.items(), start=1):
            arrange(table, seat, sizes, rev)
            visitor.visit(f"/tables/{table.pk}/")
            for screen, size in SCREENS.items():
                visitor.page.set_viewport_size(size)
                squares = hit_squares(visitor.page)
                small = {card: side for card, side in squares.items() if side < LEAST_TARGET}
                if small:
                    missed.append(f"{screen}, {name}: {small}")
    assert not missed, "\n".join(missed)
