from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from accounts.models.users import User


class Scope(models.TextChoices):
    READ = "read", _("Read: account, wallet, tables, matches, tournaments")
    PLAY = "play", _("Play: sit down, leave, move")
    MONEY = "money", _("Bring money: to tables and tournaments")


class ApiToken(models.Model):
    """A token that a player's program sends instead of a password. Only its hash is stored."""

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    name = models.CharField(_("name"), max_length=60)
    token_hash = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=10, choices=Scope))
    created_at = models.DateTimeField(_("created at"), db_default=Now())
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    expires_at = models.DateTimeField(_("expires at"), null=True, blank=True)
    # The OAuth access token that this API token represents, and ends with; None for a token that the player
    # made.
    access_token = models.OneToOneField(
        "OAuthAccessToken", models.CASCADE, null=True, blank=True, related_name="api_token"
    )

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")

    def __str__(self) -> str:
        return f"{self.name} (token #{self.pk})"


class ApiRequest(models.Model):
    """The stored response to a request that moved money, under the idempotency key that its sender chose."""

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
