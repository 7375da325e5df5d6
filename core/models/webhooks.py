"""Addresses to which results are posted, and the deliveries to them."""

import base64
import secrets
import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _


class WebhookEvent(models.TextChoices):
    MATCH_ENDED = "match.ended", _("a match has ended")
    TOURNAMENT_ENDED = "tournament.ended", _("a tournament has ended")


# The prefix of symmetric secrets in Standard Webhooks.
SECRET_PREFIX = "whsec_"  # noqa: S105 - the prefix alone


def new_secret() -> str:
    """Return a new secret in the form of Standard Webhooks: "whsec_" and 32 random bytes in base64."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


class Webhook(models.Model):
    """An address of the operator or of a player (`owner`), and the events that are posted to it.

    A player's address gets the results of the player's own matches and tournaments.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        editable=False,
        related_name="webhooks",
        verbose_name=_("made by"),
    )

    name = models.CharField(_("name"), max_length=80)
    url = models.URLField(_("address"), max_length=500)
    events = ArrayField(
        models.CharField(max_length=30, choices=WebhookEvent), verbose_name=_("events")
    )
    secret = models.CharField(
        _("secret"),
        max_length=100,
        default=new_secret,
        help_text=_("Each delivery is signed with it: docs/settings.md, “Webhooks”."),
    )
    is_active = models.BooleanField(_("active"), default=True)
    made_at = models.DateTimeField(_("made"), auto_now_add=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")

    def __str__(self) -> str:
        return self.name


class WebhookDelivery(models.Model):
    """The delivery of one result to one webhook. Rows are kept for a month as a log."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    number = models.UUIDField(_("number"), default=uuid.uuid4, unique=True)
    event = models.CharField(_("event"), max_length=30, choices=WebhookEvent)
    body = models.TextField(_("body"))
    made_at = models.DateTimeField(_("made"))
    # The time of the next attempt, set ahead in case the sender dies. None: delivered, or given up.
    due_at = models.DateTimeField(_("next attempt at"), null=True, blank=True)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    delivered_at = models.DateTimeField(_("delivered"), null=True, blank=True)
    answer = models.CharField(_("last answer"), max_length=300, blank=True, default="")

    class Meta:
        verbose_name = _("webhook delivery")
        verbose_name_plural = _("webhook deliveries")
        indexes = [
            models.Index(
                fields=["due_at"], name="delivery_due", condition=models.Q(due_at__isnull=False)
            ),
            models.Index(fields=["made_at"], name="delivery_made"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.number}"
