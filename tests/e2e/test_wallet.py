"""The wallet's page, and the balance in the header of every page."""

from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, expect

from accounts.models import User
from tests.e2e.inspection import SMALL_PHONE, too_wide
from tests.e2e.visitor import await_groups
from tests.e2e.world import sign_in
from tests.wallet.cash_players import make_staff, may_withdraw
from wallet import api as wallet
from wallet.money import Currency
from wallet.withdrawals.requesting import WithdrawalRequest, request_withdrawal
from wallet.withdrawals.steps import approve_withdrawal


@pytest.fixture(autouse=True)
def _signed_in(context: BrowserContext, live_site: str, asha: User) -> None:
    sign_in(context, live_site, asha)


def test_the_balance_follows_the_money_on_every_open_page(page, browser, live_site, asha):
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
    # Screen readers announce the balance in the wallet, but not the one in the header.
    assert in_wallet.evaluate("element => element.closest('[aria-live]') !== null")
    assert in_header.evaluate("element => element.closest('[aria-live]') === null")


def test_the_chart_is_drawn_in_the_colours_of_the_theme(page, live_site, asha):
    for number in range(1, 6):
        seat: dict[str, Any] = {
            "seat_id": number,
            "currency": Currency.CHIPS,
            "key": f"in:{number}",
        }
        wallet.buy_in(user_id=asha.pk, amount=number * 100, **seat)
    page.goto(f"{live_site}/wallet/")
    chart = page.locator('[data-region="balance-chart"]')
    for theme, line in {"dark": [70, 207, 156], "light": [11, 107, 77]}.items():
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        expect(chart.locator("canvas")).to_be_visible()
        page.wait_for_function(IS_DRAWN, arg=line)
    expect(chart).to_contain_text(
        "10,000 at the start, 8,500 at the end, between 8,500 and 10,000."
    )
    plot = chart.locator(".u-over")
    width = plot.evaluate("element => element.clientWidth")
    plot.hover(position={"x": width - 2, "y": 40})
    expect(chart.locator(".chart__at")).to_contain_text(": 8,500")
    page.set_viewport_size(SMALL_PHONE)
    page.wait_for_function("() => document.querySelector('.chart canvas').clientWidth < 360")
    assert too_wide(page) == []


# Tells whether the canvas contains enough pixels of this colour for a line.
IS_DRAWN = """([red, green, blue]) => {
  const canvas = document.querySelector(".chart canvas");
  if (canvas === null || canvas.width === 0) return false;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let found = 0;
  for (let at = 0; at < data.length; at += 4) {
    const off = [red, green, blue].map((part, of) => Math.abs(data[at + of] - part));
    if (Math.max(...off) < 6 && data[at + 3] > 200) found += 1;
  }
  return found > 100;
}"""


def test_the_page_of_a_withdrawal_updates_live(page, live_site, asha):
    boss = make_staff("Boss")
    may_withdraw(asha, boss)
    now = timezone.now()
    wanted = WithdrawalRequest("w1", 100_000, 70_000, "asha@upi")
    withdrawal = request_withdrawal(user_id=asha.pk, wanted=wanted, now=now)
    with await_groups(page):
        page.goto(f"{live_site}/wallet/withdrawals/w1/")
    state = page.locator('[data-region="withdrawal-state"]')
    expect(state).to_have_text("waiting for approval")
    approve_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk)
    expect(state).to_have_text("approved", timeout=30_000)
    expect(page.get_by_role("button", name="Cancel this withdrawal")).to_have_count(0)
