from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register


@register(Tags.security, deploy=True)
def mail_links_are_not_shown(**_kwargs: Any) -> Sequence[CheckMessage]:
    """Shown links let anybody confirm or reset any account: they are for local runs alone."""
    if not settings.SHOW_MAIL_LINKS:
        return []
    return [
        Error(
            "SHOW_MAIL_LINKS shows confirmation and reset links to everybody who asks for them.",
            hint="Set SHOW_MAIL_LINKS = False and configure an e-mail server.",
            id="accounts.E001",
        )
    ]
