"""R4.1: whoever plays after me sits at my left hand, and so on around the table."""

from playwright.sync_api import expect

from accounts.models import User
from tables.models import Table
from tables.seating.opening import TableTerms, open_table
from tests.e2e.seated import PATIENCE, open_page
from tests.tables.driving import act, game_view, start_match
from wallet import api as wallet

SEATS = 5
AROUND = """() => [...document.querySelectorAll('[data-region="seats"] [data-seat]')]
  .map((seat) => [Number(seat.dataset.seat), seat.dataset.place])"""
# From the left hand of whoever looks, clockwise, for four others.
PLACES = ["l", "tl", "tr", "r"]


def table_of_five() -> Table:
    """One whose order of play is another than that of the seats."""
    people = []
    for number in range(SEATS):
        name = f"Player {number}"
        user = User.objects.create_user(f"o{number}@example.com", None, player_name=name)
        wallet.grant_welcome_chips(user_id=user.pk)
        people.append(user)
    opened = open_table(
        TableTerms(game="indian", preset="points", name="Neem Room", max_seats=SEATS, point_value=1)
    )
    return start_match(opened, *people)


def rotate_after(order: list[int], seat: int) -> list[int]:
    at = order.index(seat)
    return [*order[at + 1 :], *order[:at]]


def test_the_others_sit_in_the_order_of_play(browser, live_site):
    table = table_of_five()
    order = game_view(table)["order"]
    with browser.new_context() as context, browser.new_context() as beside:
        pages = {0: context.new_page(), 3: beside.new_page()}
        for own, page in pages.items():
            assert rotate_after(order, own) != rotate_after(list(range(SEATS)), own)
            open_page(page, live_site, table, own)
            around = page.evaluate(AROUND)
            assert [seat for seat, _place in around] == rotate_after(order, own)
            assert [place for _seat, place in around] == PLACES
        # The one whose turn it is goes out; nobody changes places for it.
        assert act(table, order[0], kind="drop").refusal is None
        for own, page in pages.items():
            expect(page.locator(f'[data-seat="{order[0]}"]')).to_contain_text(
                "dropped", timeout=PATIENCE
            )
            assert [seat for seat, _place in page.evaluate(AROUND)] == rotate_after(order, own)
