"""A server that is replaced in the middle of a deal. Its players hardly notice.

It has the settings of a local run, whose pages load separate modules instead of the bundles of other tests.
"""

import signal
from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.e2e.seated import (
    CARDS,
    PATIENCE,
    STATUS,
    expect_cards,
    list_cards,
    open_page,
)
from tests.e2e.test_shipped_table import PARTS
from tests.tables.clock.test_supervisor import children_of, run_procfile, wait_until
from tests.tables.driving import game_view, hand_of


def test_a_deal_goes_on_when_the_server_is_replaced(page, table, seat):
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(urlsplit(request.url).path))
    with run_procfile(CLOCK_PROCESSES="0") as (address, supervisor):
        open_page(page, address, table, seat)
        page.keyboard.press("c")
        expect_cards(page, 14)
        assert {f"/static/{name}" for name in PARTS} <= {*loaded}
        old = children_of(supervisor).keys()
        supervisor.send_signal(signal.SIGUSR1)
        wait_until(lambda: not children_of(supervisor).keys() & old)

        expect(page.locator(STATUS)).to_have_text("Connected", timeout=PATIENCE)
        assert list_cards(page) == sorted(hand_of(table, seat)["hand"])
        page.locator(CARDS).last.dblclick()
        expect_cards(page, 13)
        wait_until(lambda: game_view(table)["turn"] != seat)
