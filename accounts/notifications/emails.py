"""Mails that tell a player what was decided: written with the decision, sent a moment later."""

import logging
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from smtplib import SMTPException

from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.utils import timezone

from accounts.models import OutgoingEmail
from accounts.notifications.addresses import may_be_written_to
from core.database.advisory_locks import AdvisoryLock, alone
from core.page_notices import hint_soon

log = logging.getLogger(__name__)

SENT_TOGETHER = 50
TRIED_AGAIN_AFTER = timedelta(minutes=5)
# Well within the time limit of a job.
SECONDS_A_RUN = 60
GIVEN_UP_AFTER = timedelta(days=3)


def write_email(*, user_id: int, kind: str, subject: str, text: str) -> None:
    """In the transaction of what it tells, so that it is sent if and only if that has happened.

    `subject` and `text` are in the player's language. Their open pages get the hint `{"type": kind}`.
    Nothing goes to an address that is not known to be the player's.
    """
    if may_be_written_to(user_id):
        OutgoingEmail.objects.create(
            user_id=user_id, subject=subject, text=text, written_at=timezone.now()
        )
    transaction.on_commit(partial(hint_soon, {user_id}, kind), robust=True)


def send_emails(*, now: datetime) -> int:
    """Send what is due, the oldest first, until nothing is or the run has taken long enough; returns
    how many were sent. An e-mail that is sent is not kept.

    One whose sender died in between is sent again: twice is better than never.
    """
    sent = 0
    # A mail server that swallows what it is sent holds one worker.
    with alone(AdvisoryLock.SENDING_EMAILS) as is_alone:
        until = time.monotonic() + SECONDS_A_RUN
        while is_alone and time.monotonic() < until and (some := _due(now)):
            sent += _send_together(some, now=now, until=until)
    return sent


def _due(now: datetime) -> list[OutgoingEmail]:
    due = OutgoingEmail.objects.filter(send_at__lte=now).select_related("user").order_by("send_at")
    return list(due[:SENT_TOGETHER])


def _send_together(emails: Sequence[OutgoingEmail], *, now: datetime, until: float) -> int:
    """Over one connection: opening one takes longer than sending."""
    sent = 0
    server = get_connection()
    try:
        for email in emails:
            if time.monotonic() >= until:
                break  # the server does not answer; the next run goes on with the others
            sent += _send(email, server, now=now)
    finally:
        server.close()
    return sent


def _send(email: OutgoingEmail, server: BaseEmailBackend, *, now: datetime) -> bool:
    # First the next attempt, then the sending: another worker that looks now finds it taken.
    mine = OutgoingEmail.objects.filter(pk=email.pk, send_at=email.send_at)
    if not mine.update(send_at=now + TRIED_AGAIN_AFTER):
        return False
    try:
        server.open()
        email.user.email_user(email.subject, email.text, connection=server)
    except (OSError, SMTPException):
        server.close()  # the others go by a new connection
        if now - email.written_at < GIVEN_UP_AFTER:
            log.exception("e-mail %s could not be sent", email.pk)
            return False
        log.exception("e-mail %s to user %s is given up", email.pk, email.user_id)
        email.delete()
        return False
    email.delete()
    return True
