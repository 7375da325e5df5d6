"""Decisions about identity checks: each is made once, and the player is told by e-mail."""

from datetime import date
from functools import partial

import pytest
from django.core import mail

from accounts.identity.services import approve_identity_check, refuse_identity_check
from accounts.models import IdentityCheck
from core.models import OutgoingEmail
from core.tasks import send_emails
from tests.together import names_of, run_at_once
from tests.wallet.cash_players import make_player, make_staff


def submit_check(name):
    return IdentityCheck.objects.create(
        user=make_player(name),
        full_name="Asha Rao",
        born_on=date(1990, 1, 1),
        document_kind="PAN",
        document_number="ABCDE1234F",
    )


@pytest.mark.django_db(transaction=True)
def test_an_identity_is_decided_once(boss):
    check = submit_check("Asha")
    other = make_staff("Chief")
    results = run_at_once(
        lambda: approve_identity_check(check_id=check.pk, staff_id=boss.pk),
        lambda: refuse_identity_check(check_id=check.pk, staff_id=other.pk, reason="Unreadable."),
        lambda: approve_identity_check(check_id=check.pk, staff_id=other.pk),
    )
    assert names_of(results) == ["IdentityCheck", "identity_decided", "identity_decided"]
    assert OutgoingEmail.objects.filter(user=check.user).count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_document_is_approved_for_one_account(boss):
    checks = [submit_check("Asha"), submit_check("Bela")]
    results = run_at_once(
        *(
            lambda check=check: approve_identity_check(check_id=check.pk, staff_id=boss.pk)
            for check in checks
        )
    )
    assert names_of(results) == ["IdentityCheck", "document_of_another"]
    assert IdentityCheck.objects.filter(state="APPROVED").count() == 1


@pytest.mark.parametrize(
    ("decide", "subject", "line"),
    [
        (approve_identity_check, "is approved", "You can withdraw your winnings now."),
        (
            partial(refuse_identity_check, reason="Unreadable."),
            "could not be approved",
            "Reason: Unreadable.",
        ),
    ],
)
def test_a_decision_is_mailed_to_the_player(boss, decide, subject, line):
    check = submit_check("Asha")
    decide(check_id=check.pk, staff_id=boss.pk)
    send_emails()
    (email,) = mail.outbox
    assert (email.to, email.subject) == (["asha@example.com"], f"Your identity {subject}")
    assert line in email.body
    assert check.document_number not in email.body
