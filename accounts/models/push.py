"""Browsers that want to be told something while no page is open."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

LONGEST_ENDPOINT = 1_000


class PushSubscription(models.Model):
    """One browser of a player's; the address at its push service is a secret of it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="push_subscriptions"
    )
    endpoint = models.CharField(max_length=LONGEST_ENDPOINT, unique=True)
    # As the browser gives them: its public key and its secret.
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=30)
    device = models.CharField(_("device"), max_length=60, blank=True)
    created_at = models.DateTimeField(_("made at"), db_default=Now())
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)

    class Meta:
        verbose_name = _("push subscription")
        verbose_name_plural = _("push subscriptions")
        db_table = "accounts_push_subscription"

    def __str__(self) -> str:
        return f"push subscription #{self.pk}"
