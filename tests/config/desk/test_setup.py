"""The page "Set up your site": each line depends on the facts, a test mail, or the decision to do without."""

import re
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.utils import timezone

from accounts.desk.staff_roles import Role
from accounts.legal_pages.services import publish
from accounts.models import User
from config.desk.setup.notes import drop_note, keep_note
from config.desk.setup.site import CHECKS
from core.administration.audit import Staff
from core.models import AuditEntry, Backup, PageVersion, SetupNote
from core.models.site import SiteIdentity
from core.site.content import refresh_site
from tables.seating.starting_tables import make_starting_tables
from tests.accounts.staff import member, office
from tests.core.emails.mail_sink import mail_sink
from tests.together import run_at_once
from tests.tournaments.conftest import make_template
from tests.wallet.cash_players import make_player, set_rules
from wallet.models import FeeSchedule, TaxRule, WithdrawalPolicy

pytestmark = pytest.mark.django_db
__all__ = ["make_template"]
PAGE = "/admin/setup/"


@pytest.fixture(autouse=True)
def _bare(settings):
    settings.CASH_PLAY = "off"
    settings.ALERT_EMAILS, settings.ALERT_WEBHOOK_URL = [], ""


def list_lines(desk, region):
    part = desk.get(PAGE).text.partition(f'data-region="setup-{region}"')[2]
    return set(
        re.findall(r'<li (?:class="module" )?id="([\w-]+)"', part.partition("setup-done")[0])
    )


def list_left(desk):
    return list_lines(desk, "left")


def test_a_line_is_done_when_the_facts_say_so(boss, settings, make_template):
    left = list_left(boss)
    assert left == {check.code for check in CHECKS} - {"withdrawals", "tax"}
    assert list_lines(boss, "done") == set()
    for address in re.findall(r'class="button default"\s+href="([^"]+)"', boss.get(PAGE).text):
        assert boss.get(address).status_code == 200, address
    identity = SiteIdentity.objects.create(name="Neem", short_name="Neem", company="Neem Ltd")
    assert list_left(boss) == left
    SiteIdentity.objects.update(postal_address="1 Neem Road, Pune")
    assert left - list_left(boss) == {"name"}
    SiteIdentity.objects.update(
        logo=b"png", logo_mark="a", brand_light="#0b6b4d", brand_dark="#46cf9c"
    )
    assert "look" not in list_left(boss)
    identity.support_email = "help@example.com"
    SiteIdentity.objects.update(support_email=identity.support_email)
    refresh_site()
    assert "support" not in list_left(boss)
    editor = make_player("Editor")
    for kind in ("terms", "privacy"):
        draft = PageVersion.objects.create(kind=kind, text="# Fair")
        assert f"/{draft.pk}/change/" in boss.get(PAGE).text
        publish(version_id=draft.pk, staff_id=editor.pk)
        assert kind not in list_left(boss)
    make_starting_tables()
    template = make_template(is_open=True)
    settings.ALERT_EMAILS = ["ops@example.com"]
    assert "tournaments" in list_left(boss)
    template.schedule = "0 20 * * sat"
    template.save()
    assert list_left(boss) == {"mail", "payments", "staff", "backups"}
    assert list_lines(boss, "done") == left - {"mail", "payments", "staff", "backups"}


def test_staff_are_two_with_second_factors(boss, settings):
    settings.ADMIN_MFA_REQUIRED = False
    assert "Give a second person a role" in boss.get(PAGE).text
    member(Role.FINANCE)
    assert "Set ADMIN_MFA_REQUIRED=1" in boss.get(PAGE).text
    settings.ADMIN_MFA_REQUIRED = True
    first, second = User.objects.filter(is_staff=True).order_by("pk")
    Authenticator.objects.create(user=first, type=Authenticator.Type.TOTP, data={})
    # Recovery codes alone are not a second factor.
    Authenticator.objects.create(user=second, type=Authenticator.Type.RECOVERY_CODES, data={})
    assert "1 without a second factor" in boss.get(PAGE).text
    Authenticator.objects.create(user=second, type=Authenticator.Type.WEBAUTHN, data={})
    assert "staff" not in list_left(boss)


def test_a_backup_counts_when_it_was_restored(boss):
    made = Backup.objects.create(name="a", size_bytes=1, made_at=timezone.now())
    assert "deploy/backup.sh check" in boss.get(PAGE).text
    Backup.objects.update(checked_at=timezone.now())
    assert "backups" not in list_left(boss)
    Backup.objects.filter(pk=made.pk).update(made_at=timezone.now() - timedelta(days=3))
    assert "did not run" in boss.get(PAGE).text


def test_cash_adds_its_lines(boss, settings):
    assert "payments" in list_left(boss)
    settings.CASH_PLAY = "sandbox"
    assert {"withdrawals", "tax"} <= list_left(boss)
    set_rules()
    assert not {"withdrawals", "tax", "payments"} & list_left(boss)
    later = timezone.now() + timedelta(days=2)
    WithdrawalPolicy.objects.update(valid_from=later)
    TaxRule.objects.update(valid_from=later)
    assert {"withdrawals", "tax"} <= list_left(boss)
    settings.PAYMENT_PROVIDERS = []
    assert "payments" in list_left(boss)


@pytest.mark.parametrize(("begins", "ends"), [(1, 2), (-2, -1)])
def test_fees_count_while_they_are_in_effect(boss, begins, ends):
    now = timezone.now()
    schedule = FeeSchedule(game="indian", format="POINTS", stake_from=0, rake_bps=1_000)
    schedule.valid_from = now + timedelta(days=begins)
    schedule.valid_until = now + timedelta(days=ends)
    schedule.save()
    assert "fees" in list_left(boss)
    FeeSchedule.objects.create(game="indian", format="DEALS", stake_from=0, rake_bps=1_000)
    assert "fees" not in list_left(boss)


def test_a_trial_mail_counts_for_the_server_that_has_accepted_it(boss, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.DEFAULT_FROM_EMAIL = "Neem <no-reply@localhost>"
    assert "Set EMAIL_HOST and a DEFAULT_FROM_EMAIL" in boss.get(PAGE).text
    settings.DEFAULT_FROM_EMAIL = "Neem <play@example.com>"
    staff = User.objects.get(is_staff=True)
    with mail_sink() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address[:2]
        assert "mail" in list_left(boss)
        server.refusals[staff.email] = "550 5.7.1 not from here"
        told = boss.post(f"{PAGE}mail/", follow=True)
        assert "did not accept the e-mail" in told.text
        assert ": 550 5.7.1 not from here" in told.text
        assert "mail" in list_left(boss)
        server.refusals.clear()
        told = boss.post(f"{PAGE}mail/", follow=True)
        assert f"has accepted an e-mail to {staff.email}" in told.text
        assert server.recipients == [staff.email]
    assert "mail" not in list_left(boss)
    assert AuditEntry.objects.get().action == "try mail"
    settings.EMAIL_HOST = "mail.example.com"
    assert "mail" in list_left(boss)


def test_a_mail_server_that_is_away_is_told_of(boss, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    assert "Connection refused" in boss.post(f"{PAGE}mail/", follow=True).text
    settings.EMAIL_HOST = "mail..example"
    assert "is not valid for SMTP" in boss.post(f"{PAGE}mail/", follow=True).text
    assert not SetupNote.objects.exists()


def test_a_trial_mail_needs_an_address(boss, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.DEFAULT_FROM_EMAIL = "Neem <play@example.com>"
    assert "Send a test e-mail" in boss.get(PAGE).text
    User.objects.filter(is_staff=True).update(email="")
    assert "Send a test e-mail" not in boss.get(PAGE).text
    told = boss.post(f"{PAGE}mail/", follow=True)
    assert "Your account has no e-mail address" in told.text
    assert not SetupNote.objects.exists()


def test_the_key_of_a_webhook_is_not_shown(boss, settings):
    settings.ALERT_WEBHOOK_URL = "https://hooks.example/services/T0/s3cret"
    page = boss.get(PAGE).text
    assert "hooks.example" in page
    assert "s3cret" not in page


def test_going_without_is_a_decision_that_can_be_taken_back(boss):
    boss.post(f"{PAGE}decide/payments/")
    assert "payments" in list_lines(boss, "done")
    assert "Play only for chips" in boss.get(PAGE).text
    boss.post(f"{PAGE}decide/payments/", {"back": "1"})
    assert "payments" in list_left(boss)
    assert [*AuditEntry.objects.order_by("pk").values_list("action", flat=True)] == [
        "go without",
        "take back",
    ]
    assert boss.post(f"{PAGE}decide/terms/").status_code == 403


@pytest.mark.django_db(transaction=True)
def test_decisions_and_their_ends_at_one_moment():
    by = Staff(user_id=make_player("Editor").pk, name="Editor", address=None)

    def decide():
        for _time in range(20):
            keep_note("payments", "", by=by, action="go without")

    def decide_and_take_back():
        for _time in range(20):
            keep_note("payments", "", by=by, action="go without")
            drop_note("payments", by=by)

    assert run_at_once(*[decide, decide_and_take_back] * 2) == [None] * 4


def test_the_page_is_put_away_when_all_is_done_and_comes_back(boss, settings, make_template):
    assert "things are left to do" in boss.get("/admin/").text
    assert "Some steps are not done yet" in boss.post(f"{PAGE}away/", follow=True).text
    assert not SetupNote.objects.exists()
    finish_all(boss, settings, make_template)
    assert list_left(boss) == set()
    assert "Everything is done." in boss.get("/admin/").text
    assert boss.post(f"{PAGE}away/").url == "/admin/"
    assert 'data-region="setup"' not in boss.get("/admin/").text
    assert "Remove this from" not in boss.get(PAGE).text
    settings.ALERT_EMAILS = []
    assert "1 thing is left to do" in boss.get("/admin/").text


def finish_all(boss, settings, make_template):
    SiteIdentity.objects.create(
        name="Neem", short_name="Neem", company="Neem Ltd", postal_address="1 Neem Road, Pune",
        support_email="help@example.com",
    )  # fmt: skip
    refresh_site()
    editor = make_player("Editor")
    for kind in ("terms", "privacy"):
        draft = PageVersion.objects.create(kind=kind, text="# Fair")
        publish(version_id=draft.pk, staff_id=editor.pk)
    make_starting_tables()
    make_template(is_open=True, schedule="0 20 * * sat")
    settings.ALERT_EMAILS = ["ops@example.com"]
    settings.ADMIN_MFA_REQUIRED = True
    member(Role.FINANCE)
    for staff in User.objects.filter(is_staff=True):
        Authenticator.objects.create(user=staff, type=Authenticator.Type.TOTP, data={})
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.DEFAULT_FROM_EMAIL = "Neem <play@example.com>"
    with mail_sink() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address[:2]
        boss.post(f"{PAGE}mail/")
    for code in ("look", "payments", "backups"):
        boss.post(f"{PAGE}decide/{code}/")


def test_staff_see_the_lines_of_their_own_work():
    games = office(member(Role.GAMES))
    assert list_left(games) == {"tables", "tournaments"}
    for address in ("mail/", "away/", "decide/payments/"):
        assert games.post(PAGE + address).status_code == 403
    assert office(member(Role.SUPPORT)).get(PAGE).status_code == 403
