import secrets

from allauth.idp.oidc.models import Client
from django.utils.translation import gettext_lazy as _


class OAuthClient(Client):  # type: ignore[misc] # allauth has no types
    """A program of others that players may let act for them (docs/oauth.md)."""

    class Meta:
        proxy = True
        verbose_name = _("program of others")
        verbose_name_plural = _("programs of others")

    def new_secret(self) -> str:
        """Kept as a hash; the text is nowhere else."""
        secret = secrets.token_urlsafe(32)
        self.set_secret(secret)
        return secret

    def __str__(self) -> str:
        return str(self.name)
