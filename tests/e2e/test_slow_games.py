"""A slow game in a browser: a date in the place of a clock, nobody is away, and a list of its own."""

import re

from playwright.sync_api import Browser, expect

from games.engine.paces import pace_fields
from games.registry import get_game
from tables.models import Table
from tables.seating.opening import TableTerms, open_table
from tables.seating.sitting import take_seat
from tests.e2e.visitor import visit_as
from tests.e2e.world import make_player
from tests.tables.driving import game_view, let_time_pass, player_at

CODE = "abcdefghijkl"
DATE = re.compile(r"^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d:\d\d$")


def open_slow_table() -> Table:
    book = get_game("indian").rules
    changes = pace_fields(book, book.preset("points"), "slow")
    table = open_table(
        TableTerms(
            game="indian",
            preset="points",
            name="Banyan Court",
            max_seats=2,
            invite_code=CODE,
            changes=changes,
        )
    )
    for name in ("Nila", "Ravi"):
        take_seat(table_id=table.pk, user_id=make_player(name).pk, amount=0, invite=CODE)
    let_time_pass(table)
    return table


def test_a_slow_game_is_calm(browser: Browser, transactional_db: None, live_site: str) -> None:
    table = open_slow_table()
    turn = game_view(table)["turn"]
    waiting, playing = player_at(table, 1 - turn), player_at(table, turn)
    with visit_as(browser, live_site, waiting) as visitor:
        visitor.visit(f"/tables/{table.pk}/")
        other = visitor.page.locator(f'[data-region="seats"] [data-seat="{turn}"]')
        expect(other.locator(".seat__clock")).to_have_text(DATE)
        # The others know that nobody is connected, and say nothing of it.
        expect(other).not_to_have_class(re.compile("seat--away"))
        visitor.visit("/")
        listed = visitor.page.locator(".own-tables--slow")
        expect(listed).to_contain_text(f"Waiting for {playing.player_name}")
        assert visitor.faults == []
