"""A bot that plays for an absent player at a free private table, and gives the seat back."""

import pytest
from playwright.sync_api import expect

from tests.e2e.seated import DIALOG, MOVES, NOTICE, PATIENCE, table_of
from tests.tables.driving import game_view, player_at


@pytest.mark.usefixtures("clock", "hurried_bots")
def test_a_bot_plays_on_until_its_player_is_back(visit, live_site):
    table = table_of(3, point_value=0, entry_fee=0, invite_code="abcdefghijkl", bots_take_over=True)
    seat = game_view(table)["turn"]
    player = player_at(table, seat)
    with visit(player) as visitor:
        page = visitor.page
        visitor.open_table(table)
        page.locator(".bar").get_by_role("button", name="Leave").click()
        asked = page.locator(DIALOG)
        expect(asked).to_contain_text("A bot plays on for you.")
        asked.locator('[data-action="confirm"]').click()
        page.wait_for_url(f"{live_site}/")
        expect(page.locator(".message")).to_contain_text("A bot plays on for you.")
        mine = page.get_by_role("region", name="Your tables")
        expect(mine).to_contain_text("A bot plays for you")
        mine.get_by_role("link").click()
        expect(page.locator(NOTICE)).to_have_text("A bot plays for you.")
        strip = page.locator('[data-region="stand-in"]')
        expect(strip).to_contain_text("A bot plays for you.")
        expect(page.locator(MOVES)).to_contain_text("A bot plays on for you.", timeout=PATIENCE)
        page.wait_for_function(
            f"() => document.querySelectorAll('.seat--acting:not([data-seat=\"{seat}\"])').length"
        )
        strip.get_by_role("button", name="I am back").click()
        played = page.locator('dialog[data-dialog="away"]')
        expect(played.get_by_role("listitem")).to_have_count(2, timeout=PATIENCE)
        played.get_by_role("button", name="Go on").click()
        expect(strip).to_be_hidden()
    assert not table.sittings.filter(bot_since__isnull=False).exists()
