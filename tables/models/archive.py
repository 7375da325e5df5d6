"""The archive of the moves of old matches."""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tables.models.match import Match


class MatchArchive(models.Model):
    """All changes of one match in one row, packed; their own rows are gone.

    `changes` is what tables/history/archiving.py packs and unpacks.
    """

    match = models.OneToOneField(Match, models.PROTECT, primary_key=True, related_name="archive")
    changes = models.BinaryField()
    archived_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("archive of a match")
        verbose_name_plural = _("archives of matches")
        db_table = "tables_match_archive"

    def __str__(self) -> str:
        return f"archive of match #{self.match_id}"
