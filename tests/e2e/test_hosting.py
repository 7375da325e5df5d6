"""Friends at a private table wait for each other until their host presses Start."""

import pytest
from playwright.sync_api import expect

from tables.models import Match
from tests.e2e.seated import NOTICE, PATIENCE, button, expect_cards
from tests.e2e.world import make_player
from tests.given import reload
from tests.tables.driving import make_kind, open_and_sit


@pytest.mark.usefixtures("clock", "hurried_bots")
def test_the_host_starts_a_match_of_two_at_a_table_for_three(visit):
    nila, ravi = make_player("Nila"), make_player("Ravi")
    table = open_and_sit(make_kind(preset="pool101", max_seats=3, entry_fee=100), nila)
    path = f"/tables/{table.pk}/?invite={table.invite_code}"
    with visit(nila) as host, visit(ravi) as guest:
        host.visit(path)
        start = button(host.page, "Start")
        expect(host.page.locator(NOTICE)).to_have_text("1 of 3 are here: waiting for the others")
        expect(start).to_be_hidden()
        guest.visit(path)
        guest.page.get_by_role("button", name="Sit here").first.click()
        asked = guest.page.locator('dialog[data-dialog="sit"]')
        expect(asked).to_contain_text("The entry fee of a match is 100 chips")
        expect(asked.get_by_role("spinbutton")).to_be_hidden()
        asked.get_by_role("button", name="Sit down for 100 chips").click()
        expect(guest.page.locator(NOTICE)).to_have_text(
            "Nila starts the match when all are here", timeout=PATIENCE
        )
        expect(button(guest.page, "Start")).to_be_hidden()
        expect(host.page.locator(NOTICE)).to_have_text(
            "Press Start when all your friends are here", timeout=PATIENCE
        )
        assert reload(table).deadline_at is None
        start.click()
        for visitor in (host, guest):
            expect_cards(visitor.page, 13)
    assert len(Match.objects.get().players) == 2
