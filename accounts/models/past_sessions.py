"""Sessions that have ended."""

from django.conf import settings
from django.db import models


class PastSession(models.Model):
    """From where a player was signed in, kept when the session itself is deleted.

    Each player has the last ones only (accounts/sessions/services.py). The key of the session is
    not kept.
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
