"""E-mails of allauth that the operator may rewrite. Their default texts are allauth's templates."""

from functools import partial
from types import SimpleNamespace
from typing import Final

from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from core.emails.kinds import Values, register_mail_kind

_LINK: Final = _("the link to open")
_NEEDED: Final = frozenset({"link"})


def _render_default(template_prefix: str, values: Values) -> tuple[str, str]:
    """Render the template's subject and text, with `values["link"]` as the link."""
    context = {
        "user": User(player_name=values["name"]),
        "current_site": SimpleNamespace(name=values["site"], domain=values["site"]),
        "activate_url": values["link"],
        "password_reset_url": values["link"],
    }
    subject = render_to_string(f"{template_prefix}_subject.txt", context)
    text = render_to_string(f"{template_prefix}_message.txt", context)
    return " ".join(subject.split()), text.strip()


_CONFIRM: Final = "account/email/email_confirmation"
_RESET: Final = "account/email/password_reset_key"
CONFIRM_ADDRESS = register_mail_kind(
    "confirm_address",
    _("Confirm the e-mail address"),
    partial(_render_default, _CONFIRM),
    needed=_NEEDED,
    has_secret_link=True,
    link=_LINK,
)
RESET_PASSWORD = register_mail_kind(
    "reset_password",
    _("A new password"),
    partial(_render_default, _RESET),
    needed=_NEEDED,
    has_secret_link=True,
    link=_LINK,
)
# allauth's template to our kind of mail and the context key that holds the link.
OF_TEMPLATES: Final = {
    _CONFIRM: (CONFIRM_ADDRESS, "activate_url"),
    f"{_CONFIRM}_signup": (CONFIRM_ADDRESS, "activate_url"),
    _RESET: (RESET_PASSWORD, "password_reset_url"),
}
