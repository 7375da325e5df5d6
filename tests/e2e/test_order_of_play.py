"""R4.1: the next player sits to the viewer's left, and so on around the table."""

from playwright.sync_api import expect

from tests.e2e.seated import PATIENCE, table_of
from tests.tables.driving import drop, game_view

SEATS = 5
AROUND = """() => [...document.querySelectorAll('[data-region="seats"] [data-seat]')]
  .map((seat) => [Number(seat.dataset.seat), seat.dataset.place])"""
# The places of four other players, clockwise from the viewer's left.
PLACES = ["l", "tl", "tr", "r"]


def rotate_after(order: list[int], seat: int) -> list[int]:
    at = order.index(seat)
    return [*order[at + 1 :], *order[:at]]


def test_the_others_sit_in_the_order_of_play(open_seats):
    table = table_of(SEATS)
    order = game_view(table)["order"]
    pages = dict(zip((0, 3), open_seats(table, 0, 3), strict=True))
    for own, page in pages.items():
        # The order of play differs from the order of seats.
        assert rotate_after(order, own) != rotate_after(list(range(SEATS)), own)
        around = page.evaluate(AROUND)
        assert [seat for seat, _place in around] == rotate_after(order, own)
        assert [place for _seat, place in around] == PLACES
    # The current player drops out. Nobody else's place on the page changes.
    drop(table)
    for own, page in pages.items():
        gone = page.locator(f'[data-seat="{order[0]}"]')
        expect(gone).to_contain_text("dropped", timeout=PATIENCE)
        assert [seat for seat, _place in page.evaluate(AROUND)] == rotate_after(order, own)
