"""The words of a mail: what the operator has written, else the usual ones."""

from collections.abc import Mapping

from django.utils.translation import get_language, override

from accounts.models import User
from accounts.models.mail_texts import MailText
from accounts.notifications.emails import write_email
from accounts.notifications.mail_texts.kinds import MailKind, link_stands_alone
from accounts.notifications.site.content import site


def words_of(kind: MailKind, *, name: str, values: Mapping[str, str]) -> tuple[str, str]:
    """Subject and text, in the language of the moment, to the person of this name."""
    own = own_words_of(kind, name=name, **values)
    return kind.usual({"name": name, "site": site().name, **values}) if own is None else own


def own_words_of(kind: MailKind, **values: str) -> tuple[str, str] | None:
    """The same, if the operator has written this mail; `values` without the site's name.

    A text from before that hides a secret link within a line does not count.
    """
    own = MailText.objects.filter(kind=kind.code, language=get_language()).first()
    if own is None or (kind.has_secret_link and not link_stands_alone(own.text)):
        return None
    everything = {"site": site().name, **values}
    # A name with a line's end in it makes no second header.
    subject = " ".join(own.subject.format_map(everything).split())
    return subject, own.text.format_map(everything)


def write_mail(kind: MailKind, *, user: User, hint: str, **values: str) -> None:
    """To a player, in their language, in the transaction of what it tells; `hint` is what their open pages
    are told (accounts/notifications/emails.py)."""
    with override(user.language):
        subject, text = words_of(kind, name=user.player_name, values=values)
    write_email(user_id=user.pk, kind=hint, subject=subject, text=text)
