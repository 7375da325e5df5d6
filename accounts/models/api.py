import secrets
from uuid import uuid4

from allauth.idp.oidc.models import Client, Token
from django.contrib.auth.hashers import make_password
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from accounts.models.users import User


class Scope(models.TextChoices):
    READ = "read", _("Read: account, wallet, tables, matches, tournaments")
    PLAY = "play", _("Play: sit down, leave, move")
    MONEY = "money", _("Bring money: to tables and tournaments")


class IdentityScope(models.TextChoices):
    """Claims about a player that other sites may ask for. No API token has these scopes."""

    OPENID = "openid", _("Sign players in: a number that identifies each of them")
    PROFILE = "profile", _("Player name, face and address of the player's page")
    EMAIL = "email", _("E-mail address")


class ApiToken(models.Model):
    """A token that a player's program sends instead of a password. Only its hash is stored."""

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    name = models.CharField(_("name"), max_length=60)
    token_hash = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=10, choices=Scope))
    created_at = models.DateTimeField(_("made at"), db_default=Now())
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    expires_at = models.DateTimeField(_("expires at"), null=True, blank=True)
    # The OAuth access token that this API token represents, and ends with; None for a token that the player
    # made.
    grant = models.OneToOneField(
        Token, models.CASCADE, null=True, blank=True, related_name="api_token"
    )

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")

    def __str__(self) -> str:
        return f"{self.name} (token #{self.pk})"


class ApiRequest(models.Model):
    """The response to a request that moved money, by the key that its sender chose."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    key = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    body = models.JSONField(null=True)
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("API request")
        verbose_name_plural = _("API requests")
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="a_key_is_one_request")]
        indexes = [models.Index(fields=["made_at"], name="api_request_made_at")]

    def __str__(self) -> str:
        return f"request {self.key} of user #{self.user_id}"


class OAuthClient(Client):  # type: ignore[misc] # allauth has no types
    """A third-party program that players may authorize (docs/oauth.md)."""

    class Meta:
        proxy = True
        verbose_name = _("app")
        verbose_name_plural = _("apps")

    def make_secret(self) -> str:
        """Make a random secret and return its text; only a hash is stored."""
        secret = secrets.token_urlsafe(32)
        self.secret = make_password(secret, hasher="random_secret")
        return secret

    def __str__(self) -> str:
        return str(self.name)


NONCE_LENGTH = 255


class OAuthGrant(models.Model):
    """A token family (RFC 9700): a player's consent, from its code to the last token issued for it.

    allauth's tokens name their grant in `data`. Only hashes of codes and refresh tokens are stored.
    """

    client = models.ForeignKey(Client, models.CASCADE, related_name="+")
    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    code_hash = models.CharField(max_length=64, unique=True)
    redirect_uri = models.TextField()
    code_challenge = models.CharField(max_length=128, blank=True)
    # OpenID nonce, repeated in the ID token.
    nonce = models.CharField(max_length=NONCE_LENGTH, default="", db_default="", blank=True)
    scopes = models.JSONField()
    made_at = models.DateTimeField(db_default=Now())
    # None until the code is exchanged.
    exchanged_at = models.DateTimeField(null=True)
    # The prefix that all refresh tokens of the family share.
    family_hash = models.CharField(max_length=64, unique=True, null=True)  # noqa: DJ001 - unique
    # Expiry of the code before it is exchanged, then of the newest refresh token.
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("grant of OAuth")
        verbose_name_plural = _("grants of OAuth")

    def __str__(self) -> str:
        return f"grant #{self.pk} of user #{self.user_id}"


class OAuthDevice(models.Model):
    """A request of a program without a browser, until it expires (RFC 8628). Only hashes are stored.

    The player's consent is the grant, whose tokens are exchanged and renewed like those of a code.
    """

    client = models.ForeignKey(Client, models.CASCADE, related_name="+")
    device_hash = models.CharField(max_length=64, unique=True)
    # The code that the player types in, without its dash.
    user_code_hash = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField()
    grant = models.OneToOneField(OAuthGrant, models.CASCADE, null=True, related_name="device")
    denied_at = models.DateTimeField(null=True)
    polled_at = models.DateTimeField(null=True)
    pause_seconds = models.PositiveSmallIntegerField()
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("device request of OAuth")
        verbose_name_plural = _("device requests of OAuth")

    def __str__(self) -> str:
        return f"device request #{self.pk}"


class OAuthSubject(models.Model):
    """A player's pseudonym for the sites that they sign in to: permanent, and random."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="+")
    subject = models.UUIDField(default=uuid4, unique=True)

    class Meta:
        verbose_name = _("subject of OpenID")
        verbose_name_plural = _("subjects of OpenID")

    def __str__(self) -> str:
        return f"subject of user #{self.user_id}"
