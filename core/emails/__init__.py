"""E-mails to players: their texts, and sending them. A service writes one by `write_mail` (core/emails/texts.py)."""

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
    """Raise ValidationError for an address that no e-mail can be written to, though it looks like one.

    The domain is too long once its letters are spelt in ASCII. Somebody who signs up by phone gives none.
    """
    if not email:
        return
    try:
        to_mailbox(email)
    except ValueError:
        raise ValidationError(EmailValidator.message, code=EmailValidator.code) from None


def build_headers() -> dict[str, str]:
    """Return the headers of every e-mail. Its number has the sender's domain: that of this machine, such as the name of
    a container, makes an e-mail look like spam.
    """
    _name, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    return {**_BY_A_PROGRAM, "Message-ID": make_msgid(domain=address.rpartition("@")[2])}


def to_mailbox(email: str) -> str:
    """Return an address with its domain in ASCII. Raises ValueError.

    Django would turn "faß.example" into fass.example, where somebody else would read the e-mail.
    """
    local, at, domain = email.rpartition("@")
    return f"{local}{at}{domain if domain.startswith('[') else to_ascii_host(domain)}"
