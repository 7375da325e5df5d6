"""Outcomes of reports, which the reporter is told without details."""

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse

from accounts.desk.staff_roles import Role
from accounts.models import User
from core.models import MailText, OutgoingEmail
from core.site.content import site
from tables.models import PairEvidence, ReportReason
from tests.accounts.staff import member, office
from tests.tables.chat.talking import file_report
from tests.tables.driving import player_at

pytestmark = pytest.mark.django_db


@pytest.fixture
def filed(table):
    reporter, reported = player_at(table, 0), player_at(table, 1)
    EmailAddress.objects.create(user=reporter, email=reporter.email, verified=True, primary=True)
    return file_report(
        table,
        reporter,
        reported,
        reason=ReportReason.COLLUSION,
        words="They tell each other cards.",
    )


def decide(filed, status, desk=None):
    desk = desk or office(member(Role.SUPPORT))
    url = reverse("admin:tables_report_change", args=[filed.pk])
    assert desk.post(url, {"status": status, "note": "Seen in ten replays."}).status_code == 302
    return desk


@pytest.mark.parametrize(
    ("status", "told", "shown"),
    [
        ("ACTED", "was upheld, and we have acted", "Upheld: we have acted"),
        ("DISMISSED", "It was not upheld", "Not upheld"),
    ],
)
def test_the_reporter_is_told_once_by_mail_and_on_the_page(filed, client, status, told, shown):
    client.force_login(filed.reporter)
    assert "We are looking into it" in client.get("/support/").text
    desk = decide(filed, status)
    mail = OutgoingEmail.objects.get()
    assert mail.user == filed.reporter
    assert told in mail.text
    assert filed.reported.player_name in mail.text
    assert "ten replays" not in mail.text
    assert shown in client.get("/support/").text.split('data-region="reports"')[1]
    decide(filed, status, desk)
    assert OutgoingEmail.objects.count() == 1


def test_the_mail_is_in_the_words_of_the_operator_and_the_language_of_the_reporter(filed):
    User.objects.filter(pk=filed.reporter_id).update(language="hi")
    MailText.objects.create(
        kind="report_upheld",
        language="hi",
        subject="{site}: {number}",
        text="{name}, {player} नहीं खेलेंगे।",
    )
    decide(filed, "ACTED")
    mail = OutgoingEmail.objects.get()
    assert mail.subject == f"{site().name}: {filed.pk}"
    assert mail.text == (f"{filed.reporter.player_name}, {filed.reported.player_name} नहीं खेलेंगे।")


def test_the_reported_player_learns_nothing(filed, client):
    decide(filed, "DISMISSED")
    assert not OutgoingEmail.objects.filter(user=filed.reported).exists()
    client.force_login(filed.reported)
    assert 'data-region="reports"' not in client.get("/support/").text


def test_a_note_without_a_decision_is_mailed_to_nobody(filed):
    decide(filed, "OPEN")
    assert not OutgoingEmail.objects.exists()


def test_a_report_links_to_the_evidence_about_the_pair(filed):
    low, high = sorted([filed.reporter_id, filed.reported_id])
    pair = PairEvidence.objects.create(low_id=low, high_id=high)
    page = office(member(Role.SUPPORT)).get(f"/admin/tables/report/{filed.pk}/change/")
    assert f"/admin/tables/pairevidence/{pair.pk}/change/" in page.text
