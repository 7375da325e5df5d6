"""The wallet's page and the balance in every header, as a browser shows them."""

import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, Page, expect

from accounts.models import User
from tests.tables.socket_client import session_of
from wallet import services as wallet
from wallet.money import Currency


@pytest.fixture
def asha(transactional_db: None, live_site: str, context: BrowserContext) -> User:
    """Signed in, with 10,000 chips."""
    user = User.objects.create_user("asha@example.com", player_name="Asha")
    wallet.grant_welcome_chips(user_id=user.pk)
    name = settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": session_of(user), "url": live_site}])
    return user


def test_the_balance_follows_the_money_on_every_open_page(
    page: Page, browser: Browser, live_site: str, asha: User
) -> None:
    page.goto(f"{live_site}/rules/")
    wallet_page = page.context.new_page()
    wallet_page.goto(f"{live_site}/wallet/")
    in_header = page.locator('[data-region="balance"] [data-balance-of="chips"]')
    in_wallet = wallet_page.locator('[data-region="wallet-chips"]')
    expect(in_header).to_have_text("10,000")
    expect(in_wallet).to_have_text("10,000")
    chips = Currency.CHIPS
    wallet.buy_in(user_id=asha.pk, seat_id=7, amount=400, currency=chips, key="in:7")
    expect(in_header).to_have_text("9,600", timeout=30_000)
    expect(in_wallet).to_have_text("9,600", timeout=30_000)
    wallet.cash_out(user_id=asha.pk, seat_id=7, currency=chips, key="out:7")
    expect(in_header).to_have_text("10,000", timeout=30_000)
    # Read out where somebody looks at his money, and nowhere else.
    assert in_wallet.evaluate("element => element.closest('[aria-live]') !== null")
    assert in_header.evaluate("element => element.closest('[aria-live]') === null")
