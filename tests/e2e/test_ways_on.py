"""A result says who played, also when their seats are empty, and what its reader can do next."""

import pytest
from django.conf import LazySettings
from playwright.sync_api import Page, expect

from tables.models import SeatStatus
from tables.seating.sitting import leave_table
from tests.e2e.seated import PATIENCE, open_page, table_of_two
from tests.tables.driving import act, player_at
from wallet.ledger.balances import seat_balances
from wallet.money import Currency

GAMES = {
    "indian": {"game": "indian", "preset": "pool101"},
    "gin": {"game": "gin", "preset": "game100"},
    "basic": {"game": "basic", "preset": "race100"},
    "contract": {"game": "contract", "preset": "contract"},
    "rummikub": {"game": "rummikub", "preset": "session4"},
}
RESULT = '[data-region="result"]'


@pytest.fixture(autouse=True)
def _offered(settings: LazySettings) -> None:
    settings.GAMES_OFFERED = list(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_that_ends_while_seats_are_emptied_keeps_its_names(
    game: str, page: Page, live_site: str, transactional_db: None
) -> None:
    table = table_of_two(**GAMES[game], point_value=0, entry_fee=100)
    loser, winner = player_at(table, 0), player_at(table, 1)
    open_page(page, live_site, table, 0)
    for player in (loser, winner):
        leave_table(table_id=table.pk, user_id=player.pk)
    assert not table.sittings.exclude(status=SeatStatus.LEFT).exists()
    result = page.locator(RESULT)
    expect(result.locator("h2")).to_have_text("The match goes to Player 2", timeout=PATIENCE)
    names = result.locator(".result__player strong").all_inner_texts()
    assert {name.removeprefix("★ ") for name in names} <= {"Player 1", "Player 2"}
    fee = result.locator('[data-region="result-fee"]')
    expect(fee).to_have_text(
        "You lose 100 chips. Pot 200 chips, service fee 10%: 20 chips, to Player 2: 180 chips."
    )
    expect(result.get_by_role("link", name="To the lobby")).to_be_visible()
    result.get_by_role("button", name="Play again").click()
    expect(page.locator('dialog[data-dialog="sit"]')).to_be_visible()


def test_a_player_who_stays_pays_for_the_next_match_below_the_result(
    page: Page, live_site: str, transactional_db: None
) -> None:
    table = table_of_two(**GAMES["gin"], point_value=0, entry_fee=100)
    open_page(page, live_site, table, 1)
    leave_table(table_id=table.pk, user_id=player_at(table, 0).pk)
    result = page.locator(RESULT)
    expect(result.locator("h2")).to_have_text("You win the match", timeout=PATIENCE)
    expect(result.locator('[data-region="result-fee"]')).to_have_text(
        "You win 80 chips. Pot 200 chips, service fee 10%: 20 chips, to you: 180 chips."
    )
    expect(result.get_by_role("button", name="Leave")).to_be_visible()
    result.get_by_role("button", name="Play again: 100 chips").click()
    expect(result.get_by_role("button", name="Go on")).to_be_visible(timeout=PATIENCE)
    sitting = table.sittings.get(number=1, left_at=None)
    assert seat_balances([sitting.pk], currency=Currency.CHIPS) == {sitting.pk: 100}


def test_between_two_deals_one_goes_on(page: Page, live_site: str, transactional_db: None) -> None:
    table = table_of_two(**GAMES["indian"], point_value=0, entry_fee=100)
    open_page(page, live_site, table, 0)
    assert act(table, 0, kind="drop").refusal is None
    result = page.locator(RESULT)
    expect(result).to_be_visible(timeout=PATIENCE)
    expect(result.get_by_role("button", name="Leave")).to_be_hidden()
    result.get_by_role("button", name="Go on").click()
    expect(result).to_be_hidden()
