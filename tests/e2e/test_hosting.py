"""Friends at a private table wait for each other until their host presses Start."""

import pytest
from playwright.sync_api import Browser, expect

from tables.models import Match, Table, TableTemplate
from tests.e2e.seated import PATIENCE
from tests.e2e.visitor import visit_as
from tests.e2e.world import make_player
from tests.tables.driving import open_and_sit

NOTICE = '[data-region="notice"]'


@pytest.mark.usefixtures("clock", "hurried_bots")
def test_the_host_starts_a_match_of_two_at_a_table_for_three(
    browser: Browser, live_site: str
) -> None:
    template = TableTemplate.objects.create(
        game="indian", preset="pool101", name="Neem Room", max_seats=3, entry_fee=100
    )
    nila, ravi = make_player("Nila"), make_player("Ravi")
    table = open_and_sit(template, nila)
    path = f"/tables/{table.pk}/?invite={table.invite_code}"
    with visit_as(browser, live_site, nila) as host, visit_as(browser, live_site, ravi) as guest:
        host.visit(path)
        start = host.page.get_by_role("button", name="Start", exact=True)
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
        expect(guest.page.get_by_role("button", name="Start", exact=True)).to_be_hidden()
        expect(host.page.locator(NOTICE)).to_have_text(
            "Press Start when all your friends are here", timeout=PATIENCE
        )
        assert Table.objects.get(pk=table.pk).deadline_at is None
        start.click()
        for visitor in (host, guest):
            cards = visitor.page.locator('[data-region="hand"] [data-card]')
            expect(cards).to_have_count(13, timeout=PATIENCE)
            assert visitor.faults == []
    assert len(Match.objects.get().players) == 2
