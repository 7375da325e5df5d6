"""The subject and text of an e-mail: the operator's own, or the default."""

from collections.abc import Mapping
from typing import Protocol
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language, override

from core.emails.kinds import MailKind, link_stands_alone
from core.emails.sending import write_email
from core.models.emails import MailText
from core.site.content import site


class Recipient(Protocol):
    """The player who gets an e-mail."""

    pk: int
    language: str
    player_name: str


def format_mail(kind: MailKind, *, name: str, values: Mapping[str, str]) -> tuple[str, str]:
    """Return subject and text in the active language, addressed to the person of this name."""
    own = format_own_mail(kind, name=name, **values)
    return kind.usual({"name": name, "site": site().name, **values}) if own is None else own


def format_own_mail(kind: MailKind, **values: str) -> tuple[str, str] | None:
    """Return the operator's own subject and text, or None.

    `values` need not include the site's name. An older text with a secret link inside a line is ignored.
    """
    own = MailText.objects.filter(kind=kind.code, language=get_language()).first()
    if own is None or (kind.has_secret_link and not link_stands_alone(own.text)):
        return None
    everything = {"site": site().name, **values}
    # A line break in a name must not start another header.
    subject = " ".join(own.subject.format_map(everything).split())
    return subject, own.text.format_map(everything)


def link_through_sign_in(path: str) -> str:
    """Return the address of a page by way of the sign-in page, because the reader's session may have expired."""
    return f"{settings.SITE_URL}{reverse(settings.LOGIN_URL)}?{urlencode({'next': path})}"


def write_mail(
    kind: MailKind, *, user: Recipient, hint: str, stop_url: str = "", **values: str
) -> None:
    """Write an e-mail to a player, in the player's language and in the transaction of the event.

    `hint` is the notice for the player's open pages, `stop_url` the address that stops e-mails of this
    kind (core/emails/sending.py).
    """
    with override(user.language):
        subject, text = format_mail(kind, name=user.player_name, values=values)
    write_email(user_id=user.pk, kind=hint, subject=subject, text=text, stop_url=stop_url)
