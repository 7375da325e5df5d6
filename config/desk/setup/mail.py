"""The mail server: whether it accepts mail, and trial e-mails to staff members."""

from smtplib import SMTPException, SMTPRecipientsRefused
from typing import Any, Final

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.utils.translation import gettext as _

from config.desk.setup.checks import Seen
from core.emails import build_headers
from core.refusals import Refusal
from core.site.content import get_known_site

TRIED: Final = "mail"
_SMTP: Final = "smtp.EmailBackend"
# UnicodeError: for an impossible host name, or a password that is not ASCII.
_FAULTS: Final = (OSError, SMTPException, UnicodeError)


class MailNotAccepted(Refusal):
    """The mail server did not accept a trial e-mail. The message is the server's answer."""

    code = "mail_not_accepted"


def sends_mail() -> bool:
    """Return whether mail is sent by SMTP, from an address of the operator's own."""
    if not settings.EMAIL_BACKEND.endswith(_SMTP):
        return False
    return not settings.DEFAULT_FROM_EMAIL.rstrip(">").endswith("@localhost")


def name_server() -> str:
    """Return the mail server and the sender as one text. A successful trial is valid only for this pair."""
    if not settings.EMAIL_BACKEND.endswith(_SMTP):
        return str(settings.EMAIL_BACKEND)
    return f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}, {settings.DEFAULT_FROM_EMAIL}"


def send_trial(address: str) -> None:
    """Send an e-mail to a staff member and wait for the server's answer. Raises MailNotAccepted."""
    name = get_known_site().name
    subject = _("%(site)s: the mail server works") % {"site": name}
    text = _("Your mail server has accepted this e-mail from %(site)s.") % {"site": name}
    try:
        EmailMessage(subject, text, None, [address], headers=build_headers()).send()
    except _FAULTS as error:
        raise MailNotAccepted(message=_explain(error)) from error


def check_mail_server() -> Seen:
    """Connect to the mail server and sign in, without sending an e-mail."""
    if not settings.EMAIL_BACKEND.endswith(_SMTP):
        return Seen(is_good=False, fact=f"mail goes to {settings.EMAIL_BACKEND}")
    server: Any = get_connection()
    try:
        server.open()
    except _FAULTS as error:
        return Seen(
            is_good=False, fact=f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}: {_explain(error)}"
        )
    finally:
        server.close()
    kind = "TLS" if settings.EMAIL_USE_SSL else "STARTTLS" if settings.EMAIL_USE_TLS else "no TLS"
    signed_in = f", signed in as {settings.EMAIL_HOST_USER}" if settings.EMAIL_HOST_USER else ""
    return Seen(
        is_good=True, fact=f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}, {kind}{signed_in}"
    )


def _explain(error: Exception) -> str:
    """Return a text for the staff: the server's answer if the error has one, else the error's text or name."""
    answer, code = getattr(error, "smtp_error", None), getattr(error, "smtp_code", "")
    if isinstance(error, SMTPRecipientsRefused):  # just one address
        [(code, answer)] = error.recipients.values()
    if isinstance(error, UnicodeError):  # its text may quote the password
        return _("EMAIL_HOST, EMAIL_HOST_USER or EMAIL_HOST_PASSWORD is not valid for SMTP.")
    if isinstance(answer, bytes):
        return f"{code} {answer.decode(errors='replace')}".strip()
    return str(error) or type(error).__name__
