"""Sends e-mails to players. An e-mail is stored in the transaction of its event, and a job sends it soon after."""

import logging
import re
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from smtplib import SMTPException, SMTPRecipientsRefused

from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone

from core.database.leases import Job, lease
from core.emails import NOWHERE, build_headers, to_mailbox
from core.models import OutgoingEmail
from core.page_notices import hint_after_commit

log = logging.getLogger(__name__)

SENT_TOGETHER = 50
TRIED_AGAIN_AFTER = timedelta(minutes=5)
# Well within a job's time limit.
SECONDS_A_RUN = 60
GIVEN_UP_AFTER = timedelta(days=3)
# The first code of permanent answers, and the answers that no such mailbox exists.
_PERMANENT = 500
_NO_MAILBOX = re.compile(rb"5\.1\.")


def write_email(*, user_id: int, kind: str, subject: str, text: str, stop_url: str = "") -> None:
    """Store an e-mail in the current transaction, so that it is sent if and only if the transaction commits.

    `subject` and `text` are in the player's language. The player's open pages get the notice `{"type": kind}`. A
    player for whom `may_be_written_to` returns False gets no e-mail. `stop_url` is the address that stops e-mails of
    this kind; mail programs show a button for it.
    """
    if may_be_written_to(user_id):
        OutgoingEmail.objects.create(
            user_id=user_id,
            subject=subject,
            text=text,
            stop_url=stop_url,
            written_at=timezone.now(),
        )
    hint_after_commit({user_id}, kind)


def send_emails(*, now: datetime) -> int:
    """Send due e-mails, oldest first, until none is left or the time is up. Return how many were sent.

    An e-mail is deleted after sending. If the process dies before deleting it, it is sent again (at least once).
    """
    sent = 0
    # One worker at a time, so that a hanging mail server blocks one worker only.
    with lease(Job.SENDING_EMAILS) as is_alone:
        until = time.monotonic() + SECONDS_A_RUN
        while is_alone and time.monotonic() < until and (some := _list_due(now)):
            sent += _send_together(some, now=now, until=until)
    return sent


def _list_due(now: datetime) -> list[OutgoingEmail]:
    due = OutgoingEmail.objects.filter(send_at__lte=now).select_related("user").order_by("send_at")
    return list(due[:SENT_TOGETHER])


def _send_together(emails: Sequence[OutgoingEmail], *, now: datetime, until: float) -> int:
    """Send the e-mails over one connection, because connecting takes longer than sending. Return how many were sent."""
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
    # Set the time of the retry before sending, so that another worker does not send it too. The pauses grow.
    mine = OutgoingEmail.objects.filter(pk=email.pk, send_at=email.send_at)
    if not mine.update(send_at=now + max(TRIED_AGAIN_AFTER, (now - email.written_at) / 2)):
        return False
    try:
        server.open()
        _compose(email, server).send()
    except (OSError, SMTPException, ValueError) as error:
        server.close()  # the others are sent over a new connection
        if now - email.written_at < GIVEN_UP_AFTER and not _is_final(error):
            log.exception("e-mail %s could not be sent", email.pk)
            return False
        log.exception("e-mail %s to user %s is given up", email.pk, email.user_id)
        email.delete()
        return False
    email.delete()
    return True


def _is_final(error: Exception) -> bool:
    """Return whether the e-mail can never be sent: it is invalid, or the mailbox does not exist (RFC 3463, 5.1).

    Other refusals may come from a wrong setup, which the operator can correct.
    """
    if isinstance(error, SMTPRecipientsRefused):
        answers: list[tuple[int, bytes]] = list(error.recipients.values())
        return all(code >= _PERMANENT and _NO_MAILBOX.match(said) for code, said in answers)
    return isinstance(error, ValueError)


def _compose(email: OutgoingEmail, server: BaseEmailBackend) -> EmailMessage:
    """Return the message, with the headers for the one-click unsubscribe button of mail programs (RFC 8058)."""
    headers = build_headers()
    if email.stop_url:
        headers["List-Unsubscribe"] = f"<{email.stop_url}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message = EmailMessage(
        email.subject, email.text, None, [to_mailbox(email.user.email)], headers=headers
    )
    message.connection = server
    return message


def awaits_confirmation(user_id: int) -> bool:
    """Return whether the player has entered addresses but none is confirmed.

    False for accounts made by staff or by a command: their addresses need no confirmation, because those who made the
    accounts know the owners.
    """
    verified = EmailAddress.objects.filter(user_id=user_id).values_list("verified", flat=True)
    known = list(verified)
    return bool(known) and not any(known)


def may_be_written_to(user_id: int) -> bool:
    """Return whether the player has an address that is confirmed or needs no confirmation.

    Guests and people who signed up by phone have no address.
    """
    has_none = get_user_model().objects.filter(pk=user_id, email__endswith=NOWHERE).exists()
    return not has_none and not awaits_confirmation(user_id)
