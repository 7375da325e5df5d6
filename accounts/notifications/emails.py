"""Mails that tell a player what was decided: written with the decision, sent a moment later."""

import logging
import time
from datetime import datetime, timedelta
from functools import partial
from smtplib import SMTPException

from django.db import transaction
from django.utils import timezone

from accounts.models import OutgoingEmail
from accounts.notifications.addresses import may_be_written_to
from accounts.notifications.alone import alone
from accounts.notifications.page_sender import hint_soon

log = logging.getLogger(__name__)

SENT_AT_ONCE = 50
TRIED_AGAIN_AFTER = timedelta(minutes=5)
# Well within the time limit of a job.
SECONDS_A_RUN = 60
# In the namespace of advisory locks.
_SENDING = 7_261_002
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
    """Send what is due; returns how many were sent. An e-mail that is sent is not kept.

    One whose sender died in between is sent again: twice is better than never.
    """
    due = OutgoingEmail.objects.filter(send_at__lte=now).select_related("user").order_by("send_at")
    sent = 0
    # A mail server that swallows what it is sent holds one worker.
    with alone(_SENDING) as is_alone:
        until = time.monotonic() + SECONDS_A_RUN
        for email in list(due[:SENT_AT_ONCE]) if is_alone else []:
            if time.monotonic() >= until:
                break  # the server does not answer; the next run goes on with the others
            sent += _send(email, now=now)
    return sent


def _send(email: OutgoingEmail, *, now: datetime) -> bool:
    # First the next attempt, then the sending: another worker that looks now finds it taken.
    mine = OutgoingEmail.objects.filter(pk=email.pk, send_at=email.send_at)
    if not mine.update(send_at=now + TRIED_AGAIN_AFTER):
        return False
    try:
        email.user.email_user(email.subject, email.text)
    except (OSError, SMTPException):
        if now - email.written_at < GIVEN_UP_AFTER:
            log.exception("e-mail %s could not be sent", email.pk)
            return False
        log.exception("e-mail %s to user %s is given up", email.pk, email.user_id)
        email.delete()
        return False
    email.delete()
    return True
