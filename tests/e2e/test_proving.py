"""A player without a password confirms their identity in a browser, and then goes on with their action."""

import re
from typing import Any

from allauth.socialaccount.models import SocialAccount
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import User
from tests.e2e.inspection import faults_at_sizes
from tests.e2e.world import cookie
from tests.tables.socket_client import session_of

NUMBER = "+919876543210"


def test_a_code_opens_the_page_that_was_wanted(
    context: BrowserContext, page: Page, live_site: str, asha: User, settings: Any
) -> None:
    settings.SHOW_MAIL_LINKS = True
    asha.set_unusable_password()
    asha.save()
    SocialAccount.objects.create(user=asha, provider="phone", uid=NUMBER)
    context.add_cookies([cookie(live_site, "sessionid", session_of(asha))])

    page.goto(f"{live_site}/accounts/tokens/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Prove that it is you")
    assert faults_at_sizes(page) == []
    page.get_by_role("button", name=f"Send a code to {NUMBER}").click()
    expect(page.get_by_role("link", name="Another way, or a new code")).to_be_visible()
    assert faults_at_sizes(page) == []
    [code] = re.findall(r"\b\d{6}\b", page.get_by_role("main").inner_text())
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("API tokens")
