"""E-mails to players: their texts, and sending them. Services use `write_mail` (core/emails/texts.py)."""

from email.utils import make_msgid, parseaddr
from typing import Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator

from core.values.hosts import to_ascii_host

# A reserved domain (RFC 2606) for the addresses of guests, bots and people who sign in by phone only.
NOWHERE: Final = ".invalid"
# So that nobody's automatic answer is sent back to a program (RFC 3834, 5).
_BY_A_PROGRAM: Final = {"Auto-Submitted": "auto-generated"}


def refuse_unwritable(email: str) -> None:
    """Raise ValidationError for an address that looks valid but cannot receive e-mail.

    Such an address has a domain that is invalid or too long in ASCII. An empty address, as after a sign-up by
    phone, is accepted.
    """
    if not email:
        return
    try:
        to_mailbox(email)
    except ValueError:
        raise ValidationError(EmailValidator.message, code=EmailValidator.code) from None


def build_headers() -> dict[str, str]:
    """Return the headers of every e-mail.

    Its `Message-ID` has the sender's domain. The name of this machine, such as a container's, would make the e-mail
    look like spam.
    """
    _name, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    return {**_BY_A_PROGRAM, "Message-ID": make_msgid(domain=address.rpartition("@")[2])}


def to_mailbox(email: str) -> str:
    """Return an address with its domain in ASCII. Raises ValueError if the domain is not a host name.

    Django would turn "faß.example" into fass.example, which may belong to somebody else.
    """
    local, at, domain = email.rpartition("@")
    return f"{local}{at}{domain if domain.startswith('[') else to_ascii_host(domain)}"
