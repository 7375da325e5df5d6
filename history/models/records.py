"""Data that is kept of a finished match: its packed changes, and links by which players show it to others."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tables.models.match import Match
from tables.models.table import Table


class MatchArchive(models.Model):
    """All changes of one match, packed into one row. The changes' own rows are dropped with the partition of their day.

    history/archiving.py packs and unpacks `changes`.
    """

    match = models.OneToOneField(
        Match, models.PROTECT, primary_key=True, related_name="archive", db_constraint=False
    )
    table = models.ForeignKey(Table, models.PROTECT, related_name="+", db_index=False)
    changes = models.BinaryField()

    class Meta:
        verbose_name = _("match archive")
        verbose_name_plural = _("match archives")
        db_table = "history_match_archive"

    def __str__(self) -> str:
        return f"archive of match #{self.match_id}"


TOKEN_BYTES = 18


class MatchLink(models.Model):
    """A link to a match. Its holder sees the cards and points, but no money."""

    match = models.ForeignKey(
        Match, models.CASCADE, related_name="links", db_index=False, db_constraint=False
    )
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    token = models.CharField(_("token"), max_length=32, unique=True)
    made_at = models.DateTimeField(_("created at"), db_default=Now())

    class Meta:
        verbose_name = _("shared link to a match")
        verbose_name_plural = _("shared links to matches")
        constraints = [
            models.UniqueConstraint(
                fields=["match", "made_by"], name="a_player_has_one_link_to_a_match"
            )
        ]

    def __str__(self) -> str:
        return f"link to match #{self.match_id}"
