"""Play for cash in rupees, by a player without chips."""

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from tables.models import Seat, Table
from tests.e2e.seated import PATIENCE, expect_online
from tests.e2e.world import sign_in
from tests.points_tables import open_points_table
from tests.tables.driving import act, game_view, let_time_pass, play_a_turn, seat_all
from tests.wallet.cash_players import bring_deposit, make_player, read_cash
from wallet import api as wallet
from wallet.ledger.balances import get_player_balances, get_seat_balances
from wallet.models import FeeSchedule
from wallet.money import Currency

LEAST = 20_000


@pytest.fixture
def table() -> Table:
    """A cash table. The least buy-in is 200 rupees."""
    terms = {"game": "indian", "format": "POINTS", "currency": "INR", "stake_from": 1}
    FeeSchedule.objects.create(**terms, rake_bps=1_000, valid_from=timezone.now())
    opened = open_points_table(point_value=250, currency=Currency.INR)
    assert opened.min_buy_in == LEAST
    return opened


def player_with(paise: int, name: str = "Asha") -> User:
    user: User = make_player(name)
    bring_deposit(user, paise)
    assert get_player_balances(user.pk).chips == 0
    return user


def dialog_of(page: Page, site: str, table: Table, user: User) -> Locator:
    sign_in(page.context, site, user)
    page.goto(f"{site}/tables/{table.pk}/")
    expect_online(page)
    page.locator('[data-action="sit"][data-seat="0"]').click()
    return page.locator('[data-dialog="sit"]')


def stack_of(user: User) -> int:
    sitting = Seat.objects.get(user=user, left_at=None)
    return get_seat_balances([sitting.pk], currency=Currency.INR)[sitting.pk]


def test_a_seat_is_bought_for_cash(page, live_site, table):
    asha = player_with(45_000)
    dialog = dialog_of(page, live_site, table, asha)
    expect(dialog).to_contain_text("At least ₹200; you can bring up to ₹450.")
    amount = dialog.get_by_label("Bring to the table, in rupees")
    expect(amount).to_have_value("450")
    amount.fill("312.50")
    dialog.get_by_role("button", name="Sit down").click()
    expect(page.locator('[data-action="sit"][data-seat="0"]')).to_have_count(0, timeout=PATIENCE)
    assert stack_of(asha) == 31_250
    assert read_cash(asha).total == 13_750


def test_too_little_cash_is_reported_in_rupees(page, live_site, table):
    asha = player_with(19_900)
    wallet.grant_welcome_chips(user_id=asha.pk)  # chips are worth nothing here
    dialog = dialog_of(page, live_site, table, asha)
    expect(dialog).to_contain_text("This table asks for at least ₹200; you can bring only ₹199.")
    expect(dialog.get_by_role("button", name="Sit down")).to_be_disabled()


def test_a_small_stack_is_topped_up_as_far_as_the_cash_goes(page, live_site, table):
    asha, ravi = player_with(45_000), player_with(45_000, "Ravi")
    seat_all(table, asha, ravi, amount=LEAST)
    let_time_pass(table)
    if game_view(table)["turn"] == 1:
        play_a_turn(table)
    assert act(table, 0, kind="drop").refusal is None
    lost = LEAST - stack_of(asha)
    assert lost > 0
    sign_in(page.context, live_site, asha)
    page.goto(f"{live_site}/tables/{table.pk}/")
    ask = page.locator('[data-region="ask"]')
    # The usual amount, three times the minimum, would be more than the wallet has.
    ask.get_by_role("button", name="Bring ₹250").click()
    expect(page.locator('[data-region="ask"]')).to_be_hidden(timeout=PATIENCE)
    assert stack_of(asha) == 45_000 - lost
    assert read_cash(asha).total == 0
