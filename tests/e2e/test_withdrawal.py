"""A winner who confirms their identity and withdraws, and an administrator who approves the payout."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.accounts.images import png
from tests.e2e.world import PASSWORD, give_password, make_player, sign_in
from tests.wallet.cash_players import bring_deposit, bring_winnings, make_staff, set_rules
from tests.wallet.withdrawals.test_payouts import call_back
from wallet.models import Withdrawal
from wallet.tasks import send_payouts


@pytest.mark.usefixtures("private", "fresh_rate_limits")
def test_winnings_are_withdrawn(page, new_context, live_site, settings):
    settings.PAYMENT_OPTIONS = {"SANDBOX_URL": live_site}
    set_rules()
    asha = make_player("Asha", PASSWORD)
    bring_deposit(asha, 100_000)
    bring_winnings(asha, 200_000)

    page.goto(f"{live_site}/accounts/login/")
    give_password(page, asha)
    page.goto(f"{live_site}/wallet/")
    page.get_by_role("link", name="Withdraw").click()
    page.locator('[data-region="identity-needed"]').get_by_role("link").click()
    send_documents(page)

    office = new_context().new_page()
    sign_in(office.context, live_site, make_staff("Boss"))
    decide(office, f"{live_site}/admin/accounts/identitycheck/", "Approve")
    ask_for_money(page, live_site)
    decide(office, f"{live_site}/admin/wallet/withdrawal/", "Approve")
    assert send_payouts() == 1
    call_back(Withdrawal.objects.get())
    page.reload()
    expect(page.locator('[data-region="withdrawal-state"]')).to_have_text(re.compile("paid"))
    page.goto(f"{live_site}/wallet/?account=winnings")
    expect(page.locator('[data-region="statement"]')).to_contain_text("Tax deducted (TDS)")


def ask_for_money(page: Page, site: str) -> None:
    page.goto(f"{site}/wallet/withdrawals/")
    page.get_by_label("Amount in rupees").fill("1500")
    page.get_by_label("Your UPI address").fill("asha@upi")
    page.get_by_role("button", name="Show what I get").click()
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main form button[type=submit]").first.click()
    expect(page.locator('[data-region="quote"]')).to_contain_text("₹1,350.00")
    page.locator("main").get_by_role("button", name="Withdraw").click()
    expect(page.locator('[data-region="withdrawal-state"]')).to_have_text(
        re.compile("waiting for approval")
    )


def send_documents(page: Page) -> None:
    page.get_by_label("Full name").fill("Asha Rao")
    page.get_by_label("Date of birth").fill("1990-01-31")
    page.get_by_label("Document number").fill("ABCDE1234F")
    page.get_by_label("Photo of the front").set_input_files(
        {"name": "pan.png", "mimeType": "image/png", "buffer": png()}
    )
    page.get_by_role("button", name="Send for checking").click()
    expect(page.locator('[data-region="identity-state"]')).to_have_text(re.compile("being checked"))


def decide(office: Page, queue: str, button: str) -> None:
    """Decide the only case in this queue, with the given button."""
    office.goto(queue)
    office.locator("#result_list tbody a").first.click()
    office.locator("textarea[name=reason]").fill("All is in order.")
    office.get_by_role("button", name=button).click()
    expect(office.locator(".messagelist li")).to_be_visible()
