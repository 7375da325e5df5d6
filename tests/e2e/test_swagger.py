"""Swagger UI, the page for trying out the API, under the site's content security policy.

The fixture `watch_faults` of tests/e2e/conftest.py fails a test on a console error or a policy violation.
"""

import json
from typing import Any

from playwright.sync_api import Locator, Page, expect

from accounts.api_tokens.services import make_token
from accounts.models import Scope
from tests.e2e.seated import PATIENCE
from tests.e2e.world import sign_in
from wallet.models import DepositLimit


def open_operation(page: Page, name: str) -> Locator:
    """Open an operation of the page so that it can be filled in."""
    block = page.locator(f"#operations-{name}")
    block.locator(".opblock-summary-control").click(timeout=PATIENCE)
    block.get_by_role("button", name="Try it out").click(timeout=PATIENCE)
    return block


def execute(block: Locator) -> Any:
    """Send the request. Return the body of the answer, whose status must be 200."""
    block.get_by_role("button", name="Execute").click(timeout=PATIENCE)
    answer = block.locator(".live-responses-table tbody tr.response").first
    expect(answer.locator(".response-col_status")).to_have_text("200", timeout=PATIENCE)
    return json.loads(answer.locator(".highlight-code code").first.inner_text())


def test_the_api_console_works_by_session_and_by_token(page, live_site, asha):
    sign_in(page.context, live_site, asha)
    answer = page.goto(f"{live_site}/api/v1/docs/try/")
    assert answer is not None
    assert "unsafe" not in answer.headers["content-security-policy"]
    expect(page.locator("h1")).to_have_count(1)
    assert execute(open_operation(page, "wallet-balances"))["chips"] == 10_000
    # A request that changes data carries the CSRF token.
    block = open_operation(page, "wallet-limit_deposits")
    block.locator("textarea").fill('{"period": "DAY", "amount": 50000}')
    assert execute(block)["deposits"][0]["amount"] == 50_000
    assert DepositLimit.objects.get(user=asha).amount == 50_000
    # A program has a token but no session.
    page.context.clear_cookies()
    _token, text = make_token(user_id=asha.pk, name="mine", scopes=[Scope.READ])
    enter_token(page, text)
    assert execute(open_operation(page, "account-account")) == {
        "id": asha.pk,
        "name": "Asha",
        "email": "asha@example.com",
        "bot": False,
        "language": asha.language,
        "face": asha.shown_face,
        "preferences": {},
        "scopes": ["read"],
    }


def enter_token(page: Page, text: str) -> None:
    page.locator(".auth-wrapper button.authorize").first.click(timeout=PATIENCE)
    field = page.locator("#auth-bearer-value")
    field.fill(text, timeout=PATIENCE)
    form = page.locator(".auth-container").filter(has=field)
    form.locator("button.authorize").click(timeout=PATIENCE)
    # The entered token is not shown again.
    expect(field).to_have_count(0, timeout=PATIENCE)
    page.locator(".dialog-ux .btn-done").first.click(timeout=PATIENCE)
