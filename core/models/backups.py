"""Backups of the database, as `deploy/backup.sh` records them."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Backup(models.Model):
    """A backup that is complete; `checked_at` is when it was last restored and found to be good."""

    name = models.CharField(_("name"), max_length=100, unique=True)
    size_bytes = models.BigIntegerField(_("bytes"))
    made_at = models.DateTimeField(_("made"), db_index=True)
    checked_at = models.DateTimeField(_("restored and checked"), null=True, blank=True)

    class Meta:
        verbose_name = _("backup")
        verbose_name_plural = _("backups")

    def __str__(self) -> str:
        return self.name
