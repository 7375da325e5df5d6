import secrets

from allauth.idp.oidc.models import Client
from django.contrib.auth.hashers import make_password
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from accounts.models.users import User


class OAuthClient(Client):  # type: ignore[misc] # allauth has no types
    """A program of others that players may let act for them (docs/oauth.md)."""

    class Meta:
        proxy = True
        verbose_name = _("program of others")
        verbose_name_plural = _("programs of others")

    def new_secret(self) -> str:
        """Make a random secret and return its text; only a hash is stored."""
        secret = secrets.token_urlsafe(32)
        self.secret = make_password(secret, hasher="random_secret")
        return secret

    def __str__(self) -> str:
        return str(self.name)


class OAuthGrant(models.Model):
    """A token family (RFC 9700): a player's consent, from its code to the last token made of it.

    allauth's tokens name their grant in `data`. Only hashes of codes and refresh tokens are stored.
    """

    client = models.ForeignKey(Client, models.CASCADE, related_name="+")
    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    code_hash = models.CharField(max_length=64, unique=True)
    redirect_uri = models.TextField()
    code_challenge = models.CharField(max_length=128, blank=True)
    scopes = models.JSONField()
    made_at = models.DateTimeField(db_default=Now())
    # None: nobody has shown the code yet.
    exchanged_at = models.DateTimeField(null=True)
    # The part that all refresh tokens of the family begin with.
    family_hash = models.CharField(max_length=64, unique=True, null=True)  # noqa: DJ001 - unique
    # Of the code until it is exchanged, of the newest refresh token after that.
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("grant of OAuth")
        verbose_name_plural = _("grants of OAuth")

    def __str__(self) -> str:
        return f"grant #{self.pk} of user #{self.user_id}"
