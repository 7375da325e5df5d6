"""A hand of fourteen can be hit card by card on every screen, however it is grouped."""

from playwright.sync_api import ViewportSize

from tables.models import Table
from tests.e2e.inspection import DESK, LEAST_TARGET, SMALL_PHONE, resize
from tests.e2e.seated import draw_for, expect_cards, table_for
from tests.e2e.world import make_player
from tests.tables.driving import act, hand_of, player_at

SCREENS = {
    "phone, upright": SMALL_PHONE,
    "phone, lying": ViewportSize(width=740, height=360),
    "tablet": ViewportSize(width=768, height=1024),
    "desk": DESK,
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
HIT_SQUARES = """(enough) => {
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


def arrange(table: Table, seat: int, sizes: tuple[int, ...], rev: int) -> None:
    cards = iter(sorted(card for group in hand_of(table, seat)["groups"] for card in group))
    groups = [[next(cards) for _ in range(size)] for size in sizes]
    assert act(table, seat, kind="arrange", groups=groups, rev=rev).refusal is None


def test_every_card_of_a_hand_can_be_pressed(visit):
    table = table_for([make_player(name) for name in PLAYERS], "Banyan Court")
    seat = draw_for(table)
    missed: list[str] = []
    with visit(player_at(table, seat)) as visitor:
        for rev, (name, sizes) in enumerate(GROUPINGS.items(), start=1):
            arrange(table, seat, sizes, rev)
            visitor.open_table(table)
            expect_cards(visitor.page, 14)
            for screen, size in SCREENS.items():
                resize(visitor.page, size)
                squares = visitor.page.evaluate(HIT_SQUARES, LEAST_TARGET)
                small = {card: side for card, side in squares.items() if side < LEAST_TARGET}
                if small:
                    missed.append(f"{screen}, {name}: {small}")
    assert not missed, "\n".join(missed)
