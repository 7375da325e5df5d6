"""A slow game in a browser: a date instead of a clock, no absent players, and a list of its own."""

import re

from playwright.sync_api import expect

from games.engine.paces import pace_fields
from games.registry import get_game
from tables.models import Table
from tests.e2e.world import make_player
from tests.points_tables import open_points_table
from tests.tables.driving import FREE, game_view, player_at, start_match

DATE = re.compile(r"^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d:\d\d$")


def open_slow_table() -> Table:
    book = get_game("indian").rules
    changes = pace_fields(book, book.preset("points"), "slow")
    table = open_points_table(**FREE, changes=changes)
    return start_match(table, make_player("Nila"), make_player("Ravi"))


def test_a_slow_game_is_calm(visit):
    table = open_slow_table()
    turn = game_view(table)["turn"]
    waiting, playing = player_at(table, 1 - turn), player_at(table, turn)
    with visit(waiting) as visitor:
        visitor.visit(f"/tables/{table.pk}/")
        other = visitor.page.locator(f'[data-region="seats"] [data-seat="{turn}"]')
        expect(other.locator(".seat__clock")).to_have_text(DATE)
        # The other players' sockets are not connected, but in a slow game they are not shown as away.
        expect(other).not_to_have_class(re.compile("seat--away"))
        visitor.visit("/")
        listed = visitor.page.locator(".own-tables--slow")
        expect(listed).to_contain_text(f"Waiting for {playing.player_name}")
