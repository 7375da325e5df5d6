"""The page "Set up your site" by keyboard: a test mail, a decision to do without, and finished steps folded."""

from playwright.sync_api import Page, expect

from accounts.models import User
from core.models import SetupNote
from tests.core.emails.mail_sink import mail_sink
from tests.wallet.cash_players import make_staff


def press(page: Page, words: str) -> None:
    """Reach a button only by keyboard, and press it."""
    for _step in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == words:
            page.keyboard.press("Enter")
            page.wait_for_load_state()
            return
    raise AssertionError(words)


def test_a_new_operator_sets_the_site_up(visit, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.DEFAULT_FROM_EMAIL = "Neem <play@example.com>"
    boss = make_staff("Boss")
    with mail_sink() as server, visit(boss) as visitor:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address[:2]
        page = visitor.page
        visitor.visit("/admin/")
        page.click("[data-region=setup] a")
        left = page.locator("[data-region=setup-left] > li")
        number = left.count()
        press(page, f"Send a test e-mail to {boss.email}")
        expect(page.locator(".messagelist")).to_contain_text("has accepted an e-mail")
        expect(left).to_have_count(number - 1)
        press(page, "The database's host makes the backups")
        expect(left).to_have_count(number - 2)
        done = page.locator("[data-region=setup-done] li#backups")
        expect(done).to_be_hidden()
        page.click("[data-region=setup-done] summary")
        expect(done).to_contain_text("The database's host makes the backups")
        done.locator("text=Take back").click()
        expect(left).to_have_count(number - 1)
    assert server.recipients == [User.objects.get(pk=boss.pk).email]
    assert [*SetupNote.objects.values_list("code", flat=True)] == ["mail"]
