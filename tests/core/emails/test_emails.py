"""E-mails: sent if and only if their transaction commits, retried, and deleted once sent."""

import smtplib
from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.core import mail
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from core.database.leases import Job, lease
from core.emails.sending import (
    GIVEN_UP_AFTER,
    TRIED_AGAIN_AFTER,
    send_emails,
    write_email,
)
from core.models import OutgoingEmail
from core.tasks import send_emails as tick
from tests.core.emails.mail_sink import mail_sink
from tests.wallet.cash_players import make_player

pytestmark = pytest.mark.django_db


def write(user, subject="Paid"):
    write_email(user_id=user.pk, kind="withdrawal", subject=subject, text="It has arrived.")


def test_a_letter_is_sent_once_and_not_kept(asha):
    write(asha)
    assert mail.outbox == []
    assert tick() == 1
    assert tick() == 0
    (sent,) = mail.outbox
    assert (sent.to, sent.subject, sent.body) == (["asha@example.com"], "Paid", "It has arrived.")
    assert not OutgoingEmail.objects.exists()


def test_a_rollback_takes_its_letter_back(asha):
    with transaction.atomic():
        write(asha)
        transaction.set_rollback(True)
    assert tick() == 0
    assert mail.outbox == []


@pytest.mark.parametrize("error", [OSError("no route"), smtplib.SMTPDataError(451, b"later")])
def test_a_failed_letter_is_retried_later(asha, monkeypatch, error):
    write(asha)
    write(make_player("Bela"))
    now = timezone.now() + timedelta(seconds=1)
    with monkeypatch.context() as patch:
        patch.setattr(mail.EmailMessage, "send", Mock(side_effect=error))
        assert send_emails(now=now) == 0
    assert OutgoingEmail.objects.count() == 2
    assert send_emails(now=now) == 0  # the retry is not due yet
    assert send_emails(now=now + TRIED_AGAIN_AFTER) == 2


def test_a_letter_is_given_up_after_days(asha, monkeypatch, caplog):
    write(asha)
    late = timezone.now() + GIVEN_UP_AFTER
    monkeypatch.setattr(mail.EmailMessage, "send", Mock(side_effect=OSError("no route")))
    assert send_emails(now=late + timedelta(seconds=1)) == 0
    assert "given up" in caplog.text
    assert not OutgoingEmail.objects.exists()


def test_two_senders_send_a_letter_once(asha):
    write(asha)
    now = timezone.now() + timedelta(seconds=1)
    seen = list(OutgoingEmail.objects.all())
    assert send_emails(now=now) == 1
    OutgoingEmail.objects.bulk_create(seen)
    OutgoingEmail.objects.update(send_at=now + TRIED_AGAIN_AFTER)  # as the other sender left it
    assert send_emails(now=now) == 0
    assert len(mail.outbox) == 1


def test_one_run_sends_all_waiting_letters_fifty_a_connection(settings):
    """A real mail server receives 120 letters over three connections."""
    players = [
        User.objects.create_user(f"p{number}@example.com", player_name=f"Player {number}")
        for number in range(120)
    ]
    for player in players:
        write(player)
    with mail_sink() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.server_address[1]
        assert tick() == 120
    assert not OutgoingEmail.objects.exists()
    assert sorted(server.recipients) == sorted(player.email for player in players)
    assert server.connections == 3


@pytest.mark.parametrize(
    ("refusal", "is_kept"),
    [
        ("550 5.1.1 no such mailbox", False),
        ("450 4.2.1 later, please", True),
        ("554 5.7.1 relay access denied", True),  # the operator's configuration is at fault
        ("550 go away", True),
    ],
)
def test_a_letter_to_no_mailbox_is_given_up_at_once(asha, settings, refusal, is_kept):
    bela = make_player("Bela")
    write(asha)
    write(bela)
    with mail_sink() as server:
        server.refusals[asha.email] = refusal
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.server_address[1]
        assert tick() == 1
    assert server.recipients == [bela.email]
    assert OutgoingEmail.objects.filter(user=asha).exists() is is_kept


def test_a_letter_that_cannot_be_written_stops_no_other(settings):
    """Django accepts the address, but its domain has no valid IDNA encoding."""
    oddly = User.objects.create_user(f"a@{'é' * 60}.example", player_name="Oddly")
    bela = make_player("Bela")
    write(oddly)
    write(bela)
    with mail_sink() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.server_address[1]
        assert tick() == 1
    assert server.recipients == [bela.email]
    assert not OutgoingEmail.objects.exists()


def test_the_pauses_between_two_attempts_grow(asha, monkeypatch):
    write(asha)
    monkeypatch.setattr(mail.EmailMessage, "send", Mock(side_effect=OSError("no route")))
    written = now = timezone.now()
    attempts = 0
    while (email := OutgoingEmail.objects.first()) is not None:
        now = max(now, email.send_at)
        assert send_emails(now=now) == 0
        attempts += 1
    assert now >= written + GIVEN_UP_AFTER
    assert attempts < 25


def test_a_letters_number_has_the_senders_domain(asha, settings):
    settings.DEFAULT_FROM_EMAIL = "Rummy <no-reply@play.example>"
    write(asha)
    assert tick() == 1
    assert mail.outbox[0].message()["Message-ID"].endswith("@play.example>")


def test_a_letter_goes_to_the_domain_that_browsers_go_to(asha):
    """Python's IDNA 2003 codec turns faß.example into fass.example, whose owner would get the letter."""
    asha.email = "asha@faß.example"
    asha.save()
    write(asha)
    asha.email_user("Subject", "Text")
    assert tick() == 1
    assert [m.recipients() for m in mail.outbox] == [["asha@xn--fa-hia.example"]] * 2


def test_one_process_at_a_time_sends_letters(asha):
    write(asha)
    with lease(Job.SENDING_EMAILS):
        assert tick() == 0
        assert OutgoingEmail.objects.count() == 1
    assert tick() == 1
