"""Decisions about identities: taken once, and written to the player."""

from datetime import date

import pytest
from django.core import mail

from accounts.identity.services import approve_identity_check, refuse_identity_check
from accounts.models import IdentityCheck, User
from core.models import OutgoingEmail
from core.tasks import send_emails
from tests.together import names_of, run_at_once


@pytest.fixture
def boss(db):
    return User.objects.create_superuser("boss@example.com", "x", player_name="Boss")


def check_of(name):
    return IdentityCheck.objects.create(
        user=User.objects.create_user(f"{name.lower()}@example.com", player_name=name),
        full_name="Asha Rao",
        born_on=date(1990, 1, 1),
        document_kind="PAN",
        document_number="ABCDE1234F",
    )


@pytest.mark.django_db(transaction=True)
def test_an_identity_is_decided_once(boss):
    check = check_of("Asha")
    other = User.objects.create_superuser("chief@example.com", "x", player_name="Chief")
    results = run_at_once(
        lambda: approve_identity_check(check_id=check.pk, staff_id=boss.pk),
        lambda: refuse_identity_check(check_id=check.pk, staff_id=other.pk, reason="Unreadable."),
        lambda: approve_identity_check(check_id=check.pk, staff_id=other.pk),
    )
    assert names_of(results) == ["IdentityCheck", "IdentityDecided", "IdentityDecided"]
    assert OutgoingEmail.objects.filter(user=check.user).count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_document_is_approved_for_one_account(boss):
    checks = [check_of("Asha"), check_of("Bela")]
    results = run_at_once(
        *(
            lambda check=check: approve_identity_check(check_id=check.pk, staff_id=boss.pk)
            for check in checks
        )
    )
    assert names_of(results) == ["DocumentOfAnother", "IdentityCheck"]
    assert IdentityCheck.objects.filter(state="APPROVED").count() == 1


@pytest.mark.parametrize(
    ("decide", "more", "subject", "line"),
    [
        (
            approve_identity_check,
            {},
            "Your identity is approved",
            "You can withdraw your winnings now.",
        ),
        (
            refuse_identity_check,
            {"reason": "Unreadable."},
            "Your identity could not be approved",
            "Reason: Unreadable.",
        ),
    ],
)
def test_the_player_is_written_to(boss, decide, more, subject, line):
    check = check_of("Asha")
    decide(check_id=check.pk, staff_id=boss.pk, **more)
    send_emails()
    (email,) = mail.outbox
    assert (email.to, email.subject) == (["asha@example.com"], subject)
    assert line in email.body
    assert check.document_number not in email.body
