from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _

from accounts.desk.staff_roles import grant_roles


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        from accounts.api_tokens import browsers  # noqa: PLC0415 - apps are loaded now
        from accounts.people import first_proof  # noqa: PLC0415 - apps are loaded now
        from accounts.sessions import services  # noqa: PLC0415 - apps are loaded now

        browsers.connect_receivers()
        first_proof.connect_receivers()
        services.connect_receivers()
        # Run after the handlers of all apps: Django has created its permissions by then.
        post_migrate.connect(grant_roles, dispatch_uid="accounts.grant_roles")


@register(Tags.security, deploy=True)
def check_mail_links(**_kwargs: Any) -> Sequence[CheckMessage]:
    """Check that SHOW_MAIL_LINKS is off. With it, anybody sees the links that confirm or reset any account."""
    if not settings.SHOW_MAIL_LINKS:
        return []
    return [
        Error(
            "SHOW_MAIL_LINKS shows confirmation and reset links to everybody who asks for them.",
            hint="Set SHOW_MAIL_LINKS = False and configure an e-mail server.",
            id="accounts.E001",
        )
    ]
