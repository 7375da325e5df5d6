"""The reporter of a player learns the outcome, but no details."""

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse

from accounts.desk.staff_roles import Role
from accounts.models import User
from core.models import MailText, OutgoingEmail
from core.site.content import site
from tables.chat.services import report
from tables.models import PairEvidence, ReportReason
from tests.accounts.staff import member, office
from tests.tables.driving import seat_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def filed(make_player, make_table):
    reporter, reported = make_player(), make_player()
    table = make_table()
    seat_all(table, reporter, reported)
    made = report(
        reporter_id=reporter.pk,
        reported_id=reported.pk,
        table_id=table.pk,
        reason=ReportReason.COLLUSION,
        words="They tell each other cards.",
    )
    EmailAddress.objects.create(user=reporter, email=reporter.email, verified=True, primary=True)
    return made


def decide(filed, status, desk=None):
    desk = desk or office(member(Role.SUPPORT))
    url = reverse("admin:tables_report_change", args=[filed.pk])
    assert desk.post(url, {"status": status, "note": "Seen in ten replays."}).status_code == 302
    return desk


@pytest.mark.parametrize(
    ("status", "told", "shown"),
    [
        ("ACTED", "was upheld: we have acted", "Upheld: we have acted"),
        ("DISMISSED", "It was not upheld", "Not upheld"),
    ],
)
def test_the_reporter_is_told_once_by_mail_and_on_the_page(filed, client, status, told, shown):
    client.force_login(filed.reporter)
    assert "We look into it" in client.get("/support/").text
    desk = decide(filed, status)
    mail = OutgoingEmail.objects.get()
    assert mail.user == filed.reporter
    assert told in mail.text
    assert filed.reported.player_name in mail.text
    assert "ten replays" not in mail.text
    page = client.get("/support/").text.split('data-region="reports"')[1]
    assert shown in page
    decide(filed, status, desk)
    assert OutgoingEmail.objects.count() == 1


def test_the_mail_is_in_the_operators_words_and_the_reporters_language(filed):
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


def test_whom_it_is_about_learns_nothing(filed, client):
    decide(filed, "DISMISSED")
    assert not OutgoingEmail.objects.filter(user=filed.reported).exists()
    client.force_login(filed.reported)
    assert 'data-region="reports"' not in client.get("/support/").text


def test_a_note_alone_tells_nobody(filed):
    decide(filed, "OPEN")
    assert not OutgoingEmail.objects.exists()


def test_staff_come_from_a_report_to_the_evidence(filed):
    low, high = sorted([filed.reporter_id, filed.reported_id])
    pair = PairEvidence.objects.create(low_id=low, high_id=high)
    page = office(member(Role.SUPPORT)).get(f"/admin/tables/report/{filed.pk}/change/")
    assert f"/admin/tables/pairevidence/{pair.pk}/change/" in page.text
