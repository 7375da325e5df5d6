"""The seed that a browser adds to the next deal. The deal's record contains it and is honest."""

import re

from playwright.sync_api import expect

from history.records import deal_record
from tables.models import Table
from tests.e2e.conftest import KEEP_SEEDS
from tests.e2e.seated import PATIENCE
from tests.e2e.world import make_player, sign_in
from tests.given import require
from tests.points_tables import open_points_table
from tests.tables.driving import let_time_pass, play_to_the_end, seat_all
from tests.tables.records import verify
from tests.workers import wait_until


def test_the_browsers_seed_enters_the_deal(page, live_site, nila):
    table = open_points_table()
    seat_all(table, nila, make_player("Ravi"))
    page.add_init_script(KEEP_SEEDS)
    sign_in(page.context, live_site, nila)
    page.goto(f"{live_site}/tables/{table.pk}/")
    own = page.locator('[data-region="own-seed"]')
    expect(own).to_have_text(re.compile("^[0-9a-f]{32}$"), timeout=PATIENCE)
    seed = own.text_content()
    wait_until(lambda: Table.objects.get(pk=table.pk).client_seeds == {"0": seed})

    let_time_pass(table)
    match = play_to_the_end(table)
    record = require(deal_record(match_id=match.pk, number=1))
    assert record["client_seeds"] == {"0": seed}
    code, words = verify(record)
    assert code == 0, words
