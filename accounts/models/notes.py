"""Notes of staff about players."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class PlayerNote(models.Model):
    """A note of staff about a player, who does not read it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="notes", verbose_name=_("player")
    )
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("staff")
    )
    text = models.TextField(_("note"))
    written_at = models.DateTimeField(_("written at"), db_default=Now())

    class Meta:
        verbose_name = _("note about a player")
        verbose_name_plural = _("notes about players")
        db_table = "accounts_player_note"

    def __str__(self) -> str:
        return f"note #{self.pk} about user #{self.user_id}"
