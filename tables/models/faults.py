"""Interruptions of play: tables out of order, heartbeats of the clocks, and outages of all clocks."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tables.models.match import Match
from tables.models.table import Table

LONGEST_TRACEBACK = 20_000


class Doing(models.TextChoices):
    """The action during which the game failed."""

    MOVE = "MOVE", _("A player's move")
    DEADLINE = "DEADLINE", _("A deadline")
    OUTAGE = "OUTAGE", _("Giving time back after an outage")
    SPLIT_OFFER = "SPLIT", _("A question that the table asks automatically")


class TableFault(models.Model):
    """A failure of a table's game. While `resolved_at` is empty, the clock skips the table and no move is accepted."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="faults")
    match = models.ForeignKey(
        Match, models.PROTECT, null=True, blank=True, related_name="+", db_constraint=False
    )
    happened_at = models.DateTimeField(_("happened at"), db_default=Now())
    doing = models.CharField(_("operation"), max_length=10, choices=Doing)
    error = models.CharField(_("error"), max_length=300)
    traceback = models.TextField(_("traceback"))
    resolved_at = models.DateTimeField(_("resolved at"), null=True, blank=True)
    resolved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_constraint=False,
    )

    class Meta:
        verbose_name = _("table out of order")
        verbose_name_plural = _("tables out of order")
        constraints = [
            models.UniqueConstraint(
                fields=["table"],
                condition=models.Q(resolved_at__isnull=True),
                name="a_table_has_one_open_fault",
            )
        ]

    def __str__(self) -> str:
        return f"fault #{self.pk} of table #{self.table_id}"


class ClockBeat(models.Model):
    """The last heartbeat of any clock. Every clock process sends one each second."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    beat_at = models.DateTimeField()

    class Meta:
        verbose_name = _("heartbeat of the clock")
        verbose_name_plural = _("heartbeats of the clock")
        constraints = [
            models.CheckConstraint(condition=models.Q(id=1), name="there_is_one_row_of_the_clock")
        ]

    def __str__(self) -> str:
        return f"last beat at {self.beat_at}"


class ClockOutage(models.Model):
    """A period in which no clock ran (tables/play/faults.py).

    Each table postpones its running deadlines by the part of the period that it has lost.
    """

    began_at = models.DateTimeField(_("began at"))
    ended_at = models.DateTimeField(_("ended at"))

    class Meta:
        verbose_name = _("clock outage")
        verbose_name_plural = _("clock outages")

    def __str__(self) -> str:
        return f"outage of {(self.ended_at - self.began_at).total_seconds():.0f} s"
