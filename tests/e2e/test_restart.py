"""The server is replaced in the middle of a deal: who plays hardly notices."""

import signal

from playwright.sync_api import Page, expect

from tests.e2e.seated import CARDS, PATIENCE, open_page, table_of_two
from tests.tables.clock.test_supervisor import children_of, run_procfile, wait_until
from tests.tables.driving import game_view, hand_of

STATUS = '[data-region="status"]'


def test_a_deal_goes_on_when_the_server_is_replaced(page: Page, transactional_db: None) -> None:
    table = table_of_two()
    seat = game_view(table)["turn"]
    with run_procfile(CLOCK_PROCESSES="0") as (address, supervisor):
        open_page(page, address, table, seat)
        page.keyboard.press("c")
        expect(page.locator(CARDS)).to_have_count(14, timeout=PATIENCE)
        old = children_of(supervisor).keys()
        supervisor.send_signal(signal.SIGUSR1)
        wait_until(lambda: not children_of(supervisor).keys() & old)

        expect(page.locator(STATUS)).to_have_text("Connected", timeout=PATIENCE)
        on_page = page.locator(CARDS).evaluate_all("cards => cards.map(card => card.dataset.card)")
        assert sorted(on_page) == sorted(hand_of(table, seat)["hand"])
        page.locator(CARDS).last.dblclick()
        expect(page.locator(CARDS)).to_have_count(13, timeout=PATIENCE)
        wait_until(lambda: game_view(table)["turn"] != seat)
