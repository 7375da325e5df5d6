"""Records of the browsers that players use: past sessions, marks of origin, push subscriptions.

Equal marks of a browser or an address show that two actions came from the same place. A mark is a keyed hash
(HMAC-SHA256): without the site's key nobody can recover the browser's number or the address from it. The key
changes every 90 days, so marks from different quarters cannot be linked.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _


class PastSession(models.Model):
    """The address and browser of a session that was deleted.

    Only the latest ones of each player are kept (accounts/sessions/services.py), without their session keys.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="past_sessions", db_index=False
    )
    ip = models.GenericIPAddressField()
    user_agent = models.CharField(max_length=200)
    created_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()

    class Meta:
        db_table = "accounts_past_session"
        indexes = [
            models.Index(fields=["user", "last_seen_at"], name="past_sessions_of_user"),
            models.Index(fields=["ip"], name="past_sessions_of_address"),
        ]

    def __str__(self) -> str:
        return f"past session #{self.pk}"


MARK_LENGTH: Final = 32
KEPT: Final = timedelta(days=90)
_SALT: Final = "accounts.origins"


@dataclass(frozen=True, slots=True)
class Origin:
    """The marks of a browser and an address. Each has `MARK_LENGTH` characters, or is empty if unknown."""

    device: str = ""
    address: str = ""

    def marks(self) -> list[str]:
        """Return the known marks, in alphabetical order."""
        return sorted(mark for mark in (self.device, self.address) if mark)

    def shares_device(self, other: "Origin") -> bool:
        return bool(self.device) and self.device == other.device

    def shares_address(self, other: "Origin") -> bool:
        return bool(self.address) and self.address == other.address

    def is_shared(self, other: "Origin") -> bool:
        return self.shares_device(other) or self.shares_address(other)


NOWHERE: Final = Origin()


def compute_mark(kind: str, text: str, *, day: date) -> str:
    """Return the mark of a browser's number (`kind` "device") or of an address ("address"). Empty for an empty text."""
    if not text:
        return ""
    quarter = day.toordinal() // KEPT.days
    signed = salted_hmac(f"{_SALT}.{kind}.{quarter}", text, algorithm="sha256")
    return signed.hexdigest()[:MARK_LENGTH]


class WithOrigin(models.Model):
    """A row that records the origin of an action. Its marks are emptied after at most 90 days."""

    device_mark = models.CharField(max_length=MARK_LENGTH, default="", db_default="", blank=True)
    address_mark = models.CharField(max_length=MARK_LENGTH, default="", db_default="", blank=True)

    class Meta:
        abstract = True

    @property
    def origin(self) -> Origin:
        return Origin(self.device_mark, self.address_mark)


LONGEST_ENDPOINT = 1_000


class PushSubscription(models.Model):
    """A browser that accepts push messages. Its endpoint must be kept secret, like a password."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="push_subscriptions"
    )
    endpoint = models.CharField(max_length=LONGEST_ENDPOINT, unique=True)
    # The browser's public key and its secret, as the browser sends them.
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=30)
    device = models.CharField(_("device"), max_length=60, blank=True)
    # The session in which the browser subscribed, or last showed this setting: the subscription ends with it.
    session_key = models.CharField(max_length=40, default="", db_default="", blank=True)
    created_at = models.DateTimeField(_("created at"), db_default=Now())
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)

    class Meta:
        verbose_name = _("push subscription")
        verbose_name_plural = _("push subscriptions")
        db_table = "accounts_push_subscription"
        indexes = [models.Index(fields=["session_key"], name="push_of_session")]

    def __str__(self) -> str:
        return f"push subscription #{self.pk}"
