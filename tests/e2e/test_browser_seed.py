"""A browser's addition to the next seed is in that deal's record, and the deal is honest."""

import re

from playwright.sync_api import Page, expect

from accounts.models import User
from tables.history.records import deal_record
from tables.models import Match, Table
from tables.seating.opening import TableTerms, open_table
from tests.e2e.conftest import KEEP_SEEDS
from tests.e2e.seated import PATIENCE
from tests.tables.driving import let_time_pass, play_to_the_end, seat_all
from tests.tables.records import verify
from tests.tables.socket_client import session_of
from tests.workers import wait_until
from wallet import api as wallet


def test_the_browsers_seed_enters_the_deal(
    page: Page, live_site: str, transactional_db: None
) -> None:
    players = [
        User.objects.create_user(f"s{number}@example.com", None, player_name=f"Player {number}")
        for number in (1, 2)
    ]
    for player in players:
        wallet.grant_welcome_chips(user_id=player.pk)
    table = open_table(
        TableTerms(game="indian", preset="points", name="Peepal Room", max_seats=2, point_value=1)
    )
    seat_all(table, *players)

    page.add_init_script(KEEP_SEEDS)
    page.context.add_cookies(
        [{"name": "sessionid", "value": session_of(players[0]), "url": live_site}]
    )
    page.goto(f"{live_site}/tables/{table.pk}/")
    own = page.locator('[data-region="own-seed"]')
    expect(own).to_have_text(re.compile("^[0-9a-f]{32}$"), timeout=PATIENCE)
    seed = own.text_content()
    wait_until(lambda: Table.objects.get(pk=table.pk).client_seeds == {"0": seed})

    let_time_pass(table)
    play_to_the_end(table)
    match = Match.objects.get(table=table)
    record = deal_record(match_id=match.pk, number=1)
    assert record is not None
    assert record["client_seeds"] == {"0": seed}
    code, words = verify(record)
    assert code == 0, words
