"""The mail server: whether it takes mail, and a trial mail to a member of the staff."""

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
# UnicodeError: of a host that cannot be one, or a password that is not of ASCII.
_FAULTS: Final = (OSError, SMTPException, UnicodeError)


class MailNotAccepted(Refusal):
    """The mail server did not take a trial mail; the message is its answer."""

    code = "mail_not_accepted"


def sends_mail() -> bool:
    """Return whether mail leaves this machine under an address of the operator's own."""
    if not settings.EMAIL_BACKEND.endswith(_SMTP):
        return False
    return not settings.DEFAULT_FROM_EMAIL.rstrip(">").endswith("@localhost")


def name_server() -> str:
    """Return the server and the sender. A trial counts for these alone."""
    if not settings.EMAIL_BACKEND.endswith(_SMTP):
        return str(settings.EMAIL_BACKEND)
    return f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}, {settings.DEFAULT_FROM_EMAIL}"


def send_trial(address: str) -> None:
    """Send a mail to a member of the staff and wait for the server's answer. Raises MailNotAccepted."""
    name = get_known_site().name
    subject = _("%(site)s: the mail server works") % {"site": name}
    text = _("Your mail server has accepted this mail of %(site)s.") % {"site": name}
    try:
        EmailMessage(subject, text, None, [address], headers=build_headers()).send()
    except _FAULTS as error:
        raise MailNotAccepted(message=_explain(error)) from error


def check_mail_server() -> Seen:
    """Connect and sign in as for a mail, and send none."""
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
    """Return a server's answer as text, or the name of an error that says nothing."""
    answer, code = getattr(error, "smtp_error", None), getattr(error, "smtp_code", "")
    if isinstance(error, SMTPRecipientsRefused):  # one: a trial goes to one address
        [(code, answer)] = error.recipients.values()
    if isinstance(error, UnicodeError):  # whose text may quote the password
        return _("EMAIL_HOST, EMAIL_HOST_USER or EMAIL_HOST_PASSWORD is not as SMTP takes it.")
    if isinstance(answer, bytes):
        return f"{code} {answer.decode(errors='replace')}".strip()
    return str(error) or type(error).__name__
